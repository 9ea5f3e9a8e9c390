// @vitest-environment happy-dom
import { tests } from "commonmark-spec";
import MarkdownIt from "markdown-it";
import { describe, expect, test } from "vitest";
import { GrowingAnswer, createFinishedAnswer } from "../../../../../media/chat/markdown/answer.ts";
import { gfmExamples } from "../../../../fixtures/gfmExamples.ts";
import { createRandom } from "../../../../helpers/random.ts";
import { createTools, outlineOf } from "./rendering.ts";
import { strictOutline } from "./strictOutline.ts";

/** The examples of CommonMark 0.31.2. */
const examples = tests.map(({ markdown, html, ...rest }) => ({
	...rest,
	markdown: markdown.replaceAll("→", "\t"),
	html: html.replaceAll("→", "\t"),
}));

const range = (first: number, last: number): number[] =>
	Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Raw HTML is text, as with every parser whose `html` is off (threat T16); such a parser is the reference for these. */
const rawHtml = [
	21,
	31,
	...range(148, 191),
	201,
	308,
	309,
	344,
	475,
	476,
	477,
	491,
	494,
	524,
	536,
	613,
	614,
	615,
	616,
	617,
	623,
	...range(625, 631),
	642,
	643,
];

/** Links that are not to a plain `https` address are as their words and their address (threats T17, T20). */
const inertLinks = [
	20,
	22,
	23,
	32,
	33,
	...range(192, 196),
	198,
	200,
	...range(202, 206),
	...range(214, 218),
	404,
	419,
	422,
	433,
	473,
	474,
	...range(482, 487),
	489,
	492,
	495,
	496,
	...range(498, 507),
	509,
	510,
	512,
	514,
	515,
	516,
	518,
	519,
	521,
	522,
	...range(527, 530),
	...range(532, 535),
	...range(539, 544),
	549,
	550,
	...range(553, 562),
	...range(564, 571),
	593,
	594,
	...range(596, 599),
	601,
	603,
	604,
	605,
];

/** Images that do not hold themselves are their description and their address, as text (threat T16). */
const inertImages = [517, 520, 531, ...range(572, 589), 591];

/** What else is shown otherwise than the specification's HTML says, and why. */
const otherReasons: Readonly<Record<number, string>> = {
	34: "a class name holds letters of languages there are, not «föö»: no attribute holds a model's words",
	144: "a class name holds letters of languages there are, not «;»",
	346: "the words end where the host goes on, so the host is shown beside them",
	602: "an https address in running text is a link, as in GFM §6.9",
	608: "an https address in running text is a link, as in GFM §6.9",
	611: "an https address in running text is a link, as in GFM §6.9",
};

const exceptions = new Set([
	...rawHtml,
	...inertLinks,
	...inertImages,
	...Object.keys(otherReasons).map(Number),
]);

function elementOf(html: string): HTMLElement {
	const element = document.createElement("div");
	element.className = "markdown";
	element.innerHTML = html;
	return element;
}

function streamed(parts: readonly string[]): HTMLElement {
	const tools = createTools();
	const answer = new GrowingAnswer(tools);
	parts.forEach(part => answer.append(part));
	answer.finish();
	tools.idle.runAll();
	return answer.element;
}

function cutRandomly(text: string, seed: number): string[] {
	const random = createRandom(seed);
	const parts: string[] = [];
	for (let position = 0; position < text.length;) {
		const part = text.slice(position, position + 1 + random.below(5));
		parts.push(part);
		position += part.length;
	}
	return parts;
}

/** The three ways a text comes onto the page: known in full, character by character, and in pieces. */
function renderedWays(source: string, seed: number): readonly HTMLElement[] {
	return [
		createFinishedAnswer(source, createTools()).element,
		streamed(source.split("")),
		streamed(cutRandomly(source, seed)),
	];
}

const withoutGaps = (text: string): string => text.replaceAll(/\n(?=<)|(?<=>)\n|^\n|\n$/g, "");
const looseOutline = (element: HTMLElement): string => withoutGaps(outlineOf(element));

test("The specification has all its examples", () => {
	expect(examples).toHaveLength(652);
	expect(exceptions.size).toBe(
		rawHtml.length + inertLinks.length + inertImages.length + Object.keys(otherReasons).length,
	);
});

describe("CommonMark: every element, attribute and character is the specification's in", () => {
	test.each(examples.filter(({ number }) => !exceptions.has(number)))(
		"example $number, $section",
		({ markdown, html, number }) => {
			const expected = strictOutline(elementOf(html));
			for (const element of renderedWays(markdown, number)) {
				expect(strictOutline(element)).toBe(expected);
			}
		},
	);
});

describe("CommonMark: raw HTML is text, and the rest is the reference parser's without HTML, in", () => {
	const reference = new MarkdownIt("commonmark", { html: false });
	test.each(examples.filter(({ number }) => rawHtml.includes(number)))(
		"example $number, $section",
		({ markdown, number }) => {
			const expected = looseOutline(elementOf(reference.render(markdown)));
			for (const element of renderedWays(markdown, number)) {
				expect(looseOutline(element)).toBe(expected);
			}
		},
	);
});

describe("CommonMark: but for what is inert, the outline is the specification's in", () => {
	const inert = new Set([...inertLinks, ...inertImages]);
	/** Addresses with a backslash: the specification links them, we do not; the words are the same. */
	const wordsOnly = new Set([20, 603]);
	test.each(examples.filter(({ number }) => inert.has(number)))(
		"example $number, $section",
		({ markdown, html, number }) => {
			const expected = elementOf(html);
			for (const element of renderedWays(markdown, number)) {
				if (wordsOnly.has(number)) {
					expect(element.textContent.trim()).toBe(expected.textContent.trim());
				} else {
					expect(looseOutline(element)).toBe(looseOutline(expected));
				}
				expect(strictOutline(element), "no exception is needed").not.toBe(strictOutline(expected));
			}
		},
	);
});

describe("CommonMark: the other exceptions are needed, and lose no word, in", () => {
	test.each(examples.filter(({ number }) => number in otherReasons))(
		"example $number, $section",
		({ markdown, html, number }) => {
			const expected = elementOf(html);
			for (const element of renderedWays(markdown, number)) {
				const words = element.querySelector("pre, p")?.textContent.replace(/ \([^()]*\)/, "");
				expect(words?.trim()).toBe(expected.textContent.trim());
				expect(strictOutline(element)).not.toBe(strictOutline(expected));
			}
		},
	);
});

describe("GFM: every element, attribute and character is the specification's in", () => {
	test.each(gfmExamples)("example $number: $markdown", ({ markdown, html, number }) => {
		const expected = strictOutline(elementOf(html));
		for (const element of renderedWays(markdown, number)) {
			expect(strictOutline(element)).toBe(expected);
		}
	});
});

test("All examples one after the other, with something between them, are what they are alone", () => {
	const plain = examples.filter(
		({ markdown, number }) => !exceptions.has(number) && !/\[|^~~~|^```/m.test(markdown),
	);
	const source = plain.map(({ markdown }) => `${markdown}\n\n***\n\n`).join("");
	const expected = plain.map(({ html }) => `${html}<hr>`).join("");
	for (const element of renderedWays(source, 1)) {
		expect(strictOutline(element)).toBe(strictOutline(elementOf(expected)));
	}
});
