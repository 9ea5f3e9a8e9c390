import { rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ColorOrder, ColorText, EditorTheme } from "../../../src/codeColors/colorOrder.ts";
import { findColors } from "../../../src/codeColors/findColors.ts";
import { systemClock } from "../../../src/common/async.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

const spentMs = (): number => systemClock.monotonic();

const require = createRequire(import.meta.url);

/** A language of texts over lines, comments, names in braces and another language between `<` and `>`. */
const grammar = {
	scopeName: "source.toy",
	patterns: [
		{ name: "comment.toy", begin: "#", end: "$" },
		{ name: "string.toy", begin: '"', end: '"' },
		{ name: "meta.embedded.toy", begin: "<", end: ">", patterns: [{ include: "source.inner" }] },
		{ name: "keyword.control.toy", match: "\\b(if|else)\\b" },
		{ name: "markup.bold.toy", match: "\\*\\w+\\*" },
	],
};
const inner = {
	scopeName: "source.inner",
	patterns: [{ name: "variable.inner", match: "\\w+" }],
};
const injected = {
	scopeName: "todo.injected",
	injectionSelector: "L:comment",
	patterns: [{ name: "keyword.todo", match: "TODO" }],
};

const brackets = {
	brackets: [
		["(", ")"],
		["[", "]"],
	],
};

const theme: EditorTheme = {
	background: "#000000",
	foreground: "#eeeeee",
	rules: [
		{
			scope: "comment",
			settings: {
				foreground: "#00ff00",
				fontStyle: "italic",
			},
		},
		{
			scope: ["string", "nothing"],
			settings: { foreground: "#ff0000" },
		},
		{
			scope: "keyword.control, keyword.todo",
			settings: { foreground: "#0000ff" },
		},
		{
			scope: "source.toy variable",
			settings: { foreground: "#ffff0080" },
		},
		{
			scope: "markup.bold",
			settings: { fontStyle: "bold underline" },
		},
		{
			scope: "entity.name.function",
			settings: { foreground: "#abcdef" },
		},
	],
	semantic: [
		[
			"variable.readonly",
			{
				foreground: "#123456",
				italic: true,
			},
		],
		["*.deprecated", { strikethrough: true }],
	],
	semanticScopes: [],
	superTypes: { helper: "function" },
	brackets: ["#aa0000", "#00aa00"],
	unexpectedBracket: "#ff00ff",
	isDepthPerBracket: false,
};

async function orderOf(
	text: string,
	more: {
		tokens?: ColorText["tokens"];
		isWhole?: boolean;
		theme?: Partial<EditorTheme>;
		grammar?: object;
		brackets?: object;
	} = {},
): Promise<ColorOrder> {
	const folder = await makeTempFolder();
	const write = async (name: string, value: object): Promise<string> => {
		await writeFile(join(folder, name), JSON.stringify(value));
		return join(folder, name);
	};
	const lines = text.split("\n");
	return {
		texts: [
			{
				key: "text",
				language: "toy",
				lines,
				tokens: more.tokens ?? [],
				isWhole: more.isWhole === true,
				shown: lines.map((line, at) => ({
					text: line,
					at,
				})),
			},
		],
		theme: { ...theme, ...more.theme },
		grammars: [
			{
				scopeName: "source.toy",
				language: "toy",
				path: await write("toy.json", more.grammar ?? grammar),
				embeddedLanguages: { "meta.embedded.toy": "inner" },
			},
			{
				scopeName: "source.inner",
				language: "inner",
				path: await write("inner.json", inner),
			},
			{
				scopeName: "todo.injected",
				injectTo: ["source.toy"],
				path: await write("todo.json", injected),
			},
		],
		configurations: { toy: await write("configuration.json", more.brackets ?? brackets) },
		oniguruma: join(require.resolve("vscode-oniguruma"), "..", "onig.wasm"),
	};
}

/** The pieces of each line with their styles. */
async function piecesOf(order: ColorOrder): Promise<string[][]> {
	const { colors } = await findColors(order, spentMs);
	const { styles, lines } = colors["text"] ?? { styles: [], lines: [] };
	return lines.map((runs, index) => {
		const line = order.texts[0]?.shown[index]?.text ?? "";
		let at = 0;
		return runs.flatMap((length, run) => {
			if (run % 2 === 1) {
				return [];
			}
			at += length;
			return [`${line.slice(at - length, at)} ${styles[runs[run + 1] ?? 0]}`];
		});
	});
}

test("a text over lines is one, an embedded language and an injected grammar have their colors", async () => {
	const order = await orderOf('x "a # if\nb" if\n<if> # TODO\n*so*');
	expect(await piecesOf(order)).toEqual([
		["x  #eeeeee", '"a # if #ff0000'],
		['b" #ff0000', "  #eeeeee", "if #0000ff"],
		["< #eeeeee", "if #808000", ">  #eeeeee", "#  #00ff00 i", "TODO #0000ff i"],
		["*so* #eeeeee bu"],
	]);
});

test("grammars that were read are kept for another text and another theme", async () => {
	const order = await orderOf("if *so*");
	expect(await piecesOf(order)).toEqual([["if #0000ff", "  #eeeeee", "*so* #eeeeee bu"]]);
	await Promise.all(order.grammars.map(({ path }) => rm(path)));
	const rules = [{ scope: "keyword.control", settings: { foreground: "#00ffff" } }];
	const [text] = order.texts;
	const lines = ["else if"];
	const shown = lines.map((line, at) => ({ text: line, at }));
	const other = {
		...order,
		theme: {
			...theme,
			foreground: "#dddddd",
			rules,
		},
		texts: text
			? [
					{
						...text,
						lines,
						shown,
					},
				]
			: [],
	};
	expect(await piecesOf(other)).toEqual([["else #00ffff", "  #dddddd", "if #00ffff"]]);
});

test("brackets have the color of their depth, but not in texts and comments", async () => {
	const order = await orderOf('([x "(" # )\n])]');
	expect(await piecesOf(order)).toEqual([
		["( #aa0000", "[ #00aa00", "x  #eeeeee", '"(" #ff0000', "  #eeeeee", "# ) #00ff00 i"],
		["] #00aa00", ") #aa0000", "] #ff00ff"],
	]);
	const plain = await orderOf("(x)", { theme: { brackets: [] } });
	expect(await piecesOf(plain)).toEqual([["(x) #eeeeee"]]);
});

test("a bracket that is never closed has the color of one without a partner, but not where what follows may close it", async () => {
	const lost = ["( #ff00ff", "[] #00aa00"];
	expect(await piecesOf(await orderOf("([]", { isWhole: true }))).toEqual([lost]);
	expect(await piecesOf(await orderOf("([]"))).toEqual([["( #aa0000", ...lost.slice(1)]]);
	expect(await piecesOf(await orderOf("[(]"))).toEqual([["[ #aa0000", "( #ff00ff", "] #aa0000"]]);
	expect(await piecesOf(await orderOf(")(", { isWhole: true }))).toEqual([[")( #ff00ff"]]);
});

test("a closing bracket is colored with those opening ones whose pair has a color, and others add no depth", async () => {
	const pairs = {
		brackets: [
			["${", "}"],
			["{", "}"],
		],
		colorizedBracketPairs: [["{", "}"]],
	};
	expect(await piecesOf(await orderOf("${ {} } {}", { brackets: pairs }))).toEqual([
		["${  #eeeeee", "{} #aa0000", " }  #eeeeee", "{} #aa0000"],
	]);
});

test("semantic tokens are over the grammar's colors, each property from the rule that fits best", async () => {
	const token = (start: number, type: string, ...modifiers: string[]) => ({
		line: 0,
		start,
		length: 2,
		type,
		modifiers,
	});
	const order = await orderOf("if ab cd ef", {
		tokens: [
			token(0, "variable", "readonly", "deprecated"),
			token(3, "helper"),
			token(6, "unheardOf"),
		],
	});
	expect(await piecesOf(order)).toEqual([
		["if #123456 is", "  #eeeeee", "ab #abcdef", " cd ef #eeeeee"],
	]);
});

test("a line that is shown with spaces for a tab and without its indentation has the colors of the file's line", async () => {
	const order = await orderOf('\t\tif "a\tb"');
	const [text] = order.texts;
	if (!text) {
		throw new Error("There is no text");
	}
	const shown = [{ text: 'if "a    b"', at: 0 }];
	expect(await piecesOf({ ...order, texts: [{ ...text, shown }] })).toEqual([
		["if #0000ff", "  #eeeeee", '"a    b" #ff0000'],
	]);
});

test("lines over 2,000 characters are plain, and the notes name them", async () => {
	const order = await orderOf(`if\n${"if ".repeat(700)}\nif`);
	const pieces = await piecesOf(order);
	expect(pieces.map(line => line.length)).toEqual([1, 1, 1]);
	expect(pieces[1]?.[0]).toMatch(/ #eeeeee$/);
	expect((await findColors(order, spentMs)).notes).toEqual(["toy: line 2 of the text is too long"]);
});

test("a text for whose grammar the time does not suffice has no colors, in place of half of them", async () => {
	// Each monotonic moment is a second later than the one before.
	let seconds = 0;
	const { colors, notes } = await findColors(
		await orderOf("if\nif\nif\nif\nif\nif"),
		() => (seconds += 1) * 1000,
	);
	expect(colors).toEqual({});
	expect(notes).toEqual([expect.stringMatching(/time was over/)]);
});

test("a grammar that is no grammar, over 5 MB or not there gives no colors and a note", async () => {
	const damaged = await orderOf("if", { grammar: ["nothing"] });
	expect((await findColors(damaged, spentMs)).colors["text"]?.lines ?? []).not.toEqual([[2, 1]]);
	const large = await orderOf("if", { grammar: { ...grammar, filler: "x".repeat(5_000_001) } });
	expect(await findColors(large, spentMs)).toEqual({
		colors: {},
		notes: ["source.toy: its file is over 5 MB", "No grammar provided for <source.toy>"],
	});
	const order = await orderOf("if");
	const gone = order.grammars.map(source => ({ ...source, path: `${source.path}.gone` }));
	const found = await findColors({ ...order, grammars: gone }, spentMs);
	expect(found.colors).toEqual({});
	expect(found.notes[0]).toMatch(/^source\.toy: ENOENT/);
});
