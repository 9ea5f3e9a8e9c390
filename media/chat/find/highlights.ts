import type { Match } from "./query.ts";
import { rangesOf, readShownText } from "./shownText.ts";

/** Matches in the page, in order, by turn id. */
export type PageMatches = ReadonlyMap<string, readonly StaticRange[]>;

/** The most matches to highlight at once. Searching and counting have no limit. */
const maxMarked = 2000;

export function findOnPage(list: HTMLElement, find: (text: string) => Match[]): PageMatches {
	const matches = new Map<string, readonly StaticRange[]>();
	for (const turn of list.querySelectorAll<HTMLElement>(".turn")) {
		const shown = readShownText(turn);
		matches.set(turn.dataset["turn"] ?? "", rangesOf(shown, find(shown.text)));
	}
	return matches;
}

/** Highlights matches without changing the DOM, the current one separately. Removes the highlights if there are none. */
export function markMatches(matches: PageMatches, current: StaticRange | undefined): void {
	const ranges = [...matches.values()].flat().slice(0, maxMarked);
	CSS.highlights.set("cutaway-find", new Highlight(...ranges));
	const mark = new Highlight(...(current ? [current] : []));
	mark.priority = 1;
	CSS.highlights.set("cutaway-find-current", mark);
}

/** Returns a range's box in CSS pixels of the page. */
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
