import { expect, test } from "vitest";
import {
	proposalQuestion,
	proposedDocument,
} from "../../../../src/video/storyboard/sceneProposal.ts";
import { readSceneDocument } from "../../../../src/video/storyboard/sceneDocument.ts";

const document = "--- Scene: 2 s, motion 3\n\nA boat\n\n--- Scene: 4 s, motion 1\n\nThe sea\n";

test("scenes are taken out of whatever a model writes around them", () => {
	for (const answer of [
		document,
		`Here are your scenes:\n\n${document}`,
		`Sure!\n\`\`\`markdown\n${document}\`\`\`\n\nAnything else?`,
		`~~~\n${document.replaceAll("\n", "\r\n")}~~~`,
	]) {
		expect(proposedDocument(answer), answer).toBe(document);
	}
});

test("a scene's own code keeps its fences", () => {
	const code = "--- Scene: 2 s, motion 5\n\n```ts\ncharge();\n```\n";
	expect(proposedDocument(code)).toBe(code);
	expect(proposedDocument(`\`\`\`\`\n${code}\`\`\`\``)).toBe(code);
});

test("faults are left for the user to see, and an answer without a scene is none", () => {
	const faulty = proposedDocument(`${document}\n--- Scene: 9 s, motion 3\n\nToo long\n`) ?? "";
	expect(readSceneDocument(faulty).faults).toHaveLength(1);
	expect(proposedDocument("I can't do that.")).toBeUndefined();
	expect(proposedDocument("--- Scene: as long as you like\n")).toBeUndefined();
});

test("the question holds the whole text and the form of the answer", () => {
	const question = proposalQuestion("Once upon a time", 4);
	expect(question).toContain("<text>\nOnce upon a time\n</text>");
	expect(question).toContain("--- Scene: 2 s, motion 4");
});
