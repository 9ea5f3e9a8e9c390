import type { TurnView } from "../../../src/shared/chat.ts";
import { FindBar } from "./findBar.ts";
import { boxOf, findOnPage, markMatches, type PageMatches } from "./highlights.ts";
import { firstMatch, type MatchLocation, adjacentMatch, numberOf } from "./matchOrder.ts";
import { createFinder, type FindQuery, type Match } from "./query.ts";
import { revealMatch } from "./reveal.ts";
import { textOfTurn, type TurnTextDependencies } from "./turnText.ts";
import { isOfInputMethod } from "../../shared/inputMethod.ts";
import type { ReadingPosition } from "../scroll/placeInTurn.ts";
import type { ScrollPin } from "../scroll/scrollPin.ts";
import type { IdleQueue } from "../markdown/elements/idle.ts";

export interface FindDependencies extends TurnTextDependencies {
	readonly scroller: HTMLElement;
	/** The element that contains the rendered turns. */
	readonly list: HTMLElement;
	readonly pin: ScrollPin;
	readonly idle: Pick<IdleQueue, "add">;
	readonly turns: () => readonly TurnView[];
	readonly place: () => ReadingPosition | undefined;
	/** Renders a turn and scrolls to it. */
	readonly show: (place: ReadingPosition) => void;
	readonly focusComposer: () => void;
}

/** How long changes of the page are collected before they are searched, in milliseconds. */
const gatherMs = 150;

/** The longest selection to use as the query when the bar opens, in UTF-16 code units. */
const maxSelection = 200;

/** Searches the shown text of the whole chat, rendered or not. */
export class Find {
	private readonly dependencies: FindDependencies;
	private readonly bar: FindBar;
	private readonly observer = new MutationObserver(() => this.gather());
	private query: FindQuery = { text: "", isCaseSensitive: false, isWholeWord: false };
	private find: ((text: string) => Match[]) | undefined;
	private isOpen = false;
	/** Whether all turns were searched for this query. */
	private isDone = true;
	/** Number of the latest search; earlier ones stop. */
	private searches = 0;
	private texts = new WeakMap<TurnView, string>();
	/** Match counts of turns searched off the page, for this query. */
	private found = new WeakMap<TurnView, number>();
	private counts = new Map<string, number>();
	private onPage: PageMatches = new Map();
	private current: MatchLocation | undefined;
	/** The turn from which a new query starts. */
	private origin: string | undefined;
	private returnTo: Element | null = null;
	private timer: number | undefined;

	/** Creates the search, with the bar closed. */
	constructor(dependencies: FindDependencies) {
		this.dependencies = dependencies;
		this.bar = new FindBar({
			search: query => this.search(query),
			step: direction => void this.step(direction),
			close: () => this.close(),
		});
		this.bar.element.addEventListener("keydown", event => this.takeKey(event));
	}

	/** Opens the bar, with the chat's selection if it can be a query. */
	open(): void {
		const { scroller, list, place } = this.dependencies;
		const selection = document.getSelection();
		const isInList = selection?.anchorNode ? list.contains(selection.anchorNode) : false;
		const selected = isInList ? (selection?.toString() ?? "") : "";
		if (!this.isOpen) {
			this.isOpen = true;
			this.returnTo = document.activeElement;
			this.origin = place()?.turnId;
			scroller.before(this.bar.element);
			this.observer.observe(list, { childList: true, characterData: true, subtree: true });
		}
		const isUsable = selected.length <= maxSelection && /^[^\n]*\S[^\n]*$/.test(selected);
		this.search(isUsable ? { ...this.query, text: selected } : this.query);
		this.bar.focus();
	}

	/** Goes to the next or previous match. Returns false if the bar is closed. */
	step(direction: 1 | -1): boolean {
		if (!this.isOpen) {
			return false;
		}
		const ids = this.turnIds();
		const next = this.current && adjacentMatch(ids, this.counts, this.current, direction);
		if (next) {
			this.current = next;
			this.origin = next.turnId;
			this.goToCurrent();
		}
		return this.find !== undefined;
	}

	private takeKey(event: KeyboardEvent): void {
		const isInField = event.target instanceof HTMLInputElement;
		if (isOfInputMethod(event)) {
			return;
		}
		if (event.key === "Escape") {
			this.close();
		} else if (event.key === "Enter" && isInField) {
			this.step(event.shiftKey ? -1 : 1);
		} else {
			return;
		}
		event.preventDefault();
		// Otherwise Escape would also stop the answer.
		event.stopPropagation();
	}

	private close(): void {
		const { returnTo } = this;
		this.isOpen = false;
		this.searches += 1;
		window.clearTimeout(this.timer);
		this.observer.disconnect();
		markMatches(new Map(), undefined);
		// Frees memory, because the searched text can be large.
		this.texts = new WeakMap();
		this.found = new WeakMap();
		this.onPage = new Map();
		this.bar.element.remove();
		if (returnTo instanceof HTMLElement && returnTo.isConnected && returnTo !== document.body) {
			returnTo.focus();
		} else {
			this.dependencies.focusComposer();
		}
	}

	/** Starts a new query from the reader's original position. */
	private search(query: FindQuery): void {
		this.query = query;
		this.find = createFinder(query);
		this.counts = new Map();
		this.found = new WeakMap();
		this.current = undefined;
		this.isDone = false;
		this.refresh();
		this.goToFirst();
	}

	/** Searches changed turns and those not searched yet. */
	private refresh(): void {
		this.searches += 1;
		this.lookAtPage();
		this.dependencies.idle.add(this.searchTheRest(this.searches));
	}

	/** Searches and highlights the rendered turns. */
	private lookAtPage(): void {
		const { find } = this;
		this.onPage = find ? findOnPage(this.dependencies.list, find) : new Map();
		for (const [turnId, ranges] of this.onPage) {
			this.counts.set(turnId, ranges.length);
		}
		markMatches(this.onPage, this.rangeOf(this.current));
		this.draw();
	}

	private rangeOf(place: MatchLocation | undefined): StaticRange | undefined {
		const ranges = place && this.onPage.get(place.turnId);
		return ranges?.[Math.min(place?.ordinal ?? 0, ranges.length - 1)];
	}

	/** Searches the turns that aren't rendered, one by one in idle periods. */
	private *searchTheRest(number: number): Generator<undefined, void> {
		const { texts, found, find, dependencies } = this;
		const turns = find ? dependencies.turns() : [];
		const counts = new Map<string, number>();
		for (const turn of turns) {
			if (this.onPage.has(turn.id)) {
				continue;
			}
			let count = found.get(turn);
			if (count === undefined) {
				const text = texts.get(turn) ?? (yield* textOfTurn(turn, dependencies));
				texts.set(turn, text);
				count = find?.(text).length ?? 0;
				found.set(turn, count);
				yield;
			}
			if (number !== this.searches) {
				return;
			}
			counts.set(turn.id, count);
			this.counts.set(turn.id, count);
		}
		for (const [turnId, ranges] of this.onPage) {
			counts.set(turnId, ranges.length);
		}
		this.counts = counts;
		this.isDone = true;
		this.goToFirst();
		this.draw();
	}

	/** Goes to the first match after the origin if none is current. Waits if it may be in a turn not searched yet. */
	private goToFirst(): void {
		if (this.current || !this.find) {
			return;
		}
		const ids = this.turnIds();
		const from = Math.max(0, ids.indexOf(this.origin ?? ""));
		const isKnown = (id: string): boolean => this.counts.has(id);
		const first = firstMatch(ids, this.counts, from);
		const index = first ? ids.indexOf(first.turnId) : -1;
		if (first && (this.isDone || (index >= from && ids.slice(from, index).every(isKnown)))) {
			this.current = { ...first, ordinal: this.firstInSight(first) };
			this.goToCurrent();
		}
	}

	/** Skips matches above the visible area in the topmost turn. */
	private firstInSight({ turnId }: MatchLocation): number {
		const { top } = this.dependencies.scroller.getBoundingClientRect();
		const ranges = turnId === this.origin ? (this.onPage.get(turnId) ?? []) : [];
		return Math.max(
			0,
			ranges.findIndex(range => boxOf(range).bottom > top),
		);
	}

	private goToCurrent(): void {
		const { current } = this;
		const { show, scroller, pin } = this.dependencies;
		if (!current) {
			return;
		}
		if (!this.onPage.has(current.turnId)) {
			show({ turnId: current.turnId, offset: 0 });
		}
		void revealMatch(scroller, pin, () => {
			if (!this.isOpen || this.current !== current) {
				return undefined;
			}
			this.lookAtPage();
			return this.rangeOf(current);
		});
	}

	/** Schedules a search after the page changed, because an answer grew or turns were rendered. */
	private gather(): void {
		this.timer ??= window.setTimeout(() => {
			this.timer = undefined;
			if (this.isOpen) {
				this.refresh();
			}
		}, gatherMs);
	}

	private draw(): void {
		const { query, isDone, counts, current } = this;
		this.bar.render({ query, isDone, ...numberOf(this.turnIds(), counts, current) });
	}

	private turnIds(): string[] {
		return this.dependencies.turns().map(({ id }) => id);
	}
}
