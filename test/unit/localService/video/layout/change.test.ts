import { tokensOfChange } from "./plainTokens.ts";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { rowStep } from "../../../../../src/localService/video/layout/codeLayout.ts";
import { layOutChange } from "../../../../../src/localService/video/layout/changeLayout.ts";
import {
	type ChangeLine,
	compareCode,
	readDiff,
	withoutFarLines,
} from "../../../../../src/clip/changeLines.ts";
import { longestCommon } from "../../../../../src/common/longestCommon.ts";
import { readFontMetrics } from "../../../../../src/localService/video/layout/fontMetrics.ts";
import { readPrompt } from "../../../../../src/clip/promptContent.ts";
import type {
	ChangeRow,
	PlacedToken,
} from "../../../../../src/localService/video/layout/tokenMoves.ts";
import { createRandom } from "../../../../helpers/random.ts";
import { clipPrompts } from "../../../../pictures/clipPrompts.ts";
import { packageAssets } from "../videoFixtures.ts";

const room = { width: 748, height: 364 };
const mono = readFontMetrics(readFileSync(packageAssets.mono[0] ?? ""));

const gitDiff = `diff --git a/src/old.py b/src/total.py
similarity index 80%
rename from src/old.py
rename to src/total.py
index 3f1a2b4..9c0d1e2 100644
--- a/src/old.py
+++ b/src/total.py
@@ -1,3 +1,3 @@ def total():
 sum = 0
-for price in prices:
+for item in items:
\\ No newline at end of file
@@ -20 +20 @@ def other():
--- a comment
+++ another
`;

/** A text of lines that repeat, and the same after some edits. */
function edited(random: () => number): readonly [string, string] {
	const words = ["alpha", "beta(gamma);", "", "}", "const delta = 1;", "  return epsilon;"];
	const line = (): string => words[Math.floor(random() * words.length)] ?? "";
	const before = Array.from({ length: 1 + Math.floor(random() * 30) }, line);
	const after = before.flatMap(text =>
		random() < 0.15 ? [] : random() < 0.15 ? [text, line()] : [text],
	);
	return [before.join("\n"), after.join("\n")];
}

const textOf = (lines: readonly ChangeLine[], ...kinds: readonly ChangeLine["kind"][]): string =>
	lines
		.filter(({ kind }) => kinds.includes(kind))
		.map(({ text }) => text)
		.join("\n");

describe("a change is read", () => {
	test("from a diff of Git, heads and notes left out", () => {
		expect(readDiff(gitDiff)).toEqual({
			files: ["total.py"],
			lines: [
				{ kind: "same", text: "sum = 0", numbers: { before: 1, after: 1 } },
				{ kind: "removed", text: "for price in prices:", numbers: { before: 2 } },
				{ kind: "added", text: "for item in items:", numbers: { after: 2 } },
				{ kind: "gap", text: "def other():" },
				{ kind: "removed", text: "-- a comment", numbers: { before: 20 } },
				{ kind: "added", text: "++ another", numbers: { after: 20 } },
			],
		});
	});

	test("from lines that begin with signs and blanks, the shared indentation taken away", () => {
		expect(readDiff("  const a = 1;\n- let b;\n+ const b = 2;")?.lines).toEqual(
			[
				{ kind: "same", text: "const a = 1;" },
				{ kind: "removed", text: "let b;" },
				{ kind: "added", text: "const b = 2;" },
			].map(line => ({ ...line })),
		);
	});

	test("without numbers where no head of a hunk tells them", () => {
		for (const head of ["", "@@ total @@\n", "@@@ -1,2 -1,2 +1,2 @@@\n"]) {
			const { lines = [] } = readDiff(`${head}-a\n+b`) ?? {};
			expect(lines.map(({ numbers }) => numbers)).toEqual([undefined, undefined]);
		}
	});

	test.each(["", " a\n b", "@@ -1 +1 @@\n same"])("from no text that changes nothing: %j", diff => {
		expect(readDiff(diff)).toBeUndefined();
	});

	test("from two texts, and both can be put together again from it", () => {
		const random = createRandom(3).next;
		for (let round = 0; round < 200; round += 1) {
			const [before, after] = edited(random);
			const lines = compareCode(`x${before}\n=`, `x${after}\n=`)?.lines ?? [];
			if (before !== after) {
				expect(textOf(lines, "same", "removed")).toBe(`x${before}\n=`);
				expect(textOf(lines, "same", "added")).toBe(`x${after}\n=`);
			}
		}
	});
});

test("blocks of one language are versions, one after another, without those that change nothing", () => {
	const prompt = ["a()", "b()", "b()", "c()"].map(code => `\`\`\`js\n${code}\n\`\`\`\n`).join("");
	const content = readPrompt(prompt);
	expect(content.type === "change" && content.steps).toEqual([
		[
			{ kind: "removed", text: "a()" },
			{ kind: "added", text: "b()" },
		],
		[
			{ kind: "removed", text: "b()" },
			{ kind: "added", text: "c()" },
		],
	]);
});

describe("a prompt is a change", () => {
	test.each([
		["a fenced diff", "What changed\n```diff\n-a = 1\n+a = 2\n```", "What changed", undefined],
		["a bare diff", gitDiff, "total.py", "python"],
		[
			"two blocks of a language",
			"```js\ntotal(items);\n```\nbecomes\n```js\nsum(items);\n```",
			"",
			"js",
		],
		["a diff with a title", '```diff title="total.py"\n-a = 1\n+a = 2\n```', "total.py", "python"],
	])("when it is %s", (_name, prompt, caption, language) => {
		expect(readPrompt(prompt)).toMatchObject({ type: "change", caption, language });
	});

	test.each([
		["blocks of two languages", "```js\na()\n```\n```py\nb()\n```"],
		["two equal blocks", "```js\na()\n```\n```js\na()\n```"],
		["a diff that changes nothing", "```diff\n a\n b\n```"],
		["a list", "- one\n- two\n+ three"],
		["prose with little code", `${"Words. ".repeat(40)}\n\`\`\`js\na\n\`\`\`\n\`\`\`js\nb\n\`\`\``],
	])("not when it is %s", (_name, prompt) => {
		expect(readPrompt(prompt).type).not.toBe("change");
	});
});

test("the best pairs weigh as much as the best found by trying all", () => {
	const random = createRandom(5).next;
	const best = (left: string, right: string): number =>
		left === "" || right === ""
			? 0
			: Math.max(
					best(left.slice(1), right),
					best(left, right.slice(1)),
					left[0] === right[0] ? left.charCodeAt(0) - 96 + best(left.slice(1), right.slice(1)) : 0,
				);
	const word = (): string =>
		Array.from({ length: Math.floor(random() * 8) }, () => "abc"[Math.floor(random() * 3)]).join(
			"",
		);
	for (let round = 0; round < 200; round += 1) {
		const [left, right] = [word(), word()];
		const pairs = longestCommon(left.length, right.length, (row, column) =>
			left[row] === right[column] ? left.charCodeAt(row) - 96 : 0,
		);
		expect(pairs.reduce((sum, [row]) => sum + left.charCodeAt(row) - 96, 0)).toBe(
			best(left, right),
		);
		expect(pairs.every(([row, column]) => left[row] === right[column])).toBe(true);
	}
});

describe("every piece of code", () => {
	/** Every letter at its place. */
	const letters = (row: number, column: number, text: string): readonly string[] =>
		[...text].flatMap((letter, index) =>
			letter.trim() === "" ? [] : [`${row} ${column + index} ${letter}`],
		);
	const inRows = (rows: readonly ChangeRow[]): readonly string[] =>
		rows
			.flatMap((row, index) => letters(index, 0, row.tokens.map(({ text }) => text).join("")))
			.toSorted();
	const inPieces = (pieces: readonly PlacedToken[]): readonly string[] =>
		pieces.flatMap(({ row, column, text }) => letters(row, column, text)).toSorted();

	test("of a change goes, stays or comes, exactly once", () => {
		const random = createRandom(13).next;
		for (let round = 0; round < 150; round += 1) {
			const [before, after] = edited(random);
			const lines = compareCode(before, after)?.lines ?? [];
			const layout = layOutChange([tokensOfChange(lines, "js")], { room, mono, most: 4 });
			for (const { before, after, moves, leaving, arriving } of layout.pages) {
				expect(inPieces([...moves.map(({ from }) => from), ...leaving])).toEqual(inRows(before));
				expect(inPieces([...moves.map(({ to }) => to), ...arriving])).toEqual(inRows(after));
				expect(moves.every(({ from, to }) => from.text === to.text)).toBe(true);
			}
		}
	});

	test("that moved whole is recognized", () => {
		const { pages } = layOutChange(
			[
				tokensOfChange(
					readDiff(
						"-first.second(third);\n+let added = 0;\n+more();\n-total\n+first.second(third);",
					)?.lines ?? [],
					"js",
				),
			],
			{ room, mono, most: 2 },
		);
		const moved = pages[0]?.moves.map(({ from, to }) => `${from.text} ${from.row}→${to.row}`);
		expect(moved).toEqual(expect.arrayContaining(["first 0→2", ". 0→2", "third 0→2", "; 0→2"]));
	});
});

test("no sign moves without a word of its row, so that none is left alone in the window", () => {
	const { pages } = layOutChange(
		[
			tokensOfChange(
				readDiff("-const b = second(a);\n const a = first();\n+const b = second(a);\n use(a);")
					?.lines ?? [],
				"js",
			),
		],
		{ room, mono, most: 1 },
	);
	const moves = pages[0]?.moves ?? [];
	const isWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
	expect(
		moves.filter(
			({ from, to }) =>
				!isWord(to.text) &&
				!moves.some(
					other => isWord(other.to.text) && other.from.row === from.row && other.to.row === to.row,
				),
		),
	).toEqual([]);
});

describe("a line that moves past others", () => {
	const liftedIn = (diff: string): readonly string[] =>
		layOutChange([tokensOfChange(readDiff(diff)?.lines ?? [], "js")], { room, mono, most: 1 })
			.pages.flatMap(({ moves }) => moves)
			.flatMap(({ isLifted, from, to }) => (isLifted ? [`${to.text} ${from.row}→${to.row}`] : []));

	test("passes over them as a whole", () => {
		expect(
			liftedIn("+log.info();\n start(config);\n listen(port);\n-log.info();\n end();"),
		).toEqual(["log.info(); 2→0"]);
	});

	test("fades and comes again where others do so too, which would cover one another", () => {
		expect(
			liftedIn("+third(3);\n+second(2);\n first.of(all, these);\n-second(2);\n-third(3);"),
		).toEqual([]);
	});
});

describe("words of a changed row", () => {
	const movesOf = (diff: string): readonly string[] =>
		layOutChange([tokensOfChange(readDiff(diff)?.lines ?? [], "js")], { room, mono, most: 1 })
			.pages.flatMap(({ moves }) => moves)
			.map(({ to }) => to.text);

	test("stay where most of the row stays", () => {
		const words = movesOf(
			"-const sum = cart.price * cart.count;\n+const sum = cart.price * cart.size;",
		);
		expect(words).toEqual(expect.arrayContaining(["const", "sum", "price"]));
	});

	test.each(["a line is broken into several", "lines are joined into one"])(
		"move along where %s",
		name => {
			const { prompt = "" } = clipPrompts.find(clip => clip.name === `change: ${name}`) ?? {};
			const diff = prompt.replaceAll(/^```.*$/gm, "").trim();
			expect(movesOf(diff)).toEqual(
				expect.arrayContaining(["createUser", "name", '"Ada"', "role", '"admin"', "options"]),
			);
		},
	);

	test("all move that are before and after, wherever in the hunk they are", () => {
		const wordsOf = (rows: readonly ChangeRow[]): readonly string[] =>
			rows.flatMap(({ tokens }) =>
				tokens.flatMap(({ text }) => text.match(/"[^"\s]*"|[\p{L}\p{M}\p{N}_$]+/gu) ?? []),
			);
		const random = createRandom(29).next;
		const changes = [
			readDiff(
				" a();\n-for (const line of lines) {\n-return sum;\n+const sum = lines.reduce(add, 0);\n+return round(sum * (1 - discount));",
			)?.lines ?? [],
			...Array.from({ length: 60 }, () => compareCode(...edited(random))?.lines ?? []),
		];
		for (const lines of changes.filter(({ length }) => length > 0)) {
			const { pages } = layOutChange([tokensOfChange(lines, "js")], { room, mono, most: 1 });
			for (const { before, after, leaving, arriving } of pages) {
				const [gone, fresh] = [leaving, arriving].map(tokens =>
					tokens.map(({ text }) => text).filter(text => /[\p{L}\p{N}]/u.test(text)),
				);
				expect(wordsOf(before).length + wordsOf(after).length).toBeGreaterThan(0);
				expect(gone?.filter(word => fresh?.includes(word))).toEqual([]);
			}
		}
	});
});

test("a short change with a long line is rather broken than set small", () => {
	const long = `return fs.promises.readFile(path, "utf8").then(text => JSON.parse(text), report, ${"a".repeat(20)});`;
	const change = readDiff(`${" a();\n".repeat(5)}-b();\n+${long}`)?.lines ?? [];
	const { size, pages } = layOutChange([tokensOfChange(change, "js")], { room, mono, most: 1 });
	expect(size).toBeGreaterThanOrEqual(18);
	expect(pages[0]?.after.length).toBeGreaterThan(6);
});

describe("a change on pages", () => {
	const hunk = (index: number, lines: number): string =>
		[
			`@@ -${index} +${index} @@`,
			" before",
			...Array.from({ length: lines }, (_, line) => `-old${index}x${line} = ${line};`),
			...Array.from({ length: lines }, (_, line) => `+new${index}x${line} = ${line};`),
			" after",
		].join("\n");

	test.each([
		[1, 1, 1],
		[3, 4, 2],
		[6, 6, 4],
		[20, 3, 4],
		[1, 60, 3],
	])(
		"%i hunks of %i lines fit on %i pages, or say how many lines are left",
		(hunks, lines, most) => {
			const diff = Array.from({ length: hunks }, (_, index) => hunk(index, lines)).join("\n");
			const change = readDiff(diff)?.lines ?? [];
			const { size, pages } = layOutChange([tokensOfChange(change, "js")], { room, mono, most });
			expect(pages.length).toBeLessThanOrEqual(most);
			const rows = pages.flatMap(page => [page.before, page.after]);
			for (const side of rows) {
				expect(side.length * rowStep(size)).toBeLessThanOrEqual(room.height + 1);
				expect(side.every(row => row.columns * mono.widthOf("0") * size <= room.width)).toBe(true);
			}
			const shown = pages.flatMap(({ before, after }) => [
				...before.filter(row => row.kind === "removed"),
				...after.filter(row => row.kind === "added"),
			]).length;
			const last = pages.at(-1)?.after.at(-1)?.tokens[0]?.text ?? "";
			const hidden = Number(/⋯ and (\d+) more lines?/.exec(last)?.[1] ?? 0);
			const total = hunks * lines * 2;
			expect(shown + hidden).toBeGreaterThanOrEqual(total);
			expect(hidden > 0).toBe(shown < total);
		},
	);

	test("keeps lines near the change when not all fit, and marks where some are left out", () => {
		const same = (text: string): ChangeLine => ({ kind: "same", text });
		const lines = Array.from("abcdefg", same);
		const added: ChangeLine = { kind: "added", text: "+" };
		expect(withoutFarLines([...lines, added, ...lines])).toEqual([
			{ kind: "gap", text: "" },
			same("f"),
			same("g"),
			added,
			same("a"),
			same("b"),
		]);
	});
});

describe("the head of a file, where no head of a hunk follows", () => {
	test.each([
		["--- a/one.ts\n+++ b/one.ts\n-old\n+new", ["one.ts"]],
		["--- one.ts\n+++ one.ts\n-old\n+new", ["one.ts"]],
		["--- /dev/null\n+++ b/src/new.py\n+old\n+new", ["new.py"]],
		["diff --git a/x b/x\n--- a/x\n+++ b/x\n-old\n+new", ["x"]],
		["--- a/one.ts\t2026-01-01\n+++ b/one.ts\t2026-01-02\n-old\n+new", ["one.ts"]],
	])("is no code: %j", (diff, files) => {
		const change = readDiff(diff);
		expect(change?.files).toEqual(files);
		expect(change?.lines.map(({ text }) => text)).toEqual(["old", "new"]);
	});

	test("is not what looks like one: a comment that is taken away, and a line that counts up", () => {
		const change = readDiff("--- the old way\n+++ i;\n select 1");
		expect(change?.files).toEqual([]);
		expect(change?.lines).toHaveLength(3);
	});
});
