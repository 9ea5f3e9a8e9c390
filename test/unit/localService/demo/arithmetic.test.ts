import { describe, expect, test } from "vitest";
import { calculate, formatNumber } from "../../../../src/localService/demo/arithmetic.ts";

describe("a sum", () => {
	test.each([
		["1+2", 3],
		["2 + 3 * 4", 14],
		["(2 + 3) * 4", 20],
		["10 - 4 - 3", 3],
		["100 / 10 / 5", 2],
		["17 % 5", 2],
		["2 ^ 3 ^ 2", 512],
		["2 ** 10", 1024],
		["-2 ^ 2", -4],
		["2 ^ -1", 0.5],
		["--3 + +4", 7],
		["-(1 + 2) * -3", 9],
		["12.5 * (3 + 4)", 87.5],
		[".5 + 1e3", 1000.5],
		["6 × 7 ÷ 2 − 1", 20],
		["((((1)))) + 1", 2],
	])("%s = %d", (text, value) => {
		expect(calculate(text)).toEqual({ isNumber: true, value });
	});

	test.each(["1 / 0", "-1 / 0", "0 / 0", "5 % 0", "9 ^ 9 ^ 9", "(-1) ^ 0.5"])(
		"%s has no result and says so",
		text => {
			expect(calculate(text)).toMatchObject({ isNumber: false });
		},
	);

	test.each([
		"",
		"42",
		"hello",
		"1 +",
		"* 2",
		"(1 + 2",
		"1 + 2)",
		"()",
		"1 2 + 3",
		"2(3)",
		"1 + x",
		"process.exit(1)",
		"1..2 + 1",
		"alert(1) + 1",
		"2026-11-20 or later",
		`${"(".repeat(150)}1`,
		`1${"+1".repeat(150)}`,
	])("%j is none", text => {
		expect(calculate(text)).toBeUndefined();
	});
});

test.each([
	[0.1 + 0.2, "0.3"],
	[1 / 3, "0.333333333333"],
	[1_234_567.5, "1,234,567.5"],
	[-0, "-0"],
	[2 ** 70, "1,180,591,620,720,000,000,000"],
])("%d is written %s", (value, text) => {
	expect(formatNumber(value)).toBe(text);
});
