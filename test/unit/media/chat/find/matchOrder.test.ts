import { expect, test } from "vitest";
import { firstMatch, adjacentMatch, numberOf } from "../../../../../media/chat/find/matchOrder.ts";

const ids = ["a", "b", "c", "d"];
const counts = new Map([
	["a", 0],
	["b", 2],
	["d", 1],
]);

test("The first match is the next one from where the reader is, and past the end the first of all", () => {
	expect(firstMatch(ids, counts, 0)).toEqual({ turnId: "b", ordinal: 0 });
	expect(firstMatch(ids, counts, 2)).toEqual({ turnId: "d", ordinal: 0 });
	expect(firstMatch(ids, new Map([["a", 1]]), 3)).toEqual({ turnId: "a", ordinal: 0 });
	expect(firstMatch(ids, new Map(), 0)).toBeUndefined();
});

test("Going on visits every match once, and then starts over, in both directions", () => {
	for (const direction of [1, -1] as const) {
		let place = { turnId: "b", ordinal: 0 };
		const visited: string[] = [];
		for (let step = 0; step < 4; step++) {
			visited.push(`${place.turnId}${place.ordinal}`);
			place = adjacentMatch(ids, counts, place, direction) ?? place;
		}
		expect(visited).toEqual(direction === 1 ? ["b0", "b1", "d0", "b0"] : ["b0", "d0", "b1", "b0"]);
	}
});

test("A match that is the only one is its own neighbor", () => {
	const one = new Map([["c", 1]]);
	expect(adjacentMatch(ids, one, { turnId: "c", ordinal: 0 }, 1)).toEqual({
		turnId: "c",
		ordinal: 0,
	});
	expect(adjacentMatch(ids, one, { turnId: "c", ordinal: 0 }, -1)).toEqual({
		turnId: "c",
		ordinal: 0,
	});
});

test("A match is numbered among all, never beyond them", () => {
	expect(numberOf(ids, counts, { turnId: "d", ordinal: 0 })).toEqual({ current: 3, total: 3 });
	expect(numberOf(ids, counts, { turnId: "d", ordinal: 7 })).toEqual({ current: 3, total: 3 });
	expect(numberOf(ids, counts, undefined)).toEqual({ current: 0, total: 3 });
});
