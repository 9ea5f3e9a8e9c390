import { describe, expect, test } from "vitest";
import {
	actionSeconds,
	autoSeconds,
	leadSeconds,
	markLater,
	readScene,
	scenesOf,
} from "../../../src/clip/clipLength.ts";

const fence = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\`\n`;
const lines = (count: number): string =>
	Array.from({ length: count }, (_, index) => `const value${index} = ${index};`).join("\n");

describe("the length that a text takes", () => {
	test("of prose is the time to read it and a rest, within 2 and 12 seconds", () => {
		expect(autoSeconds("Hello", 2)).toBe(2);
		expect(autoSeconds("A lighthouse at dusk, waves breaking slowly", 2)).toBe(3);
		expect(autoSeconds("word ".repeat(40), 2)).toBe(7);
		expect(autoSeconds("word ".repeat(400), 2)).toBe(12);
	});

	test.each([
		[1, 3],
		[3, 3],
		[10, 4],
		[14, 4],
		[20, 5],
		[24, 5],
		[30, 6],
		[45, 8],
		[60, 9],
		[400, 12],
	])("of %i rows of code is %i seconds, however long they are", (count, seconds) => {
		expect(autoSeconds(fence("ts", lines(count)), 2)).toBe(seconds);
		expect(autoSeconds(fence("ts", lines(count).replaceAll(";", " + 1; // more")), 2)).toBe(
			seconds,
		);
	});

	test("of typed code depends on its letters, and is 8 seconds at most", () => {
		expect(autoSeconds(fence("ts", lines(3)), 5)).toBe(3);
		expect(autoSeconds(fence("ts", lines(14)), 5)).toBe(6);
		expect(autoSeconds(fence("ts", lines(400)), 5)).toBe(8);
	});

	test("of lit lines is theirs alone, where the motion lights them", () => {
		const code = fence("ts {2}", lines(30));
		expect(autoSeconds(code, 3)).toBe(4);
		expect(autoSeconds(code, 1)).toBe(6);
		expect(autoSeconds(fence("ts {2-4,60}", lines(70)), 3)).toBe(6);
	});

	test("of a change grows with its changed rows, and by each further version", () => {
		const [one, two, three] = ["a", "b", "c"].map(name => fence("ts", `${name}();`));
		expect(autoSeconds(`${one}${two}`, 4)).toBe(4);
		expect(autoSeconds(`${one}${two}${three}`, 4)).toBe(6);
		const long = lines(12);
		expect(autoSeconds(`${fence("ts", long)}${fence("ts", long.replaceAll("=", "=="))}`, 4)).toBe(
			5,
		);
	});

	test("of a terminal is that of its commands, and of few seconds for each one's output", () => {
		expect(autoSeconds(fence("console", "$ npm test\n✓ one\n✓ two"), 3)).toBe(3);
		expect(autoSeconds(fence("console", `$ npm test\n${lines(30)}`), 3)).toBe(4);
		expect(autoSeconds(fence("console", `$ npm test -- ${"long ".repeat(60)}\n`), 3)).toBe(4);
	});

	test.each([1, 2, 3, 4, 12])("leaves a rest at the end of %i seconds", seconds => {
		const resting = seconds - leadSeconds - actionSeconds(seconds);
		expect(actionSeconds(seconds)).toBeGreaterThan(0);
		expect(resting).toBeGreaterThanOrEqual(seconds < 2 ? 0.25 : seconds === 2 ? 0.9 : 1.499);
	});
});

describe("scenes of a longer clip", () => {
	test("are at most four seconds, follow one another, and give the prompt back", () => {
		const scenes = scenesOf("A boat\n\non a river", 11);
		expect(scenes.map(({ duration }) => duration)).toEqual([4, 4, 3]);
		expect(scenes.map(({ prompt }) => readScene(prompt))).toEqual(
			[0, 4, 8].map(from => ({ prompt: "A boat\n\non a river", part: { from, of: 11 } })),
		);
	});

	test("are one where four seconds are enough", () => {
		expect(scenesOf("A boat", 3)).toEqual([{ prompt: "A boat", duration: 3 }]);
	});

	test("that follow another scene of a storyboard say so, and give the prompt back", () => {
		expect(readScene(markLater("A boat"))).toEqual({ prompt: "A boat", isLater: true });
		const [part] = scenesOf("A boat", 6);
		expect(readScene(markLater(`${part?.prompt}`))).toEqual({
			prompt: "A boat",
			part: { from: 0, of: 6 },
			isLater: true,
		});
	});

	test("a part that ends before it begins is text", () => {
		const text = "A boat\n<!-- clip: from 8 of 4 s -->";
		expect(readScene(text)).toEqual({ prompt: text });
	});
});
