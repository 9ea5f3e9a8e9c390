import { expect, test } from "vitest";
import type { TurnView } from "../../../../../src/shared/chat.ts";
import { TurnHeights } from "../../../../../media/chat/scroll/turnHeights.ts";
import { messageOf, turnOf } from "../../../../webview/states.ts";

const turnsOf = (...lengths: readonly number[]): TurnView[] =>
	lengths.map((length, index) =>
		turnOf("", [messageOf("x".repeat(length))], { id: `turn-${index}` }),
	);

test("A longer turn is expected to be higher", () => {
	const [short = 0, long = 0] = new TurnHeights().of(turnsOf(10, 10_000));
	expect(short).toBeGreaterThan(50);
	expect(long).toBeGreaterThan(10 * short);
});

test("A turn that was measured has its height, and the others are expected in proportion", () => {
	const heights = new TurnHeights();
	const turns = turnsOf(1000, 1000, 1000);
	const [before = 0] = heights.of(turns);
	heights.measure([{ turnId: "turn-1", height: before * 2 }], 400);
	expect(heights.of(turns)).toEqual([before * 2, before * 2, before * 2]);
});

test("In another width, turns that are not on the page change as those that are", () => {
	const heights = new TurnHeights();
	const turns = turnsOf(1000, 1000);
	heights.measure(
		[
			{ turnId: "turn-0", height: 300 },
			{ turnId: "turn-1", height: 500 },
		],
		400,
	);
	heights.measure([{ turnId: "turn-1", height: 1000 }], 200);
	expect(heights.of(turns)).toEqual([600, 1000]);
});

test("Another chat begins with nothing measured", () => {
	const heights = new TurnHeights();
	const turns = turnsOf(1000);
	const before = heights.of(turns);
	heights.measure([{ turnId: "turn-0", height: 7 }], 400);
	heights.forget();
	expect(heights.of(turns)).toEqual(before);
});
