import { describe, expect, test } from "vitest";
import { wrap } from "../../../../../media/video/export/captionPainter.ts";

const widthOf = (text: string): number => text.length;

describe("words are wrapped into lines of about one length", () => {
	test.each([
		["one two three four", 40, ["one two three four"]],
		["one two three four five six", 20, ["one two three", "four five six"]],
		["aaaaaaaaaaaaaaa", 6, ["aaaaa", "aaaaa", "aaaaa"]],
		["", 10, []],
	])("%s in %i", (text, room, lines) => {
		expect(wrap(text, room, widthOf)).toEqual(lines);
	});

	test("none is wider than the room, and no word is lost", () => {
		const text = "Every window of the editor saves its chats and videos before it says so.";
		for (let room = 8; room < 80; room++) {
			const lines = wrap(text, room, widthOf);
			expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(room);
			expect(lines.join(" ")).toBe(text);
		}
	});
});
