import { expect, test } from "vitest";
import { oneLine, shorten, startOf } from "../../../src/common/shortText.ts";

test("a text is shortened only beyond its limit, without blanks before the end", () => {
	expect(shorten("four", 4)).toBe("four");
	expect(shorten("a longer text", 9)).toBe("a longer…");
});

test("no cut splits a character of two code units", () => {
	expect(startOf("ab😀", 3)).toBe("ab");
	expect(startOf("ab😀", 4)).toBe("ab😀");
	expect(shorten("ab😀 and more", 3)).toBe("ab…");
	expect(oneLine(`${"x".repeat(199)}😀 more`)).toBe(`${"x".repeat(199)}…`);
});

test("a text of several lines becomes one", () => {
	expect(oneLine("  two\r\n\tlines ")).toBe("two lines");
});
