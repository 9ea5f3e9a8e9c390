/** A range of turns; `to` is exclusive. */
export interface Stretch {
	readonly from: number;
	readonly to: number;
}

/** Parts of the list from top to bottom: turns, and gaps with the height of the turns they replace. */
export type WindowPiece =
	| { readonly kind: "turn"; readonly index: number }
	| ({ readonly kind: "gap"; readonly pixels: number } & Stretch);

/** The visible part of the list, in CSS pixels from its start. */
export interface Sight {
	readonly top: number;
	readonly bottom: number;
}

/** A chat with at most this many turns and this height is rendered completely, so that all features of the browser work on it. */
const wholeTurns = 20;
const wholePixels = 60_000;

/** Distance beyond the visible area in which turns are rendered, in view heights and at least in CSS pixels. */
const marginViews = 1.5;
const leastMargin = 1000;

/** Returns the turns between two heights; at least one if there is any. */
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
 * Returns the turns to render for a visible area, given the rendered ones. Changes in steps, so that scrolling renders several turns now and then
 * instead of one in every frame.
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

/** Returns the parts of the list for a range of turns and some turns outside it. Always includes the last turn. */
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

/** Converts a height when turns change theirs: to the same share of the same turn. */
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

/** Returns the total height of a range of turns, in CSS pixels. */
export function sum(heights: readonly number[], from: number, to: number): number {
	let pixels = 0;
	for (let index = from; index < to; index++) {
		pixels += heights[index] ?? 0;
	}
	return pixels;
}
