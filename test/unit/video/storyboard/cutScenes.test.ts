import { expect, test } from "vitest";
import { createRandom, type Random } from "../../../helpers/random.ts";
import { autoSeconds } from "../../../../src/clip/clipLength.ts";
import { cutScenes, secondsFor } from "../../../../src/video/storyboard/cutScenes.ts";

const runs = process.env["CUTAWAY_FUZZ"] === undefined ? 80 : 2_000;

/** What a text says, without white space and without the lines that open and close code, which a cut repeats. */
function saying(text: string): string {
	return text
		.split(/\r?\n/)
		.filter(line => !/^ {0,3}(?:`{3}|~{3})/.test(line))
		.join("")
		.replaceAll(/\s+/g, "");
}

let counter = 0;
/** A word that no other word is equal to, of any script. */
const word = (random: Random): string =>
	`${random.pick(["word", "слово", "語", "😀", "a", "naïve"])}${(counter += 1)}`;

function sentence(random: Random): string {
	const words = Array.from({ length: 1 + random.below(30) }, () => word(random));
	return `${words.join(random.pick([" ", " ", "  ", "\n"]))}${random.pick([".", "!", "。", ""])}`;
}

function block(random: Random): string {
	const mark = random.pick(["```", "~~~~"]);
	const code = (lines: number): string =>
		Array.from({ length: lines }, () => `\t${word(random)}(${word(random)});`).join(
			random.pick(["\n", "\n\n"]),
		);
	return random.pick([
		() => `${random.pick(["#", "##", "######"])} ${word(random)}`,
		() => Array.from({ length: 1 + random.below(12) }, () => sentence(random)).join(" "),
		() =>
			`${mark}${random.pick(["ts", " js", "ts {1-3}", ""])}\n${code(1 + random.below(20))}\n${mark}`,
		() => `${mark}py\n${code(random.below(400))}\n${mark}`,
		() => `- ${word(random)}\n- ${word(random)}`,
		() => Array.from({ length: random.below(900) }, () => word(random)).join(""),
	])();
}

function anyText(random: Random): string {
	const blocks = Array.from({ length: random.below(50) }, () => block(random));
	const gap = (): string => random.pick(["\n\n", "\n", "\r\n\r\n", "\n \n\t\n\n"]);
	return blocks.map(part => part + gap()).join("") + random.pick(["", "```ts\nunclosed();", "  "]);
}

test("every word of any text is in one scene, in order; no scene is empty, over 4000 characters, or outside of 1 to 4 s, and there are at most 12", () => {
	let cut = 0;
	let tooLong = 0;
	for (let run = 0; run < runs; run += 1) {
		const random = createRandom(run + 1);
		const text = anyText(random);
		const scenes = cutScenes(text, 3);
		if (!scenes) {
			tooLong += 1;
			expect([...text].length, `seed ${run + 1}`).toBeGreaterThan(36_000);
			continue;
		}
		cut += 1;
		const told = scenes.map(({ prompt }) => saying(prompt)).join("");
		expect(told, `seed ${run + 1}`).toBe(saying(text));
		expect(scenes.length, `seed ${run + 1}`).toBeLessThanOrEqual(12);
		for (const { prompt, duration } of scenes) {
			expect(saying(prompt), `seed ${run + 1}`).not.toBe("");
			expect([...prompt].length, `seed ${run + 1}`).toBeLessThanOrEqual(4000);
			expect([1, 2, 3, 4]).toContain(duration);
			expect(prompt.isWellFormed(), `seed ${run + 1}`).toBe(true);
		}
	}
	// Both ways were met, so that neither assertion is idle.
	expect(cut).toBeGreaterThan(runs / 3);
	expect(tooLong).toBeGreaterThan(0);
});

test("a heading goes with what follows it, and code is a scene of its own", () => {
	const text =
		"# Billing\n\nWe charge once.\n\n## Code\n\n```ts\ncharge();\n\nlog();\n```\n\nThen we tell the user.\n";
	expect(cutScenes(text, 2)?.map(({ prompt }) => prompt)).toEqual([
		"# Billing\n\nWe charge once.",
		"## Code\n\n```ts\ncharge();\n\nlog();\n```",
		"Then we tell the user.",
	]);
});

test("code that is too long for one scene is cut between lines, and each part is code of the same language", () => {
	const lines = Array.from({ length: 300 }, (_, index) => `const value${index} = compute();`);
	const scenes = cutScenes(`\`\`\`ts {3-5}\n${lines.join("\n")}\n\`\`\``, 3) ?? [];
	expect(scenes.length).toBeGreaterThan(1);
	for (const { prompt } of scenes) {
		expect(prompt).toMatch(/^```ts(?: \{3-5\})?\nconst [\s\S]*compute\(\);\n```$/);
	}
});

test("short neighbors come together when there are more than 12, those below one heading first", () => {
	const sections = Array.from(
		{ length: 4 },
		(_, section) => `## Part ${section}\n\n${["one", "two", "three", "four"].join("\n\n")}`,
	);
	const scenes = cutScenes(sections.join("\n\n"), 3) ?? [];
	expect(scenes).toHaveLength(12);
	expect(scenes.filter(({ prompt }) => prompt.slice(1).includes("\n## Part"))).toEqual([]);
});

test("a text of nothing but white space has no scenes, and one that is far too long is not cut", () => {
	expect(cutScenes(" \n\n\t\n", 3)).toEqual([]);
	expect(cutScenes("a".repeat(97_000), 3)).toBeUndefined();
});

test("a scene lasts as long as its words take to be read", () => {
	expect([secondsFor("Short"), secondsFor("a".repeat(31)), secondsFor("a".repeat(4000))]).toEqual([
		1, 3, 4,
	]);
});

test("scenes that are drawn here are as long as their text takes to be read, up to 12 seconds, so that none is too short", () => {
	const text = `Then we tell the customer.\n\n${"A long paragraph. ".repeat(20)}`;
	const seconds = (isDrawn: boolean) =>
		cutScenes(text, 3, isDrawn)?.map(({ duration }) => duration);
	expect(autoSeconds("Then we tell the customer.", 3)).toBe(2);
	expect(seconds(true)).toEqual([2, 10]);
	expect(seconds(false)).toEqual([2, 4]);
});
