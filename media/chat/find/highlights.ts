import type { Match } from "./query.ts";
import { rangesOf, readShownText } from "./shownText.ts";

/** Matches of one query on the page, in order, by the turn they are in. */
export type PageMatches = ReadonlyMap<string, readonly StaticRange[]>;

/** At most so many matches are marked at once; what is searched and counted is not limited by it. */
const maxMarked = 2000;

/** Finds what the turns on the page show. */
export function findOnPage(list: HTMLElement, find: (text: string) => Match[]): PageMatches {
	const matches = new Map<string, readonly StaticRange[]>();
	for (const turn of list.querySelectorAll<HTMLElement>(".turn")) {
		const shown = readShownText(turn);
		matches.set(turn.dataset["turn"] ?? "", rangesOf(shown, find(shown.text)));
	}
	return matches;
}

/** Marks matches without a change to the page itself, the current one apart; nothing given takes the marks away. */
export function markMatches(matches: PageMatches, current: StaticRange | undefined): void {
	const ranges = [...matches.values()].flat().slice(0, maxMarked);
	CSS.highlights.set("cutaway-find", new Highlight(...ranges));
	const mark = new Highlight(...(current ? [current] : []));
	mark.priority = 1;
	CSS.highlights.set("cutaway-find-current", mark);
}

/** A range as it is laid out, in CSS pixels of the page. */
export function boxOf({
	startContainer,
	startOffset,
	endContainer,
	endOffset,
}: StaticRange): DOMRect {
	const range = document.createRange();
	range.setStart(startContainer, startOffset);
	range.setEnd(endContainer, endOffset);
	return range.getBoundingClientRect();
}
