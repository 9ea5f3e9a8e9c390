// @module-tag thorough
// @vitest-environment happy-dom
import { micromark } from "micromark";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";
import { describe, expect, test } from "vitest";
import { GrowingAnswer, createFinishedAnswer } from "../../../../../media/chat/markdown/answer.ts";
import { createRandom, type Random } from "../../../../helpers/random.ts";
import { createTools } from "./rendering.ts";
import { strictOutline } from "./strictOutline.ts";

/** What is in a cell; a pipe in a cell is escaped, also in code (GFM §4.10). */
const cells = [
	"",
	" ",
	"a",
	"two words",
	"*soft*",
	"**strong**",
	"`code`",
	"`a \\| b`",
	"a \\| b",
	"\\\\",
	"\\*",
	"&amp;",
	"é中👍",
	"[a](https://example.com/a)",
	"`open",
	"*open",
	"---",
	":",
	"- a",
	"# a",
	"> a",
	"1. a",
	"\\",
];

const delimiters = ["-", "---", ":-", ":--", "-:", "--:", ":-:", ":---:", "", ":"];

/** What may be before and behind a table, and end it. */
const surroundings = [
	"",
	"\n",
	"text\n",
	"text\n\n",
	"# heading\n",
	"> quote\n",
	"- item\n",
	"***\n",
	"```\ncode\n```\n",
	"    indented\n",
];

function row(random: Random, items: readonly string[], count: number): string {
	const picked = Array.from({ length: count }, () => random.pick(items));
	const [gap, first, last] = [
		random.pick(["", " "]),
		random.pick(["", "|"]),
		random.pick(["", "|"]),
	];
	return first + picked.map(item => gap + item + gap).join("|") + last;
}

function randomTable(random: Random): string {
	const columns = 1 + random.below(4);
	const wrong = (): number => (random.below(8) === 0 ? random.below(3) - 1 : 0);
	const rows = Array.from({ length: random.below(4) }, () =>
		row(random, cells, Math.max(1, columns + wrong())),
	);
	const plain = delimiters.slice(0, random.below(6) === 0 ? delimiters.length : -3);
	const lines = [
		row(random, cells, columns),
		row(random, plain, Math.max(1, columns + wrong())),
		...rows,
	];
	const prefix = random.pick(["", "", "", "", " ", "  ", "   ", "> ", "    "]);
	return lines.map(line => `${prefix}${line}\n`).join("");
}

/** What is shown otherwise than the reference shows it, and why. */
const exceptions = [
	{
		reason: "a header row that lazily continues a list item does not become part of the item",
		pattern: /(?:^|\n)- item\n [^ ].*\n {2,3}\S/,
	},
	{
		reason: "a heading four spaces in ends the paragraph of an item that begins deeper still",
		pattern: /(?:^|\n) {3}(?:-|1\.) [^]*\n {4}#/,
	},
];

const isException = (markdown: string): boolean =>
	exceptions.some(({ pattern }) => pattern.test(markdown));

const everyExample = Array.from({ length: 2000 }, (_, seed) => {
	const random = createRandom(seed);
	return random.pick(surroundings) + randomTable(random) + random.pick(surroundings);
});
const unexceptional = everyExample.filter(markdown => !isException(markdown));
/** `npm run test:long` reads all of them. */
const examples = unexceptional.slice(
	0,
	process.env["CUTAWAY_FUZZ"] === undefined ? 400 : undefined,
);

/** White space in a line of code that goes over two lines is not the tables' business. */
const outlineOf = (element: HTMLElement): string =>
	strictOutline(element).replaceAll(/[ \n]+/g, " ");

function reference(markdown: string): HTMLElement {
	const element = document.createElement("div");
	element.className = "markdown";
	element.innerHTML = micromark(markdown, {
		extensions: [gfmTable()],
		htmlExtensions: [gfmTableHtml()],
	});
	return element;
}

/** The first example that a way of rendering shows otherwise than the reference does. */
function firstWrong(
	markdowns: readonly string[],
	render: (markdown: string) => HTMLElement,
): { readonly markdown: string; readonly shown: string; readonly expected: string } | undefined {
	for (const markdown of markdowns) {
		const [shown, expected] = [outlineOf(render(markdown)), outlineOf(reference(markdown))];
		if (shown !== expected) {
			return { markdown, shown, expected };
		}
	}
	return undefined;
}

const renderFinished = (markdown: string): HTMLElement =>
	createFinishedAnswer(markdown, createTools()).element;

function renderStreamed(markdown: string): HTMLElement {
	const tools = createTools();
	const answer = new GrowingAnswer(tools);
	for (const character of markdown) {
		answer.append(character);
	}
	answer.finish();
	tools.idle.runAll();
	return answer.element;
}

describe("GFM: a table among other blocks is what the conformant parser makes of it", () => {
	test("when it is known in full", () => {
		expect(firstWrong(examples, renderFinished)).toBeUndefined();
	});

	test("when it comes character by character", () => {
		expect(firstWrong(examples.slice(0, 200), renderStreamed)).toBeUndefined();
	});

	test("and a good part of the examples holds a table", () => {
		const tables = examples.filter(markdown => reference(markdown).querySelector("table"));
		expect(tables.length).toBeGreaterThan(examples.length / 3);
		expect(unexceptional.length).toBeGreaterThan(everyExample.length * 0.95);
	});

	test.each(exceptions)("but $reason", ({ pattern }) => {
		const excepted = everyExample.filter(markdown => pattern.test(markdown));
		expect(firstWrong(excepted, renderFinished), "no exception is needed").toBeDefined();
	});
});
