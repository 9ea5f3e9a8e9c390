import { expect, test } from "vitest";
import { readRange } from "../../../../src/localService/video/byteRange.ts";

const file = { size: 1000, etag: '"v1"' };
const part = (start: number, end: number) => ({ type: "part", start, end });

test.each([
	["bytes=0-", part(0, 999)],
	["bytes=0-0", part(0, 0)],
	["bytes=500-", part(500, 999)],
	["bytes=10-19", part(10, 19)],
	["bytes=990-5000", part(990, 999)],
	["bytes=-1", part(999, 999)],
	["bytes=-5000", part(0, 999)],
	["bytes=1000-", { type: "unsatisfiable" }],
	["bytes=99999999999999999999-", { type: "unsatisfiable" }],
	["bytes=-0", { type: "unsatisfiable" }],
	["bytes=20-10", { type: "whole" }],
	["bytes=0-1,5-6", { type: "whole" }],
	["bytes=-", { type: "whole" }],
	["items=0-1", { type: "whole" }],
	["bytes=a-b", { type: "whole" }],
	[undefined, { type: "whole" }],
])("Range %s", (range, expected) => {
	expect(readRange(range, undefined, file)).toEqual(expected);
});

test("J16: If-Range with this version gives the part, with another the whole file", () => {
	expect(readRange("bytes=5-", '"v1"', file)).toEqual(part(5, 999));
	expect(readRange("bytes=5-", '"v2"', file)).toEqual({ type: "whole" });
	expect(readRange("bytes=5-", 'W/"v1"', file)).toEqual({ type: "whole" });
});

test("no part of an empty file can be had", () => {
	expect(readRange("bytes=0-", undefined, { size: 0, etag: '"e"' })).toEqual({
		type: "unsatisfiable",
	});
});
