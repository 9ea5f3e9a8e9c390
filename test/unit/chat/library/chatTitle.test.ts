import { expect, test } from "vitest";
import { titleOf } from "../../../../src/chat/library/chatTitle.ts";

test.each([
	["What is this?", "What is this?"],
	["\n  \n  Explain\tthis   code \nfor me", "Explain this code"],
	["x".repeat(60), "x".repeat(60)],
	["x".repeat(61), `${"x".repeat(59)}…`],
	["😀".repeat(70), `${"😀".repeat(59)}…`],
	["ten chars ".repeat(7), `${"ten chars ".repeat(6).slice(0, 59)}…`],
	[`${"x".repeat(58)} and more`, `${"x".repeat(58)}…`],
	["   ", ""],
])("the title of %j is %j", (prompt, title) => {
	expect(titleOf(prompt)).toBe(title);
});
