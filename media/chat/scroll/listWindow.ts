import type { TurnView } from "../../../src/shared/index.ts";
import { createFoldMemory } from "./foldMemory.ts";
import { createTurnHeights, type TurnHeights } from "./turnHeights.ts";
import {
	nextTurnRange,
	type WindowPiece,
	piecesOf,
	type Sight,
	type Stretch,
	sum,
	translate,
} from "./turnWindow.ts";

/** A place in a chat that outlives the page: a turn, and how much of it is above what can be seen, in CSS pixels. */
export interface ReadingPosition {
	readonly turnId: string;
	readonly offset: number;
}

/**
 * Which turns of a chat are on the page: those on and near the screen, the last one, and those that hold the focus or an
 * end of what is selected. The others are gaps of their height, so that the scroll bar tells the truth and nothing jumps.
 */
export interface ListWindow {
	/** Pieces of the list. The same array as before when nothing changed. */
	pieces(turns: readonly TurnView[]): readonly WindowPiece[];
	/** The list shows what `pieces` returned last. */
	rendered(): void;
	/** Another chat is shown, or the same one again; heights of the same one are kept. */
	open(chatId: string): void;
	/** Where the reader is; nothing when no turn can be seen. */
	readonly place: ReadingPosition | undefined;
	/** The chat has turns before those it had: what the reader sees stays where it is. */
	prepended(): void;
	/** Shows a place; false when the turn is not there any more. */
	goTo(place: ReadingPosition): boolean;
	/** Gives the focus to the question of a turn that is on the page. */
	focus(turnId: string): void;
}

/** Dependencies of a window. */
export interface ListWindowDependencies {
	readonly scroller: HTMLElement;
	/** Element that holds the turns; a child of `scroller`. */
	readonly list: HTMLElement;
	/** Whether the list follows its end. */
	readonly isPinned: () => boolean;
	/** Makes the list again; `pieces` says of what. */
	readonly onChange: () => void;
	/** Turns that left the page. */
	readonly onLeft: (turnIds: readonly string[]) => void;
}

interface WindowState extends ListWindowDependencies {
	readonly heights: TurnHeights;
	readonly observer: ResizeObserver;
	readonly folds: ReturnType<typeof createFoldMemory>;
	readonly shown: Map<string, HTMLElement>;
	chatId: string | undefined;
	turns: readonly TurnView[];
	stretch: Stretch | undefined;
	/** A place to be shown whatever the list is scrolled to. */
	target: ReadingPosition | undefined;
	/** The height of what can be seen, in CSS pixels. */
	view: number;
	/** Whether heights changed since `known` was made. */
	isStale: boolean;
	known: readonly number[];
	/** How high turns are on the page as it is, gaps by what they were made of. */
	laidOut: number[];
	pieces: readonly WindowPiece[];
	isChecking: boolean;
}

/** Makes the window of a list. */
export function createListWindow(dependencies: ListWindowDependencies): ListWindow {
	const state: WindowState = {
		...dependencies,
		heights: createTurnHeights(),
		observer: new ResizeObserver(entries => measure(state, entries)),
		folds: createFoldMemory(),
		shown: new Map(),
		chatId: undefined,
		turns: [],
		stretch: undefined,
		target: undefined,
		view: dependencies.scroller.clientHeight,
		isStale: true,
		known: [],
		laidOut: [],
		pieces: [],
		isChecking: false,
	};
	state.observer.observe(dependencies.scroller);
	dependencies.scroller.addEventListener("scroll", () => check(state));
	return {
		pieces: turns => choose(state, turns),
		rendered: () => follow(state),
		open: chatId => {
			if (chatId !== state.chatId) {
				state.heights.forget();
				state.folds.forget();
				state.stretch = undefined;
			}
			state.chatId = chatId;
			state.isStale = true;
		},
		get place() {
			// The end of a scroll can be told before the scroll itself.
			check(state);
			return placeOf(state);
		},
		prepended: () => {
			const place = dependencies.isPinned() ? undefined : placeOf(state);
			if (!place || !goTo(state, place)) {
				state.onChange();
			}
		},
		goTo: place => goTo(state, place),
		focus: turnId => {
			const question = state.shown.get(turnId)?.querySelector<HTMLElement>("article");
			question?.setAttribute("tabindex", "-1");
			question?.focus({ preventScroll: true });
		},
	};
}

function heightsOf(state: WindowState, turns: readonly TurnView[]): readonly number[] {
	if (state.isStale || turns !== state.turns) {
		state.known = state.heights.of(turns);
	}
	return state.known;
}

/**
 * Visible part, in the heights that are known best. Where the list is scrolled to counts in the heights that the page
 * has, of which the gaps are older; at its end it is counted from there, whatever it was scrolled to before it grew.
 */
function sightOf(
	state: WindowState,
	turns: readonly TurnView[],
	heights: readonly number[],
): Sight {
	const { view, target } = state;
	const index = target ? turns.findIndex(turn => turn.id === target.turnId) : -1;
	if (target && index !== -1) {
		const top = sum(heights, 0, index) + target.offset;
		return { top, bottom: top + view };
	}
	if (!state.isPinned()) {
		const top = translate(state.laidOut, heights, state.scroller.scrollTop);
		return { top, bottom: top + view };
	}
	const bottom = sum(heights, 0, heights.length);
	return { top: bottom - view, bottom };
}

/** More is made for a screen reader, whose own cursor moves without scrolling. */
function marginFactor(): number {
	return document.body.classList.contains("vscode-using-screen-reader") ? 4 : 1;
}

function choose(state: WindowState, turns: readonly TurnView[]): readonly WindowPiece[] {
	const heights = heightsOf(state, turns);
	const sight = sightOf(state, turns, heights);
	const stretch = nextTurnRange(heights, sight, state.stretch, marginFactor());
	const isSame =
		!state.isStale &&
		turns === state.turns &&
		stretch.from === state.stretch?.from &&
		stretch.to === state.stretch.to;
	if (!isSame) {
		state.pieces = piecesOf(heights, stretch, keptTurns(state, turns));
		state.laidOut = [...heights];
	}
	state.turns = turns;
	state.stretch = stretch;
	state.isStale = false;
	return state.pieces;
}

/** The turns that must not go: the one with the focus, and those with an end of the selection. */
function keptTurns({ list }: WindowState, turns: readonly TurnView[]): number[] {
	const selection = document.getSelection();
	const ends = selection?.isCollapsed === false ? [selection.anchorNode, selection.focusNode] : [];
	const ids = [document.activeElement, ...ends]
		.filter(node => node !== null && list.contains(node))
		.map(node => (node instanceof Element ? node : node?.parentElement)?.closest(".turn"))
		.map(turn => (turn instanceof HTMLElement ? turn.dataset["turn"] : undefined));
	return ids
		.filter(id => id !== undefined)
		.map(id => turns.findIndex(turn => turn.id === id))
		.filter(index => index !== -1);
}

/** Looks after the turns that came onto the page and left it. */
function follow(state: WindowState): void {
	const { list, shown, observer, folds } = state;
	const present = new Set<string>();
	for (const element of list.children) {
		const id = element instanceof HTMLElement ? element.dataset["turn"] : undefined;
		if (id === undefined || !(element instanceof HTMLElement)) {
			continue;
		}
		present.add(id);
		if (shown.get(id) !== element) {
			shown.set(id, element);
			observer.observe(element);
			folds.restore(id, element);
		}
	}
	const left = [...shown.keys()].filter(id => !present.has(id));
	for (const id of left) {
		const element = shown.get(id);
		if (element) {
			folds.keep(id, element);
			observer.unobserve(element);
		}
		shown.delete(id);
	}
	if (left.length > 0) {
		state.onLeft(left);
	}
}

/** Turns were laid out, or the view has another size. */
function measure(state: WindowState, entries: readonly ResizeObserverEntry[]): void {
	const sizes: { turnId: string; height: number }[] = [];
	let width = 0;
	for (const { target, borderBoxSize } of entries) {
		const [size] = borderBoxSize;
		const turnId = target instanceof HTMLElement ? target.dataset["turn"] : undefined;
		if (target === state.scroller) {
			state.view = target.clientHeight;
		} else if (turnId !== undefined && size && target.isConnected) {
			sizes.push({ turnId, height: size.blockSize });
			width = size.inlineSize;
			state.laidOut[state.turns.findIndex(turn => turn.id === turnId)] = size.blockSize;
		}
	}
	if (sizes.length > 0) {
		state.heights.measure(sizes, width);
		state.isStale = true;
	}
	// What an observer changes itself is not shown before the next frame anyway.
	if (!state.isChecking) {
		state.isChecking = true;
		requestAnimationFrame(() => {
			state.isChecking = false;
			check(state);
		});
	}
}

/** Makes the list again when other turns are near the screen than are on the page. */
function check(state: WindowState): void {
	const before = state.stretch;
	const heights = heightsOf(state, state.turns);
	const next = nextTurnRange(heights, sightOf(state, state.turns, heights), before, marginFactor());
	if (before && (next.from < before.from || next.to > before.to)) {
		state.onChange();
	}
}

function placeOf(state: WindowState): ReadingPosition | undefined {
	const { scroller, shown } = state;
	const { top } = scroller.getBoundingClientRect();
	const seen = [...shown]
		.map(([turnId, element]) => ({ turnId, box: element.getBoundingClientRect() }))
		.filter(({ box }) => box.bottom > top && box.top < top + scroller.clientHeight)
		.sort((a, b) => a.box.top - b.box.top)[0];
	return seen && { turnId: seen.turnId, offset: Math.round(top - seen.box.top) };
}

function goTo(state: WindowState, place: ReadingPosition): boolean {
	const { turnId, offset } = place;
	const index = state.turns.findIndex(turn => turn.id === turnId);
	if (index === -1) {
		return false;
	}
	state.target = place;
	state.stretch = undefined;
	state.onChange();
	state.target = undefined;
	const element = state.shown.get(turnId);
	if (element) {
		const from = element.getBoundingClientRect().top - state.scroller.getBoundingClientRect().top;
		state.scroller.scrollTop += from + offset;
	}
	return element !== undefined;
}
