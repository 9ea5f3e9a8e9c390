import { expect, test } from "vitest";
import {
	nextTurnRange,
	piecesOf,
	type Stretch,
	turnRangeBetween,
	translate,
} from "../../../../../media/chat/scroll/turnWindow.ts";
import { createRandom } from "../../../../helpers/random.ts";

const heightsOf = (count: number, height = 100): number[] =>
	Array.from({ length: count }, () => height);

test("The turns between two heights are those that touch them, and at least one", () => {
	const heights = heightsOf(10);
	expect(turnRangeBetween(heights, { top: 250, bottom: 400 })).toEqual({ from: 2, to: 4 });
	expect(turnRangeBetween(heights, { top: 250, bottom: 401 })).toEqual({ from: 2, to: 5 });
	expect(turnRangeBetween(heights, { top: -500, bottom: -100 })).toEqual({ from: 0, to: 1 });
	expect(turnRangeBetween(heights, { top: 5000, bottom: 6000 })).toEqual({ from: 9, to: 10 });
	expect(turnRangeBetween([], { top: 0, bottom: 100 }).to).toBe(0);
});

test("A chat of few turns is whole on the page, wherever the reader is", () => {
	expect(nextTurnRange(heightsOf(20), { top: 0, bottom: 700 }, undefined)).toEqual({
		from: 0,
		to: 20,
	});
});

test("A chat of few turns that are very high is not", () => {
	const { from, to } = nextTurnRange(heightsOf(20, 10_000), { top: 0, bottom: 700 }, undefined);
	expect([from, to]).toEqual([0, 1]);
});

test("Of a long chat the turns on and near the screen are on the page", () => {
	const sight = { top: 99_300, bottom: 100_000 };
	const { from, to } = nextTurnRange(heightsOf(1000), sight, undefined);
	expect(to).toBe(1000);
	expect(from).toBeGreaterThan(975);
	expect(from).toBeLessThan(993);
});

test("Scrolling a little changes nothing, so that not every frame makes a turn", () => {
	const heights = heightsOf(1000);
	let current: Stretch | undefined;
	let changes = 0;
	for (let top = 50_000; top > 40_000; top -= 100) {
		const next = nextTurnRange(heights, { top, bottom: top + 700 }, current);
		changes += next.from === current?.from && next.to === current.to ? 0 : 1;
		current = next;
	}
	expect(changes).toBeLessThan(25);
});

test("Whatever is scrolled, measured and added, what can be seen is on the page and the rest is bounded", () => {
	const random = createRandom(7);
	const heights = heightsOf(300);
	let current: Stretch | undefined;
	let top = 0;
	for (let step = 0; step < 3000; step++) {
		const kind = random.below(4);
		if (kind === 0) {
			heights[random.below(heights.length)] = 20 + random.below(2000);
		} else if (kind === 1) {
			heights.push(50 + random.below(500));
		} else {
			top = Math.max(0, top + random.below(4000) - 2000);
		}
		const sight = { top, bottom: top + 700 };
		const seen = turnRangeBetween(heights, sight);
		current = nextTurnRange(heights, sight, current);
		expect(current.from).toBeLessThanOrEqual(seen.from);
		expect(current.to).toBeGreaterThanOrEqual(seen.to);
		const shown = heights.slice(current.from + 1, current.to - 1);
		expect(shown.reduce((all, height) => all + height, 0)).toBeLessThan(700 + 4 * 1050 + 1);
	}
});

test("Pieces hold every turn once, in order, and gaps are as high as what they stand for", () => {
	const heights = Array.from({ length: 100 }, (_, index) => index);
	const pieces = piecesOf(heights, { from: 40, to: 43 }, [10, 41]);
	expect(pieces).toEqual([
		{ kind: "gap", from: 0, to: 10, pixels: 45 },
		{ kind: "turn", index: 10 },
		{ kind: "gap", from: 11, to: 40, pixels: 725 },
		{ kind: "turn", index: 40 },
		{ kind: "turn", index: 41 },
		{ kind: "turn", index: 42 },
		{ kind: "gap", from: 43, to: 99, pixels: 3948 },
		{ kind: "turn", index: 99 },
	]);
});

test("A place stays at its share of its turn when heights become known", () => {
	expect(translate([100, 100, 100], [300, 50, 100], 150)).toBe(325);
	expect(translate([100, 0, 100], [300, 50, 100], 100)).toBe(350);
	expect(translate([100], [300], 180)).toBe(380);
	expect(translate([], [], 7)).toBe(7);
});

test("The last turn is always there, so that what streams and what asks for approval is not made again", () => {
	expect(piecesOf(heightsOf(50), { from: 0, to: 5 }, []).at(-1)).toEqual({
		kind: "turn",
		index: 49,
	});
	expect(piecesOf([], { from: 0, to: 0 }, [])).toEqual([]);
});
