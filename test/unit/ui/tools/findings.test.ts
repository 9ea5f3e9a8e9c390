import MarkdownIt from "markdown-it";
import { describe, expect, test } from "vitest";
import { findingsIn, onlyPlace, withHead } from "../../../../src/ui/tools/findings.ts";

/** Makes links of whatever the editor makes links of. */
const parser = new MarkdownIt({ html: true, linkify: true });

const places = (answer: string): string[] =>
	findingsIn(answer).map(({ path, line, endLine }) => `${path}:${line}-${endLine ?? line}`);

describe("The findings of a review", () => {
	test("are its list items that name a line, each with its text and its code, up to the closing words", () => {
		const answer = [
			"I found two things.",
			"",
			"1. **src/cart.ts:12-14** — the total is off by one.",
			"   See also `src/other.ts:3`.",
			"",
			"   ```ts",
			"   for (const item of items) {",
			"   \ttotal += item.price;",
			"   }",
			"   ```",
			"2. [High] `src/new.ts:1`: nothing uses it.",
			"   - Remove it, and src/new.test.ts:1.",
			"",
			"Otherwise it is fine.",
		].join("\n");
		const code = "for (const item of items) {\n\ttotal += item.price;\n}\n";
		expect(findingsIn(answer)).toEqual([
			{
				path: "src/cart.ts",
				line: 12,
				endLine: 14,
				text: `the total is off by one.\nSee also \`src/other.ts:3\`.\n\n\`\`\`ts\n${code}\`\`\``,
				fix: { text: code, info: "ts" },
			},
			{
				path: "src/new.ts",
				line: 1,
				text: "\\[High] `src/new.ts:1`: nothing uses it.\n- Remove it, and src/new.test.ts:1.",
			},
		]);
	});

	test("are its headings and its paragraphs as well", () => {
		expect(
			places("### 1. Wrong (`a/b.ts:3`)\n\nAs c.ts:4 is.\n\n- d.ts:5\n\n## Rest\n\n- e.ts:6"),
		).toEqual(["a/b.ts:3-3", "e.ts:6-6"]);
		expect(
			places("a.ts:1 is wrong.\n\nBad.\n\n**File:** `b.ts:2`\n\nIn this part of it c.ts:3 is.\n"),
		).toEqual(["a.ts:1-1", "b.ts:2-2"]);
		expect(findingsIn("Nothing is wrong with a.ts:1.")).toEqual([]);
		expect(findingsIn("```\n- a.ts:1\n```\n- none\n")).toEqual([]);
	});

	test("have no code to apply from a diff or for another file, and the last block of several", () => {
		const fixOf = (block: string) => findingsIn(`- a.ts:1 bad\n${block}`)[0]?.fix;
		expect(fixOf("```diff\n-x\n+y\n```")).toBeUndefined();
		expect(fixOf("```ts b.ts\ny\n```")).toBeUndefined();
		expect(fixOf("```ts\n// a.ts\ny\n```")).toEqual({ text: "y\n", info: "ts" });
		expect(fixOf("```ts\nx\n```\nInstead:\n~~~~ts\ny\n```\n~~~~")?.text).toBe("y\n```\n");
		expect(fixOf("```ts\nunclosed")?.text).toBe("unclosed\n");
	});

	test("T17 T20 T36 have no link and no image, whatever hides one, and show where they would lead", () => {
		const links = [
			"![x](https://a.example/?q)",
			"\\![x](https://a.example)",
			"\\\\[x](https://a.example)",
			"[x](file:///a.example)",
			"[x][y]\n  [y]: command:a.example",
			"<https://a.example>, <mailto:a@a.example>, \\<https://a.example> \\\\<https://a.example>",
			"https://a.example and HTTP://a.example, www.a.example, me@a.example",
			"`a` ![y](https://a.example) `",
			"``a` [y](https://a.example)`",
			"\\`a [y](https://a.example)`",
			"`a\r\r  [x](https://a.example)`",
			"`a\n  [x](https://a.example)`",
			"    ````\n    ![x](https://a.example)",
			"\n  - ~~~\n  ```\n  ~~~\n  ![x](https://a.example)\n  ```",
			"\n  - ```\n  ~~~\n  ```\n  ![x](https://a.example)\n  ~~~",
			"\n\n  a | b | c\n  --|---|--\n  `a | [x](https://a.example) | b`",
			"\n\n  > `[x](https://a.example) | b`\n  > :-:",
			"<a href='https://a.example'>x</a><img src=https://a.example>",
		];
		for (const link of links) {
			const text = findingsIn(`- a.ts:1 ${link}\n  ![x](https://a.example)`)[0]?.text ?? "";
			const page = parser.render(text);
			expect(page, `${link}\n${text}`).not.toMatch(/<(?:a|img)\b/);
			expect(page).toContain("a.example");
		}
		expect(findingsIn("- a.ts:1 WWW.a.example")[0]?.text).toBe("a.ts:1 WWW\\.a.example");
	});

	test("show code as it is written, in a line and in a block", () => {
		const line = "`vec![1]`, ``a`![0]``, `<T>`, `~~`, `a || b` and `https://a.example`";
		expect(findingsIn(`- a.ts:1 ${line}`)[0]?.text).toBe(`a.ts:1 ${line}`);
		const [fenced] = findingsIn("- a.ts:1\n  ~~~\n  ````\n  ![x](https://a.example)\n  ~~~\n");
		expect(fenced?.text).toBe("`````\n````\n![x](https://a.example)\n`````");
	});

	test("T30 show hidden characters by their codes, and apply none", () => {
		const [finding] = findingsIn("- a.ts:1 is \u{E0041}\u{E0042}bad\n  ```\n  x\u202Ey\n  ```\n");
		expect(finding?.text).toBe("a.ts:1 is ␣U+E0041…×2bad\n```\nx␣U+202Ey\n```");
		expect(finding?.fix?.text).toBe("xy\n");
	});

	test("are bounded, and found in linear time in whatever text", () => {
		expect(findingsIn("- a.ts:1\n".repeat(500))).toHaveLength(100);
		expect(findingsIn(`- a.ts:1 ${"x\n  ".repeat(50_000)}`)[0]?.text.length).toBeLessThan(20_000);
		for (const piece of ["`", "- ", "a.ts:1 ", "!", " a ", "\n```", "\n!! a", "#", "\t"]) {
			expect(findingsIn(piece.repeat(75_000 / piece.length)).length).toBeLessThanOrEqual(100);
		}
	});
});

test("Lines are found where they are now, and nowhere if they changed or are in two places", () => {
	expect(onlyPlace("new\na\n}\nb\n}\n", "b\n}")).toBe(3);
	expect(onlyPlace("new\r\na\r\n}", "a\n}")).toBe(1);
	expect(onlyPlace("a\n}\nb\n}\n", "}")).toBeUndefined();
	expect(onlyPlace("a\nbc\n", "b")).toBeUndefined();
});

test("T45: the place of many lines that are alike is found in time", () => {
	expect(onlyPlace("\n".repeat(150_000), "\n".repeat(75_000))).toBeUndefined();
	expect(onlyPlace(`${"\n".repeat(150_000)}x`, `${"\n".repeat(75_000)}x`)).toBe(75_000);
});

test.each([
	["- src/a.ts:2: Wrong total. It adds twice.", "**Wrong total.** It adds twice."],
	["### `src/a.ts:2`\n\nWrong total.", "**Wrong total.**"],
	["1. **src/a.ts:2**\n   Wrong total. Twice.", "**Wrong total.** Twice."],
	["- **src/a.ts:2 — Wrong total.** It adds twice.", "**Wrong total.** It adds twice."],
	["- src/a.ts:2 - Use `a. b` here, not `c`.", "**Use `a. b` here, not `c`.**"],
	["- src/a.ts:2: no end of a sentence", "**no end of a sentence**"],
])("A finding of %j begins with its first sentence and without its place", (answer, head) => {
	const [finding] = findingsIn(answer);
	expect(finding?.line).toBe(2);
	expect(withHead(finding?.text ?? "")).toBe(head);
});
