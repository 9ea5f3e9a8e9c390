import { expect, test } from "vitest";
import { createRandom } from "../../../helpers/random.ts";
import {
	isSceneDocument,
	readSceneDocument,
	writeSceneDocument,
	proposalQuestion,
	proposedDocument,
} from "../../../../src/video/storyboard/sceneDocument.ts";

test("any scenes come back from their document as they were, whatever their words look like", () => {
	for (let seed = 1; seed <= 300; seed += 1) {
		const random = createRandom(seed);
		const line = (): string =>
			random.pick([
				"--- Scene: 2 s, motion 3",
				"\\--- Scene: nothing",
				"\\\\---scene:",
				"--- Scenery",
				"```ts",
				"\tindented",
				"",
				"words",
				"😀 语",
			]);
		const scenes = Array.from({ length: 1 + random.below(12) }, () => ({
			prompt: [
				"first",
				...Array.from({ length: random.below(6) }, line),
				random.pick(["last", "--- scene : 9 s"]),
			].join("\n"),
			duration: 1 + random.below(4),
			motionStrength: 1 + random.below(5),
		}));
		const title = random.pick(["", "Billing", "--- Scene: 2 s", "Storyboard: 1"]);
		const text = writeSceneDocument(scenes, { title, isDrawn: false });
		expect(isSceneDocument(text)).toBe(true);
		expect(readSceneDocument(text, false)).toMatchObject({ title, scenes, faults: [] });
		expect(readSceneDocument(text.replaceAll("\n", "\r\n"), false).scenes, `seed ${seed}`).toEqual(
			scenes,
		);
	}
});

const drawn = { title: "Boats", isDrawn: true };
const boat = { prompt: "A boat", duration: 2, motionStrength: 3 };

test("the first line is the storyboard's title, and a motion is called as in the menus", () => {
	expect(writeSceneDocument([{ ...boat, motionStrength: 5 }, boat], drawn)).toBe(
		"Storyboard: Boats\n\n--- Scene: 2 s, typed\n\nA boat\n\n--- Scene: 2 s, calm\n\nA boat\n",
	);
	const lineOf = (prompt: string, motionStrength: number, isDrawn = true) =>
		writeSceneDocument([{ ...boat, prompt, motionStrength }], { title: "", isDrawn }).split(
			"\n",
		)[2];
	expect(lineOf("```diff\n-a\n+b\n```", 3)).toBe("--- Scene: 2 s, change");
	expect(lineOf("```ts {1}\na\nb\n```", 3)).toBe("--- Scene: 2 s, focus");
	expect(lineOf("```console\n$ ls\n```", 3)).toBe("--- Scene: 2 s, typed");
	expect(lineOf("A boat", 3, false)).toBe("--- Scene: 2 s, medium motion");
});

test.each([
	["calm", 2],
	["Typed", 5],
	["change", 4],
	["focus", 3],
	["very high motion", 5],
	["low", 2],
	["motion 4", 4],
	["motion 0", undefined],
	["wild", undefined],
])("a motion may be written as “%s”", (words, motionStrength) => {
	const { scenes } = readSceneDocument(`--- Scene 7: 2 s, ${words}\nA boat`, false);
	expect(scenes.map(scene => scene.motionStrength)).toEqual(
		motionStrength === undefined ? [] : [motionStrength],
	);
	expect(readSceneDocument("--- Scene: 2 s\nA boat", false).scenes).toEqual([boat]);
});

const faultsOf = (text: string) =>
	readSceneDocument(text, false).faults.map(({ startLine, message }) => [startLine, message]);

test("every fault is told at its line, with what to write, and its scene is not generated", () => {
	const text = [
		"Stray words",
		"--- Scene: 5 s, motion 3",
		"Too long",
		"--- Scene: 2 s, motion 0",
		"No motion",
		"--- Scene: two seconds",
		"In words",
		"--- Scene: 2 s, motion 3",
		"",
		"--- scene:1s,motion 5",
		"Good",
		"--- Scene: 2.5 s, motion 3",
		"Half",
	].join("\n");
	const write =
		"Write “--- Scene: 2 s, calm”: whole seconds from 1 to 4, then calm, typed, focus or change, or very low to very high motion.";
	expect(faultsOf(text)).toEqual([
		[0, "Begin with a line such as “--- Scene: 2 s, calm”."],
		[1, write],
		[3, write],
		[5, write],
		[7, "This scene has no words. Write some, or delete its line."],
		[11, write],
	]);
	expect(readSceneDocument(text, false).scenes).toEqual([
		{ prompt: "Good", duration: 1, motionStrength: 5 },
	]);
});

test("a scene that is drawn here lasts up to 12 seconds, any other up to 4", () => {
	const longestOf = (isDrawn: boolean) =>
		[4, 5, 12, 13].filter(
			seconds =>
				readSceneDocument(`--- Scene: ${seconds} s, calm\nA boat`, isDrawn).faults.length === 0,
		);
	expect(longestOf(true)).toEqual([4, 5, 12]);
	expect(longestOf(false)).toEqual([4]);
	const { faults } = readSceneDocument("--- Scene: 13 s, calm\nA boat", true);
	expect(faults[0]?.message).toContain("whole seconds from 1 to 12");
	expect(proposalQuestion("", 2, true)).toContain("1 to 12 whole seconds");
	expect(proposalQuestion("", 2, false)).toContain("1 to 4 whole seconds");
});

test("a document without a scene, with too many, or with one that is too long says so", () => {
	expect(faultsOf("")).toEqual([
		[0, "Add a scene: a line such as “--- Scene: 2 s, calm”, then its words."],
	]);
	const scene = "--- Scene: 1 s, motion 1\nWords\n";
	expect(faultsOf(scene.repeat(12))).toEqual([]);
	expect(faultsOf(scene.repeat(14))).toEqual([
		[24, "A storyboard has at most 12 scenes; this one has 14. Join or delete some."],
	]);
	expect(faultsOf(`--- Scene: 1 s, motion 1\n${"😀".repeat(4000)}`)).toEqual([]);
	expect(faultsOf(`--- Scene: 1 s, motion 1\n${"😀".repeat(4001)}`)).toEqual([
		[
			0,
			"This scene has 4001 characters; a video takes at most 4000. Shorten it, or begin another scene in it.",
		],
	]);
});

test("a document of its own is told from other Markdown", () => {
	expect(isSceneDocument("\n\n--- scene: anything\n")).toBe(true);
	expect(isSceneDocument("--- Scenes\n")).toBe(false);
	expect(isSceneDocument("Words\n--- Scene: 2 s, motion 3")).toBe(false);
	expect(isSceneDocument("\n# Storyboard: Boats\n\n--- Scene: 2 s")).toBe(true);
	expect(isSceneDocument("  Storyboard: Boats \r\n \r\n --- Scene: 2 s \r\n")).toBe(true);
	expect(isSceneDocument("Storyboard: a list of pictures\n\nWords")).toBe(false);
	expect(faultsOf("Storyboard: Boats\nStray\n--- Scene: 2 s\nWords")).toHaveLength(1);
});

const document = "--- Scene: 2 s, calm\n\nA boat\n\n--- Scene: 4 s, calm\n\nThe sea\n";
const titled = `Storyboard: Boats\n\n${document}`;

test("scenes are taken out of whatever a model writes around them", () => {
	for (const answer of [
		document,
		`Here are your scenes:\n\n${document}`,
		`Sure!\n\`\`\`markdown\n${document}\`\`\`\n\nAnything else?`,
		`~~~\n${document.replaceAll("\n", "\r\n")}~~~`,
	]) {
		expect(proposedDocument(answer, drawn), answer).toBe(titled);
	}
});

test("a scene's own code keeps its fences", () => {
	const code = "--- Scene: 2 s, typed\n\n```ts\ncharge();\n```\n";
	const expected = `Storyboard: Boats\n\n${code}`;
	expect(proposedDocument(code, drawn)).toBe(expected);
	expect(proposedDocument(`\`\`\`\`\n${code}\`\`\`\``, drawn)).toBe(expected);
});

test("faults are left for the user to see, and an answer without a scene is none", () => {
	const faulty = proposedDocument(`${document}\n--- Scene: 13 s, calm\n\nToo long\n`, drawn) ?? "";
	expect(readSceneDocument(faulty, true)).toMatchObject({
		title: "Boats",
		faults: [{ startLine: 10 }],
	});
	expect(proposedDocument("I can't do that.", drawn)).toBeUndefined();
	expect(proposedDocument("--- Scene: as long as you like\n", drawn)).toBeUndefined();
});

test("the question holds the whole text and the form of the answer", () => {
	const question = proposalQuestion("Once upon a time", 4, false);
	expect(question).toContain("<text>\nOnce upon a time\n</text>");
	expect(question).toContain("--- Scene: 2 s, high motion");
	expect(proposalQuestion("", 5, true)).toContain("--- Scene: 2 s, typed");
});
