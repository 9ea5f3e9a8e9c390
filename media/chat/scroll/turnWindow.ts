/** A stretch of turns: from number `from` up to and without number `to`. */
export interface Stretch {
	readonly from: number;
	readonly to: number;
}

/** Pieces of the list, from top to bottom: turns, and gaps that are as high as the turns they stand for. */
export type WindowPiece =
	| { readonly kind: "turn"; readonly index: number }
	| ({ readonly kind: "gap"; readonly pixels: number } & Stretch);

/** Visible part of the list, in CSS pixels from its beginning. */
export interface Sight {
	readonly top: number;
	readonly bottom: number;
}

/** A chat of no more turns, and no higher, is shown whole: all that a browser can do with a page works on it. */
const wholeTurns = 20;
const wholePixels = 60_000;

/** How far beyond what can be seen turns are made, in heights of the view and at least in CSS pixels. */
const marginViews = 1.5;
const leastMargin = 1000;

/** The turns that are between two heights; at least one when there is any. */
export function turnRangeBetween(heights: readonly number[], { top, bottom }: Sight): Stretch {
	let from = -1;
	let end = 0;
	for (let index = 0; index < heights.length; index++) {
		const start = end;
		end += heights[index] ?? 0;
		if (from === -1 && end > top) {
			from = index;
		}
		if (index > 0 && start >= bottom && from !== -1) {
			return { from: Math.min(from, index - 1), to: index };
		}
	}
	return { from: from === -1 ? Math.max(0, heights.length - 1) : from, to: heights.length };
}

/**
 * The turns to be made when these can be seen and those of `current` are there. It changes in steps, so that scrolling
 * makes several turns now and then and not one at every frame.
 */
export function nextTurnRange(
	heights: readonly number[],
	sight: Sight,
	current: Stretch | undefined,
	marginFactor = 1,
): Stretch {
	if (heights.length <= wholeTurns && sum(heights, 0, heights.length) <= wholePixels) {
		return { from: 0, to: heights.length };
	}
	const view = sight.bottom - sight.top;
	const margin = Math.max(leastMargin, view * marginViews) * marginFactor;
	const needed = turnRangeBetween(heights, widen(sight, margin / 2));
	if (!current || current.from > needed.from || current.to < needed.to) {
		return turnRangeBetween(heights, widen(sight, margin));
	}
	const allowed = turnRangeBetween(heights, widen(sight, margin * 2));
	return {
		from: Math.max(current.from, allowed.from),
		to: Math.min(current.to, allowed.to, heights.length),
	};
}

function widen({ top, bottom }: Sight, margin: number): Sight {
	return { top: top - margin, bottom: bottom + margin };
}

/** The list for a stretch of turns and single ones outside of it; the last turn is always there. */
export function piecesOf(
	heights: readonly number[],
	{ from, to }: Stretch,
	kept: readonly number[],
): WindowPiece[] {
	const pieces: WindowPiece[] = [];
	const isShown = new Set(kept).add(heights.length - 1);
	for (let index = 0; index < heights.length;) {
		if ((index >= from && index < to) || isShown.has(index)) {
			pieces.push({ kind: "turn", index });
			index += 1;
			continue;
		}
		const start = index;
		while (index < heights.length && (index < from || index >= to) && !isShown.has(index)) {
			index += 1;
		}
		pieces.push({ kind: "gap", from: start, to: index, pixels: sum(heights, start, index) });
	}
	return pieces;
}

/** Where a height of a list is once its turns have other heights: at the same share of the same turn. */
export function translate(
	before: readonly number[],
	after: readonly number[],
	pixels: number,
): number {
	let [old, now] = [0, 0];
	for (const [index, height] of before.entries()) {
		const next = after[index] ?? 0;
		if (old + height > pixels) {
			return now + (height > 0 ? ((pixels - old) / height) * next : 0);
		}
		old += height;
		now += next;
	}
	return now + pixels - old;
}

/** How high the turns from one up to another are together, in CSS pixels. */
export function sum(heights: readonly number[], from: number, to: number): number {
	let pixels = 0;
	for (let index = from; index < to; index++) {
		pixels += heights[index] ?? 0;
	}
	return pixels;
}
