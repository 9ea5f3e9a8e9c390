import { tokensOfChange } from "./plainTokens.ts";
import { expect, test } from "vitest";
import { compareCode } from "../../../../../src/clip/changeLines.ts";
import { layOutChange } from "../../../../../src/localService/video/layout/changeLayout.ts";
import { breakLine } from "../../../../../src/localService/video/layout/codeLayout.ts";
import { highlightCode } from "../../../../../src/localService/video/layout/highlightCode.ts";
import { columnsOf, expandTabs, wholeColumns } from "../../../../../src/clip/columns.ts";
import { readTerminal, terminalAt } from "../../../../../src/clip/terminalLines.ts";
import { createRandom } from "../../../../helpers/random.ts";
import { mono } from "../render/drawnTexts.ts";

test.each([
	["plain text", 10],
	["漢字", 4],
	["ｆｕｌｌ", 8],
	["한글", 4],
	["ﾊﾝｶｸ", 4],
	["😀🚀", 4],
	["e\u0301a", 2],
	["น้ำ", 2],
	["שלום", 4],
	["│→⇒", 3],
	["", 0],
])("«%s» takes %i columns", (text, columns) => {
	expect(columnsOf(text)).toBe(columns);
});

test("a tab behind wide letters goes to the next stop, as in the editor", () => {
	expect(expandTabs("漢\tx", 4)).toBe("漢  x");
	expect(expandTabs("漢字\tx", 4)).toBe("漢字    x");
});

test("no letter and no operator is shown in part", () => {
	expect([1, 2, 3, 4].map(columns => wholeColumns("漢字", columns))).toEqual([0, 2, 2, 4]);
	expect([0, 1, 2, 3, 4].map(columns => wholeColumns("a=>b", columns))).toEqual([0, 1, 1, 3, 4]);
	expect(wholeColumns("});", 1)).toBe(1);
	expect(wholeColumns("----------", 6)).toBe(4);
});

test("every row of a line with wide letters and marks fits its columns, and no letter is lost or parted from its mark", () => {
	const random = createRandom(7).next;
	for (let round = 0; round < 200; round += 1) {
		const line = Array.from(
			{ length: 60 },
			() => ["a", " ", "漢", "e\u0301", "😀", "="][Math.floor(random() * 6)] ?? "",
		)
			.join("")
			.trim();
		const [tokens = []] = highlightCode([line], "ts");
		const rows = breakLine(tokens, 1, 20);
		const texts = rows.map(row => row.tokens.map(({ text }) => text).join(""));
		expect(texts.every(text => columnsOf(text) <= 20)).toBe(true);
		expect(rows.map(({ columns }) => columns)).toEqual(texts.map(columnsOf));
		expect(texts.filter(text => /^\s*\p{M}/u.test(text))).toEqual([]);
		expect(texts.join("").replaceAll(" ", "")).toBe(line.replaceAll(" ", ""));
	}
});

test("what comes behind wide letters in a change is where it should be", () => {
	const change = compareCode('f("灯塔", one);', 'f("灯塔", other);');
	const { pages } = layOutChange([tokensOfChange(change?.lines ?? [], "ts")], {
		room: { width: 800, height: 400 },
		mono,
		most: 2,
	});
	expect(pages[0]?.leaving.find(({ text }) => text === "one")?.column).toBe(10);
	expect(pages[0]?.arriving.find(({ text }) => text === "other")?.column).toBe(10);
});

test("an operator moves as one piece, for its signs may be drawn as one", () => {
	const change = compareCode("const f = a => a;", "const f = (a, b) => a + b;");
	const { pages } = layOutChange([tokensOfChange(change?.lines ?? [], "ts")], {
		room: { width: 800, height: 400 },
		mono,
		most: 2,
	});
	const moved = pages.flatMap(({ moves }) => moves.map(({ to }) => to.text));
	expect(moved).toContain("=>");
	expect(moved).not.toContain(">");
});

test("a command with wide letters is shown up to the letter that is typed", () => {
	const [line, ...more] = readTerminal("$ 灯塔 a", "console") ?? [];
	const columns = Array.from({ length: 12 }, (_, step) =>
		terminalAt(line ? [line] : [], step / 20),
	);
	expect(more).toEqual([]);
	expect([...new Set(columns.flat())]).toEqual([2, 4, 6, 7, 8]);
});

test("a name in a script with marks is one piece", () => {
	const [tokens = []] = highlightCode(["नौका = 1"], "python");
	expect(tokens[0]?.text).toMatch(/^नौका/);
});

test.each([
	[
		"within a placeholder",
		"headers: { Authorization: `Bearer ${token.value}` },",
		38,
		["${token.value}"],
	],
	[
		"within a placeholder of a path",
		"await fetch(`/api/carts/${id.value}/items`);",
		28,
		["${id.value}"],
	],
	["behind the sign of a comment", "while (left > 0)  # enough left?", 20, ["# enough"]],
	[
		"behind the sign of a comment of two slashes",
		"const total = price * 2; // with tax",
		27,
		["// with"],
	],
])("a row doesn't end %s: %s", (_, line, columns, whole) => {
	const rows = breakLine([{ kind: "plain", text: line }], 1, columns);
	const texts = rows.map(({ tokens }) => tokens.map(({ text }) => text).join(""));
	expect(rows.length).toBeGreaterThan(1);
	for (const part of whole) {
		expect(texts.filter(text => text.includes(part))).toHaveLength(1);
	}
});

test("a placeholder wider than a row is broken all the same", () => {
	const line = `\${${"a.b".repeat(20)}}`;
	const rows = breakLine([{ kind: "plain", text: line }], 1, 20);
	expect(rows.every(({ columns }) => columns <= 20)).toBe(true);
});
