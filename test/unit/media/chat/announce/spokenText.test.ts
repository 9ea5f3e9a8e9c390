import { expect, test } from "vitest";
import { spokenText } from "../../../../../media/chat/announce/announcement.ts";
import { cpuTimeOf } from "../../../../helpers/growth.ts";

test("Words are read without the signs of Markdown", () => {
	expect(
		spokenText(
			"## Result\n\n> It has **1,204 rows**, see [the file](https://example.com/a_b).\n\n- *first*\n- [x] `second_name`\n",
		),
	).toBe("Result It has 1,204 rows, see the file. first second_name");
});

test("Of code its length is announced", () => {
	expect(spokenText("Look:\n\n```ts\nlet a;\nlet b;\n```\n\nDone.")).toBe(
		"Look: Code, 2 lines. Done.",
	);
	expect(spokenText("~~~\nrun\n")).toBe("Code, 1 line.");
});

test("A table is read cell by cell", () => {
	expect(spokenText("| Month | Sales |\n|:--|--:|\n| May | 12 |")).toBe("Month Sales May 12");
});

test("Signs that stand for themselves stay", () => {
	expect(spokenText("2 * 3 is 6, and snake_case_name is a name")).toBe(
		"2 * 3 is 6, and snake_case_name is a name",
	);
});

test("Of a long message the beginning is read, also when it takes long to look at", () => {
	const spoken = spokenText("word ".repeat(1000));
	expect(spoken.length).toBeLessThanOrEqual(402);
	expect(spoken).toMatch(/word …$/);
	for (const hostile of ["*", "`", "[", "~~~\n", "|-", "> ", "- "]) {
		expect(cpuTimeOf(() => spokenText(hostile.repeat(1_000_000)))).toBeLessThan(300);
	}
});

test("A message without words says nothing", () => {
	expect(spokenText(" \n")).toBe("");
});
