import type { TurnView } from "../../../src/shared/chat.ts";
import { FoldMemory } from "./foldMemory.ts";
import { goToPlace, placeIn, type ReadingPosition } from "./placeInTurn.ts";
import { TurnHeights, type TurnSize } from "./turnHeights.ts";
import {
	nextTurnRange,
	type WindowPiece,
	piecesOf,
	type Sight,
	type Stretch,
	sum,
	translate,
} from "./turnWindow.ts";

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

/**
 * Which turns of a chat are on the page: those on and near the screen, the last one, and those that hold the focus or an
 * end of what is selected. The others are gaps of their height, so that the scroll bar tells the truth and nothing jumps.
 */
export class ListWindow {
	private readonly dependencies: ListWindowDependencies;
	private readonly heights = new TurnHeights();
	private readonly folds = new FoldMemory();
	private readonly observer = new ResizeObserver(entries => this.measure(entries));
	private readonly shown = new Map<string, HTMLElement>();
	private chatId: string | undefined;
	private turns: readonly TurnView[] = [];
	private stretch: Stretch | undefined;
	/** A place to be shown whatever the list is scrolled to. */
	private target: ReadingPosition | undefined;
	/** The height of what can be seen, in CSS pixels. */
	private view: number;
	/** Whether heights changed since `known` was made. */
	private isStale = true;
	private known: readonly number[] = [];
	/** How high turns are on the page as it is, gaps by what they were made of. */
	private laidOut: number[] = [];
	private made: readonly WindowPiece[] = [];
	private isChecking = false;

	/** Makes the window of a list without turns. */
	constructor(dependencies: ListWindowDependencies) {
		const { scroller } = dependencies;
		this.dependencies = dependencies;
		this.view = scroller.clientHeight;
		this.observer.observe(scroller);
		scroller.addEventListener("scroll", () => this.check());
	}

	/** Pieces of the list. The same array as before when nothing changed. */
	pieces(turns: readonly TurnView[]): readonly WindowPiece[] {
		const heights = this.heightsOf(turns);
		const sight = this.sightOf(turns, heights);
		const stretch = nextTurnRange(heights, sight, this.stretch, marginFactor());
		const isSame =
			!this.isStale &&
			turns === this.turns &&
			stretch.from === this.stretch?.from &&
			stretch.to === this.stretch.to;
		if (!isSame) {
			this.made = piecesOf(heights, stretch, keptTurns(this.dependencies.list, turns));
			this.laidOut = [...heights];
		}
		this.turns = turns;
		this.stretch = stretch;
		this.isStale = false;
		return this.made;
	}

	/** The list shows what `pieces` returned last: looks after the turns that came onto the page and left it. */
	rendered(): void {
		const { shown, observer, folds } = this;
		const { list, onLeft } = this.dependencies;
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
			onLeft(left);
		}
	}

	/** Another chat is shown, or the same one again; heights of the same one are kept. */
	open(chatId: string): void {
		if (chatId !== this.chatId) {
			this.heights.forget();
			this.folds.forget();
			this.stretch = undefined;
		}
		this.chatId = chatId;
		this.isStale = true;
	}

	/** Where the reader is; nothing when no turn can be seen. */
	get place(): ReadingPosition | undefined {
		// The end of a scroll can be told before the scroll itself.
		this.check();
		return this.placeNow();
	}

	/** The chat has turns before those it had: what the reader sees stays where it is. */
	prepended(): void {
		const place = this.dependencies.isPinned() ? undefined : this.placeNow();
		if (!place || !this.goTo(place)) {
			this.dependencies.onChange();
		}
	}

	/** Shows a place; false when the turn is not there any more. */
	goTo(place: ReadingPosition): boolean {
		const { turnId } = place;
		const index = this.turns.findIndex(turn => turn.id === turnId);
		if (index === -1) {
			return false;
		}
		this.target = place;
		this.stretch = undefined;
		this.dependencies.onChange();
		this.target = undefined;
		const element = this.shown.get(turnId);
		if (element) {
			goToPlace(this.dependencies.scroller, element, place);
		}
		return element !== undefined;
	}

	/** Gives the focus to the question of a turn that is on the page. */
	focus(turnId: string): void {
		const question = this.shown.get(turnId)?.querySelector<HTMLElement>("article");
		question?.setAttribute("tabindex", "-1");
		question?.focus({ preventScroll: true });
	}

	private heightsOf(turns: readonly TurnView[]): readonly number[] {
		if (this.isStale || turns !== this.turns) {
			this.known = this.heights.of(turns);
		}
		return this.known;
	}

	/**
	 * Visible part, in the heights that are known best. Where the list is scrolled to counts in the heights that the page
	 * has, of which the gaps are older; at its end it is counted from there, whatever it was scrolled to before it grew.
	 */
	private sightOf(turns: readonly TurnView[], heights: readonly number[]): Sight {
		const { view, target } = this;
		const index = target ? turns.findIndex(turn => turn.id === target.turnId) : -1;
		if (target && index !== -1) {
			const top = sum(heights, 0, index) + target.offset;
			return { top, bottom: top + view };
		}
		if (!this.dependencies.isPinned()) {
			const top = translate(this.laidOut, heights, this.dependencies.scroller.scrollTop);
			return { top, bottom: top + view };
		}
		const bottom = sum(heights, 0, heights.length);
		return { top: bottom - view, bottom };
	}

	/** Turns were laid out, or the view has another size. */
	private measure(entries: readonly ResizeObserverEntry[]): void {
		const sizes: TurnSize[] = [];
		let width = 0;
		for (const { target, borderBoxSize } of entries) {
			const [size] = borderBoxSize;
			const turnId = target instanceof HTMLElement ? target.dataset["turn"] : undefined;
			if (target === this.dependencies.scroller) {
				this.view = target.clientHeight;
			} else if (turnId !== undefined && size && target.isConnected) {
				sizes.push({ turnId, height: size.blockSize });
				width = size.inlineSize;
				this.laidOut[this.turns.findIndex(turn => turn.id === turnId)] = size.blockSize;
			}
		}
		if (sizes.length > 0) {
			this.heights.measure(sizes, width);
			this.isStale = true;
		}
		// What an observer changes itself is not shown before the next frame anyway.
		if (!this.isChecking) {
			this.isChecking = true;
			requestAnimationFrame(() => {
				this.isChecking = false;
				this.check();
			});
		}
	}

	/** Makes the list again when other turns are near the screen than are on the page. */
	private check(): void {
		const { turns, stretch: before } = this;
		const heights = this.heightsOf(turns);
		const next = nextTurnRange(heights, this.sightOf(turns, heights), before, marginFactor());
		if (before && (next.from < before.from || next.to > before.to)) {
			this.dependencies.onChange();
		}
	}

	private placeNow(): ReadingPosition | undefined {
		const { scroller } = this.dependencies;
		const { top } = scroller.getBoundingClientRect();
		const [seen] = [...this.shown.values()]
			.map(element => ({ element, box: element.getBoundingClientRect() }))
			.filter(({ box }) => box.bottom > top && box.top < top + scroller.clientHeight)
			.sort((a, b) => a.box.top - b.box.top);
		return seen && placeIn(scroller, seen.element);
	}
}

/** More is made for a screen reader, whose own cursor moves without scrolling. */
function marginFactor(): number {
	return document.body.classList.contains("vscode-using-screen-reader") ? 4 : 1;
}

/** The turns that must not go: the one with the focus, and those with an end of the selection. */
function keptTurns(list: HTMLElement, turns: readonly TurnView[]): number[] {
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
