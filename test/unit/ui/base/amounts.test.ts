import { expect, test } from "vitest";
import { formatElapsed } from "../../../../src/shared/locale.ts";
import { formatSize, spokenElapsed } from "../../../../src/ui/base/amounts.ts";

test("elapsed time reads as a clock does", () => {
	expect([0, 7_400, 760_000, 11_100_000, 313_214_000].map(formatElapsed)).toEqual([
		"0:00",
		"0:07",
		"12:40",
		"3:05:00",
		"3 d 15 h",
	]);
});

test("elapsed time is spoken in its largest unit", () => {
	expect([1000, 7000, 60_000, 760_000, 3_600_000].map(spokenElapsed)).toEqual([
		"1 second",
		"7 seconds",
		"1 minute",
		"12 minutes",
		"1 hour",
	]);
});

test("sizes have two digits that count", () => {
	expect([12, 999, 1000, 812_000, 1_230_000, 2_500_000_000].map(formatSize)).toEqual([
		"12 bytes",
		"999 bytes",
		"1.0 KB",
		"812 KB",
		"1.2 MB",
		"2.5 GB",
	]);
});
