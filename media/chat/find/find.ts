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

/** Dependencies of the search. */
export interface FindDependencies extends TurnTextDependencies {
	readonly scroller: HTMLElement;
	/** Element that holds the turns that are on the page. */
	readonly list: HTMLElement;
	readonly pin: ScrollPin;
	readonly idle: Pick<IdleQueue, "add">;
	/** All turns of the chat. */
	readonly turns: () => readonly TurnView[];
	/** Where the reader is. */
	readonly place: () => ReadingPosition | undefined;
	/** Puts a turn onto the page and goes there. */
	readonly show: (place: ReadingPosition) => void;
	readonly focusComposer: () => void;
}

/** How long changes of the page are gathered before they are searched, in milliseconds. */
const gatherMs = 150;

/** A selection up to this length is what is looked for when the bar opens; in UTF-16 code units. */
const maxSelection = 200;

/** Search of a chat: over all of it, as it is shown, on the page or not. */
export class Find {
	private readonly dependencies: FindDependencies;
	private readonly bar: FindBar;
	private readonly observer = new MutationObserver(() => this.gather());
	private query: FindQuery = { text: "", isCaseSensitive: false, isWholeWord: false };
	private find: ((text: string) => Match[]) | undefined;
	private isOpen = false;
	/** Whether every turn was searched for this query. */
	private isDone = true;
	/** Searches started; one that is not the last stops. */
	private searches = 0;
	private texts = new WeakMap<TurnView, string>();
	/** Of turns that were searched off the page, for this query. */
	private found = new WeakMap<TurnView, number>();
	private counts = new Map<string, number>();
	private onPage: PageMatches = new Map();
	private current: MatchLocation | undefined;
	/** The turn a search for other words begins at. */
	private origin: string | undefined;
	private returnTo: Element | null = null;
	private timer: number | undefined;

	/** Makes the search, with its bar closed. */
	constructor(dependencies: FindDependencies) {
		this.dependencies = dependencies;
		this.bar = new FindBar({
			search: query => this.search(query),
			step: direction => void this.step(direction),
			close: () => this.close(),
		});
		this.bar.element.addEventListener("keydown", event => this.takeKey(event));
	}

	/** Opens the bar, with what is selected in the chat where one could look for it. */
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

	/** Goes to the next match or the one before; says whether there was a search to go on with. */
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
		// Escape would stop the answer as well.
		event.stopPropagation();
	}

	private close(): void {
		const { returnTo } = this;
		this.isOpen = false;
		this.searches += 1;
		window.clearTimeout(this.timer);
		this.observer.disconnect();
		markMatches(new Map(), undefined);
		// What was searched can be large, and may never be asked for again.
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

	/** Looks for other words, from where the reader was before the first of them. */
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

	/** Searches what changed, and all that was not searched yet. */
	private refresh(): void {
		this.searches += 1;
		this.lookAtPage();
		this.dependencies.idle.add(this.searchTheRest(this.searches));
	}

	/** Searches and marks what is on the page. */
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

	/** Searches the turns that are not on the page, turn by turn in quiet moments. */
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

	/** Goes to the first match from the origin on, unless one is gone to; waits for the search where it may be further on. */
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

	/** Within the turn at the upper edge, matches above it were passed already. */
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

	/** The page changed: an answer grows, or other turns came near the screen. */
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
