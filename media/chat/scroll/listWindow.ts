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

export interface ListWindowDependencies {
	readonly scroller: HTMLElement;
	/** The element that contains the turns; a child of `scroller`. */
	readonly list: HTMLElement;
	/** Whether the list follows its end. */
	readonly isPinned: () => boolean;
	/** Renders the list from `pieces`. */
	readonly onChange: () => void;
	/** Called with the turns that were removed from the page. */
	readonly onLeft: (turnIds: readonly string[]) => void;
}

/**
 * Determines which turns of a chat are rendered: those in and near the visible area, the last one, and those with the focus or an end of the
 * selection. Gaps replace the others with their height, so the scroll bar is accurate and nothing shifts.
 */
export class ListWindow {
	private readonly dependencies: ListWindowDependencies;
	private readonly heights = new TurnHeights();
	private readonly folds = new FoldMemory();
	private readonly observer = new ResizeObserver(entries => this.measure(entries));
	private readonly shown = new Map<string, HTMLElement>();
	private chatId: string | undefined;
	private turns: readonly TurnView[] = [];
	private range: Stretch | undefined;
	/** A position to show, regardless of the current scroll offset. */
	private target: ReadingPosition | undefined;
	/** Height of the visible area in CSS pixels. */
	private view: number;
	/** Whether heights have changed since `known` was computed. */
	private isStale = true;
	private known: readonly number[] = [];
	/** Heights of turns in the page, with gaps at the heights they were created with. */
	private layoutHeights: number[] = [];
	private made: readonly WindowPiece[] = [];
	private isChecking = false;

	constructor(dependencies: ListWindowDependencies) {
		const { scroller } = dependencies;
		this.dependencies = dependencies;
		this.view = scroller.clientHeight;
		this.observer.observe(scroller);
		scroller.addEventListener("scroll", () => this.check());
	}

	/** Returns the parts of the list. Returns the same array if nothing changed. */
	pieces(turns: readonly TurnView[]): readonly WindowPiece[] {
		const heights = this.heightsOf(turns);
		const sight = this.sightOf(turns, heights);
		const stretch = nextTurnRange(heights, sight, this.range, marginFactor());
		const isSame =
			!this.isStale &&
			turns === this.turns &&
			stretch.from === this.range?.from &&
			stretch.to === this.range.to;
		if (!isSame) {
			this.made = piecesOf(heights, stretch, keptTurns(this.dependencies.list, turns));
			this.layoutHeights = [...heights];
		}
		this.turns = turns;
		this.range = stretch;
		this.isStale = false;
		return this.made;
	}

	/** Observes turns that were added to the page and handles those that were removed. Call it after rendering `pieces`. */
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

	/** Called when a chat is shown. Keeps the heights of the same chat. */
	open(chatId: string): void {
		if (chatId !== this.chatId) {
			this.heights.forget();
			this.folds.forget();
			this.range = undefined;
		}
		this.chatId = chatId;
		this.isStale = true;
	}

	/** The scroll position; undefined if no turn is visible. */
	get place(): ReadingPosition | undefined {
		// The `scrollend` event can precede the `scroll` event.
		this.check();
		return this.placeNow();
	}

	/** Called after earlier turns were added. Keeps the scroll position. */
	prepended(): void {
		const place = this.dependencies.isPinned() ? undefined : this.placeNow();
		if (!place || !this.goTo(place)) {
			this.dependencies.onChange();
		}
	}

	/** Scrolls to a position. Returns false if its turn no longer exists. */
	goTo(place: ReadingPosition): boolean {
		const { turnId } = place;
		const index = this.turns.findIndex(turn => turn.id === turnId);
		if (index === -1) {
			return false;
		}
		this.target = place;
		this.range = undefined;
		this.dependencies.onChange();
		this.target = undefined;
		const element = this.shown.get(turnId);
		if (element) {
			goToPlace(this.dependencies.scroller, element, place);
		}
		return element !== undefined;
	}

	/** Focuses the question of a rendered turn. */
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
	 * Returns the visible range in the best known heights. Converts the scroll offset from the heights in the page, whose gaps are older. At the end of
	 * the list, counts from there, because the offset may be outdated after growing.
	 */
	private sightOf(turns: readonly TurnView[], heights: readonly number[]): Sight {
		const { view, target } = this;
		const index = target ? turns.findIndex(turn => turn.id === target.turnId) : -1;
		if (target && index !== -1) {
			const top = sum(heights, 0, index) + target.offset;
			return { top, bottom: top + view };
		}
		if (!this.dependencies.isPinned()) {
			const top = translate(this.layoutHeights, heights, this.dependencies.scroller.scrollTop);
			return { top, bottom: top + view };
		}
		const bottom = sum(heights, 0, heights.length);
		return { top: bottom - view, bottom };
	}

	/** Handles new sizes of turns or of the view. */
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
				this.layoutHeights[this.turns.findIndex(turn => turn.id === turnId)] = size.blockSize;
			}
		}
		if (sizes.length > 0) {
			this.heights.measure(sizes, width);
			this.isStale = true;
		}
		// Changes made in an observer aren't shown before the next frame anyway.
		if (!this.isChecking) {
			this.isChecking = true;
			requestAnimationFrame(() => {
				this.isChecking = false;
				this.check();
			});
		}
	}

	/** Renders the list again if the turns near the visible area aren't those in the page. */
	private check(): void {
		const { turns, range: before } = this;
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

/** Renders more for screen readers, whose cursor moves without scrolling. */
function marginFactor(): number {
	return document.body.classList.contains("vscode-using-screen-reader") ? 4 : 1;
}

/** Returns the turns that must stay: with the focus, or with an end of the selection. */
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
