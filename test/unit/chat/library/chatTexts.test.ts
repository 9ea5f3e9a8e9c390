import { expect, test } from "vitest";
import { titleOf } from "../../../../src/chat/library/chatTexts.ts";

test.each([
	["What is this?", "What is this?"],
	["\n  \n  Explain\tthis   code \nfor me", "Explain this code"],
	["x".repeat(60), "x".repeat(60)],
	["x".repeat(61), `${"x".repeat(59)}…`],
	["😀".repeat(70), `${"😀".repeat(59)}…`],
	["ten chars ".repeat(7), `${"ten chars ".repeat(6).slice(0, 59)}…`],
	[`${"x".repeat(58)} and more`, `${"x".repeat(58)}…`],
	[
		"My checkout charges twice when a user double-clicks the button. How do I prevent that?",
		"My checkout charges twice when a user double-clicks the…",
	],
	[
		"Charge an order only once. It is charged twice when the button is double-clicked, I think.",
		"Charge an order only once.",
	],
	[
		"Compare a.b and e.g. c.d in the file, and say which of them is the faster one, please",
		"Compare a.b and e.g. c.d in the file, and say which of them…",
	],
	[
		"カートの合計が二重に計算されます。" + "理由を教えてください。".repeat(6),
		"カートの合計が二重に計算されます。",
	],
	["   ", ""],
	["```python\nimport zlib\n```", "import zlib"],
	["~~~\n~~~", "~~~"],
	["/markdown", "/markdown"],
	["/usr/bin is full", "/usr/bin is full"],
	["Document the route /history", "Document the route /history"],
])("the title of %j is %j", (prompt, title) => {
	expect(titleOf(prompt)).toBe(title);
});

test("the place of a selection comes first, as many are asked about in the same words", () => {
	const title = titleOf("Explain the selected code.", "cart.ts:36-42");
	expect(title).toBe("cart.ts:36-42 · Explain the selected code.");
	expect(titleOf("What does a.ts:3 do?", "a.ts:3")).toBe("What does a.ts:3 do?");
});
