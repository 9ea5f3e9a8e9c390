import { expect, test } from "vitest";
import { promptText, promptTitle } from "../../../../src/video/job/clipName.ts";

test("prose is named by its heading, without the sentence below it", () => {
	const text = "# Corner Roastery\n\nA small shop that sells beans.";
	expect(promptTitle(text)).toBe("Corner Roastery");
	expect(promptTitle("## Corner Roastery\nA small shop that sells beans.")).toBe("Corner Roastery");
	expect(promptTitle("Corner Roastery\n\nA small shop that sells beans.")).toBe("Corner Roastery");
	expect(promptText(text, 100)).toBe("Corner Roastery A small shop that sells beans.");
});

test("prose without a heading is named by its first words, to the end of one", () => {
	const text = "The orders of a day are **grouped** by customer, so that one parcel is enough.";
	expect(promptTitle(text)).toBe("The orders of a day are grouped by…");
	expect(promptTitle(text, 48)).toBe("The orders of a day are grouped by customer, so…");
	expect(promptTitle(text, 46)).toBe("The orders of a day are grouped by customer…");
	expect(promptTitle("- [ ] Write the report")).toBe("Write the report");
});

test("a title is one line and says when it goes on", () => {
	expect(promptTitle("two\n  lines\tof text")).toBe("two lines of text");
	expect(promptTitle("x".repeat(100), 10)).toBe(`${"x".repeat(9)}…`);
	expect([...promptTitle("🚣".repeat(100), 10)]).toHaveLength(10);
});

test("a title leaves out what marks a heading, a list or a comment, and is never empty for it", () => {
	expect(promptTitle("# The **Corner** Roastery")).toBe("The Corner Roastery");
	expect(promptTitle("// a boat\n// a river")).toBe("a boat // a river");
	expect(promptTitle("- item")).toBe("item");
	expect(promptTitle("###")).not.toBe("");
});

test("a title of code is no fence and no comment", () => {
	expect(promptTitle("```ts\n// Runs late.\n/* All\n of it. */\nrun(late);\n```")).toBe(
		"run(late);",
	);
	expect(promptTitle("Runs late\n```ts\nrun(late);\n```")).toBe("Runs late");
});
