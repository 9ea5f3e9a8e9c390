// @vitest-environment happy-dom
import { afterEach, describe, expect, test, vi } from "vitest";
import {
	type AnswerText,
	GrowingAnswer,
	createFinishedAnswer,
} from "../../../../../../media/chat/markdown/answer.ts";
import {
	inlineParts,
	maxColumns,
	maxDrawnFormulas,
	maxInlineCharacters,
	maxInlineElements,
	maxListItems,
} from "../../../../../../media/chat/markdown/elements/bounds.ts";
import { createTools } from "../rendering.ts";

afterEach(() => {
	vi.restoreAllMocks();
});

/** How many elements are in one another. */
function depthOf(element: Element): number {
	return 1 + Math.max(0, ...[...element.children].map(depthOf));
}

/** A text while it arrives. */
function arriving(text: string): HTMLElement {
	const tools = createTools();
	const answer = new GrowingAnswer(tools);
	answer.append(text);
	tools.idle.runAll();
	return answer.element;
}

/** A text that is known in full. */
function finished(text: string): HTMLElement {
	return createFinishedAnswer(text, createTools()).element;
}

const deepEmphasis = `${"*a ".repeat(200)}${"x*".repeat(200)}`;
const columns = (count: number): string =>
	`${"|a".repeat(count)}|\n${"|-".repeat(count)}|\n${"|b".repeat(count)}|\n`;

describe.each([
	["while it arrives", arriving],
	["when it is known in full", finished],
])("text that is nested without end, %s,", (_, show) => {
	test.each([
		["quotes", `${"> ".repeat(200)}x`],
		["items", `${"- ".repeat(200)}x`],
		["emphasis", deepEmphasis],
	])("is shown, and not deep: %s", (_kind, text) => {
		const element = show(text);
		expect(depthOf(element)).toBeLessThan(80);
		expect(element.textContent).toContain("x");
	});

	test("has a table up to the bound of columns, and text beyond it", () => {
		expect(show(columns(maxColumns)).querySelectorAll("th")).toHaveLength(maxColumns);
		const wider = show(columns(maxColumns + 1));
		expect(wider.querySelector("table")).toBeNull();
		expect(wider.textContent).toContain("|a|a");
	});

	test("has a list up to the bound of items, which then goes on as another with the right numbers", () => {
		const items = (count: number): string => "3. a\n".repeat(count);
		const whole = show(items(maxListItems));
		expect([...whole.querySelectorAll("ol")].map(list => list.children.length)).toEqual([
			maxListItems,
		]);
		const lists = [...show(items(2 * maxListItems + 1)).querySelectorAll("ol")];
		expect(lists.map(list => [list.children.length, list.getAttribute("start")])).toEqual([
			[maxListItems, "3"],
			[maxListItems, String(3 + maxListItems)],
			[1, String(3 + 2 * maxListItems)],
		]);
	});

	test("has a link up to 4,096 characters, and text beyond it", () => {
		const link = (length: number): string => `<https://a.b/${"x".repeat(length - 12)}> `;
		expect(show(link(1000)).querySelector("a[href]")).not.toBeNull();
		expect(show(link(4097)).querySelector("a[href]")).toBeNull();
	});
});

test("a paragraph has emphasis up to the bound of its elements, and then the text as it is", () => {
	const text = "_a_ ".repeat(2 * maxInlineElements);
	const tools = createTools();
	const answer = new GrowingAnswer(tools);
	answer.append(text);
	answer.finish();
	tools.idle.runAll();
	const emphasis = answer.element.querySelectorAll("em").length;
	expect(emphasis).toBeGreaterThan(maxInlineElements);
	expect(emphasis).toBeLessThan(maxInlineElements + maxInlineCharacters / 2);
	expect(answer.element.textContent.endsWith("_a_ _a_")).toBe(true);
});

test("a paragraph has drawn formulas up to the bound, and the source of the others", async () => {
	const tools = {
		...createTools(),
		loadMath: () => Promise.resolve(() => ({ drawing: document.createElement("math") })),
	};
	const { element } = createFinishedAnswer(`${"$a$ ".repeat(maxDrawnFormulas + 5)}\n\n$a$`, tools);
	await Promise.resolve();
	tools.idle.runAll();
	expect(element.querySelectorAll("math")).toHaveLength(maxDrawnFormulas + 1);
	expect(element.querySelectorAll(".math")).toHaveLength(maxDrawnFormulas + 6);
});

test("long text is parsed in parts, after a line break where there is one, and no character is cut", () => {
	const text = `${"a".repeat(7000)}\n${"b".repeat(5000)}${"\u{1F600}".repeat(10_000)}`;
	const parts = inlineParts(text);
	expect(parts.join("")).toBe(text);
	expect(parts[0] === `${"a".repeat(7000)}\n`).toBe(true);
	expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(maxInlineCharacters);
	expect(parts.every(part => part.isWellFormed())).toBe(true);
});

test.each([
	["one line", "word ".repeat(5000).trimEnd()],
	["many lines", `${"some words\n".repeat(3000)}end`],
	["letters without a space", "\u05DE".repeat(30_000)],
])(
	"a long paragraph of %s is in parts, the same while it arrives and when it is over",
	(_, text) => {
		const tools = createTools();
		const answer = new GrowingAnswer(tools);
		for (let start = 0; start < text.length; start += 1000) {
			answer.append(text.slice(start, start + 1000));
		}
		tools.idle.runAll();
		const live = answer.element.querySelector("p");
		const parts = [...(live?.querySelectorAll(".part") ?? [])];
		expect(parts.length).toBeGreaterThanOrEqual(2);
		answer.finish();
		tools.idle.runAll();
		expect(answer.element.querySelector("p")).toBe(live);
		expect([...(live?.querySelectorAll(".part") ?? [])]).toEqual(parts);
		expect(answer.element.textContent === text).toBe(true);
	},
);

/** Quotes cannot be shown from now on; what is told of that. */
function breakQuotes(): { readonly reports: unknown[]; show(isKnown: boolean): AnswerText } {
	const reports: unknown[] = [];
	const idle = createTools();
	const tools = { ...idle, onFailed: (error: unknown) => reports.push(error) };
	const createElement = document.createElement.bind(document);
	vi.spyOn(document, "createElement").mockImplementation((name: string) => {
		if (name === "blockquote") {
			throw new Error("Broken on purpose");
		}
		return createElement(name);
	});
	return {
		reports,
		show: isKnown => {
			const text = "Before\n\n> one\n\nAfter\n\n> two\n";
			if (isKnown) {
				return createFinishedAnswer(text, tools);
			}
			const answer = new GrowingAnswer(tools);
			answer.append(text);
			answer.finish();
			tools.idle.runAll();
			return answer;
		},
	};
}

test.each([
	["arrives", false],
	["is known in full", true],
])(
	"a message that %s and cannot be formatted is plain text, and is reported once",
	(_, isKnown) => {
		const { reports, show } = breakQuotes();
		const { element } = show(isKnown);
		expect(element.textContent).toContain("This message couldn't be formatted.");
		expect(element.textContent).toContain("> one\n\nAfter\n\n> two");
		expect(reports).toEqual([new Error("Broken on purpose")]);
	},
);

test("a long piece that fails in a quiet moment, in its second part, is plain text, and is reported", () => {
	const tools = createTools();
	const reports: unknown[] = [];
	const { parseInline } = tools.engine;
	vi.spyOn(tools.engine, "parseInline")
		.mockImplementationOnce(parseInline)
		.mockImplementation(() => {
			throw new Error("Broken on purpose");
		});
	const answer = new GrowingAnswer({ ...tools, onFailed: error => reports.push(error) });
	answer.append("word *and* ".repeat(3000));
	answer.finish();
	tools.idle.runAll();
	expect(answer.element.querySelector(".plain-text")?.textContent).toContain("word *and* word");
	expect(reports).toEqual([new Error("Broken on purpose")]);
});

test("a message that cannot be formatted is laid out in parts, with all that comes later", () => {
	const tools = createTools();
	vi.spyOn(tools.engine, "parseBlocks").mockImplementation(() => {
		throw new Error("Broken on purpose");
	});
	const answer = new GrowingAnswer({ ...tools, onFailed: () => undefined });
	const pieces = Array.from({ length: 30 }, (_, index) => `> ${index} ${"מx".repeat(1000)}\n`);
	for (const piece of pieces) {
		answer.append(piece);
	}
	answer.finish();
	tools.idle.runAll();
	const plain = answer.element.querySelector(".plain-text");
	expect(plain?.textContent).toBe(pieces.join(""));
	const lengths = [...(plain?.children ?? [])].map(({ textContent }) => textContent.length);
	expect(lengths.length).toBeGreaterThan(5);
	expect(Math.max(...lengths)).toBeLessThanOrEqual(8192);
});
