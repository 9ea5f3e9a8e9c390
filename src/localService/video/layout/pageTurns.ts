import { easeInOut, easeOut, progressBetween } from "./easing.ts";

/** Where one page of several is at a moment. */
export interface PageMoment {
	readonly page: number;
	/** Seconds since this page came. */
	readonly seconds: number;
	/** Seconds this page is there. */
	readonly length: number;
	/** 1 while the page stays, falling to 0 as it leaves; the last page stays. */
	readonly presence: number;
}

/** Each page is there for at least about this long, so that a clip of a second has one. */
const shortestPage = 0.95;
const leaving = 0.16;

/** The most pages a clip of this many seconds can show. */
export function maxPages(duration: number): number {
	return Math.max(1, Math.floor(duration / shortestPage));
}

/** The page to be seen at a moment; all pages get the same time. */
export function pageAt(seconds: number, duration: number, pages: number): PageMoment {
	const length = duration / pages;
	const page = Math.min(pages - 1, Math.floor(seconds / length));
	const since = seconds - page * length;
	const isLast = page === pages - 1;
	const presence = isLast ? 1 : 1 - easeInOut(progressBetween(since, length - leaving, length));
	return { page, seconds: since, length, presence };
}

/** How far the unit with this number has come in, 0 to 1, when `count` units follow each other within `span` seconds. */
export function unitProgress(seconds: number, index: number, count: number, span: number): number {
	const each = Math.max(span * 0.45, 0.12);
	const start = count <= 1 ? 0 : ((span - each) * index) / (count - 1);
	// The first frame already shows something: players and galleries use it as the picture of the clip.
	return easeOut(progressBetween(seconds + 0.2, start, start + each));
}
