import { expect, test } from "vitest";
import { markHidden, withoutHidden, withoutMarks } from "../../../src/common/hiddenText.ts";

test.each([
	["emoji of a family, of flags and of a part of a country", "👨‍👩‍👧‍👦 🏳️‍🌈 ❤️‍🔥 👩🏽‍💻 🏴󠁧󠁢󠁳󠁣󠁴󠁿 1️⃣ #️⃣ ©️ ‼️"],
	["Persian with non-joiners", "می‌خواهم خانه‌ها را ببینم"],
	["Hindi, Bengali, Malayalam and Sinhala with joiners", "क्‍ष র‍্য ന്‍ ක්‍ෂ"],
	["a Han letter and its variant", "葛󠄀城"],
	["Hebrew with a direction mark", "C#\u200F היא שפה\u200F. (א)\u200E"],
	["lines and tabs", "a\r\n\tb\n"],
	["icons of a private use area", "\uE0B0 main \uF126"],
])("%s: nothing is hidden", (_name, text) => {
	expect([markHidden(text), withoutHidden(text)]).toEqual([{ text, count: 0 }, text]);
});

const tags = "\u{E0049}\u{E0047}\u{E004E}\u{E004F}\u{E0052}\u{E0045}";

test.each([
	["tags", `a${tags}b`, "a␣U+E0049…×6b", 6],
	["an override and its end", "a\u202Ecba\u202C", "a␣U+202Ecba␣U+202C", 2],
	["isolates", "\u2066a\u2069", "␣U+2066a␣U+2069", 2],
	["a run of no width", "a\u200B\u200C\u200D\u2060\uFEFFb", "a␣U+200B…×5b", 5],
	["tags behind a flag that spell", `🏴${tags}`, "🏴␣U+E0049…×6", 6],
])("T30: %s: hidden characters are counted, marked and left out", (_name, text, shown, count) => {
	expect(markHidden(text)).toEqual({ text: shown, count });
	expect(withoutMarks(shown)).toBe(withoutHidden(text));
	expect(markHidden(withoutHidden(text)).count).toBe(0);
});

test("what comes before a text decides about its first characters", () => {
	expect(markHidden("\uFE0F\u200D💻", "👩")).toEqual({ text: "\uFE0F\u200D💻", count: 0 });
	expect(markHidden("\u200B\u200Bb", "a\u200B")).toEqual({ text: "␣U+200B…×2b", count: 2 });
});
