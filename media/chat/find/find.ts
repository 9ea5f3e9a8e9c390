import type { TurnView } from "../../../src/shared/index.ts";
import { createFindBar, type FindBar } from "./findBar.ts";
import type { FindCommands, FindDependencies } from "./findDependencies.ts";
import { boxOf, findOnPage, markMatches, type PageMatches } from "./highlights.ts";
import { firstMatch, type MatchLocation, adjacentMatch, numberOf } from "./matchOrder.ts";
import { createFinder, type FindQuery, type Match } from "./query.ts";
import { revealMatch } from "./reveal.ts";
import { textOfTurn } from "./turnText.ts";

/** How long changes of the page are gathered before they are searched, in milliseconds. */
const gatherMs = 150;

/** A selection up to this length is what is looked for when the bar opens; in UTF-16 code units. */
const maxSelection = 200;

interface FindState extends FindDependencies {
	readonly bar: FindBar;
	readonly observer: MutationObserver;
	query: FindQuery;
	find: ((text: string) => Match[]) | undefined;
	isOpen: boolean;
	/** Whether every turn was searched for this query. */
	isDone: boolean;
	/** Searches started; one that is not the last stops. */
	searches: number;
	texts: WeakMap<TurnView, string>;
	/** Of turns that were searched off the page, for this query. */
	found: WeakMap<TurnView, number>;
	counts: Map<string, number>;
	onPage: PageMatches;
	current: MatchLocation | undefined;
	/** The turn a search for other words begins at. */
	origin: string | undefined;
	returnTo: Element | null;
	timer: number | undefined;
}

/** Makes the search of a chat: over all of it, as it is shown, on the page or not. */
export function createFind(dependencies: FindDependencies): FindCommands {
	const state: FindState = {
		...dependencies,
		bar: createFindBar({
			search: query => search(state, query),
			step: direction => void step(state, direction),
			close: () => close(state),
		}),
		observer: new MutationObserver(() => gather(state)),
		query: { text: "", isCaseSensitive: false, isWholeWord: false },
		find: undefined,
		isOpen: false,
		isDone: true,
		searches: 0,
		texts: new WeakMap(),
		found: new WeakMap(),
		counts: new Map(),
		onPage: new Map(),
		current: undefined,
		origin: undefined,
		returnTo: null,
		timer: undefined,
	};
	state.bar.element.addEventListener("keydown", event => takeKey(state, event));
	return {
		open: () => open(state),
		step: direction => state.isOpen && step(state, direction),
	};
}

function takeKey(state: FindState, event: KeyboardEvent): void {
	const isInField = event.target instanceof HTMLInputElement;
	if (event.isComposing) {
		return;
	}
	if (event.key === "Escape") {
		close(state);
	} else if (event.key === "Enter" && isInField) {
		step(state, event.shiftKey ? -1 : 1);
	} else {
		return;
	}
	event.preventDefault();
	// Escape would stop the answer as well.
	event.stopPropagation();
}

function open(state: FindState): void {
	const { bar, scroller, list, observer } = state;
	const selection = document.getSelection();
	const isInList = selection?.anchorNode ? list.contains(selection.anchorNode) : false;
	const selected = isInList ? (selection?.toString() ?? "") : "";
	if (!state.isOpen) {
		state.isOpen = true;
		state.returnTo = document.activeElement;
		state.origin = state.place()?.turnId;
		scroller.before(bar.element);
		observer.observe(list, { childList: true, characterData: true, subtree: true });
	}
	const isUsable = selected.length <= maxSelection && /^[^\n]*\S[^\n]*$/.test(selected);
	search(state, isUsable ? { ...state.query, text: selected } : state.query);
	bar.focus();
}

function close(state: FindState): void {
	const { bar, observer, returnTo } = state;
	state.isOpen = false;
	state.searches += 1;
	window.clearTimeout(state.timer);
	observer.disconnect();
	markMatches(new Map(), undefined);
	// What was searched can be large, and may never be asked for again.
	Object.assign(state, { texts: new WeakMap(), found: new WeakMap(), onPage: new Map() });
	bar.element.remove();
	if (returnTo instanceof HTMLElement && returnTo.isConnected && returnTo !== document.body) {
		returnTo.focus();
	} else {
		state.focusComposer();
	}
}

/** Looks for other words, from where the reader was before the first of them. */
function search(state: FindState, query: FindQuery): void {
	Object.assign(state, {
		query,
		find: createFinder(query),
		counts: new Map(),
		found: new WeakMap(),
		current: undefined,
		isDone: false,
	});
	refresh(state);
	goToFirst(state);
}

/** Searches what changed, and all that was not searched yet. */
function refresh(state: FindState): void {
	state.searches += 1;
	lookAtPage(state);
	state.idle.add(searchTheRest(state, state.searches));
}

/** Searches and marks what is on the page. */
function lookAtPage(state: FindState): void {
	const { find, list, counts, current } = state;
	state.onPage = find ? findOnPage(list, find) : new Map();
	for (const [turnId, ranges] of state.onPage) {
		counts.set(turnId, ranges.length);
	}
	markMatches(state.onPage, rangeOf(state, current));
	show(state);
}

function rangeOf({ onPage }: FindState, place: MatchLocation | undefined): StaticRange | undefined {
	const ranges = place && onPage.get(place.turnId);
	return ranges?.[Math.min(place?.ordinal ?? 0, ranges.length - 1)];
}

/** Searches the turns that are not on the page, turn by turn in quiet moments. */
function* searchTheRest(state: FindState, number: number): Generator<undefined, void> {
	const { texts, found, find } = state;
	const turns = find ? state.turns() : [];
	const counts = new Map<string, number>();
	for (const turn of turns) {
		if (state.onPage.has(turn.id)) {
			continue;
		}
		let count = found.get(turn);
		if (count === undefined) {
			const text = texts.get(turn) ?? (yield* textOfTurn(turn, state));
			texts.set(turn, text);
			count = find?.(text).length ?? 0;
			found.set(turn, count);
			yield;
		}
		if (number !== state.searches) {
			return;
		}
		counts.set(turn.id, count);
		state.counts.set(turn.id, count);
	}
	for (const [turnId, ranges] of state.onPage) {
		counts.set(turnId, ranges.length);
	}
	Object.assign(state, { counts, isDone: true });
	goToFirst(state);
	show(state);
}

/** Goes to the first match from the origin on, unless one is gone to; waits for the search where it may be further on. */
function goToFirst(state: FindState): void {
	if (state.current || !state.find) {
		return;
	}
	const ids = state.turns().map(({ id }) => id);
	const from = Math.max(0, ids.indexOf(state.origin ?? ""));
	const isKnown = (id: string): boolean => state.counts.has(id);
	const first = firstMatch(ids, state.counts, from);
	const index = first ? ids.indexOf(first.turnId) : -1;
	if (first && (state.isDone || (index >= from && ids.slice(from, index).every(isKnown)))) {
		state.current = { ...first, ordinal: firstInSight(state, first) };
		goToCurrent(state);
	}
}

/** Within the turn at the upper edge, matches above it were passed already. */
function firstInSight({ onPage, scroller, origin }: FindState, { turnId }: MatchLocation): number {
	const { top } = scroller.getBoundingClientRect();
	const ranges = turnId === origin ? (onPage.get(turnId) ?? []) : [];
	return Math.max(
		0,
		ranges.findIndex(range => boxOf(range).bottom > top),
	);
}

function step(state: FindState, direction: 1 | -1): boolean {
	const ids = state.turns().map(({ id }) => id);
	const next = state.current && adjacentMatch(ids, state.counts, state.current, direction);
	if (next) {
		state.current = next;
		state.origin = next.turnId;
		goToCurrent(state);
	}
	return state.find !== undefined;
}

function goToCurrent(state: FindState): void {
	const { current } = state;
	if (!current) {
		return;
	}
	if (!state.onPage.has(current.turnId)) {
		state.show({ turnId: current.turnId, offset: 0 });
	}
	void revealMatch(state.scroller, state.pin, () => {
		if (!state.isOpen || state.current !== current) {
			return undefined;
		}
		lookAtPage(state);
		return rangeOf(state, current);
	});
}

/** The page changed: an answer grows, or other turns came near the screen. */
function gather(state: FindState): void {
	state.timer ??= window.setTimeout(() => {
		state.timer = undefined;
		if (state.isOpen) {
			refresh(state);
		}
	}, gatherMs);
}

function show(state: FindState): void {
	const { bar, query, isDone, counts, current } = state;
	const ids = state.turns().map(({ id }) => id);
	bar.render({ query, isDone, ...numberOf(ids, counts, current) });
}
