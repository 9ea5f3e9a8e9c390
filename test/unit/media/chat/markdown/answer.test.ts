// @vitest-environment happy-dom
import MarkdownIt from "markdown-it";
import { describe, expect, test, vi } from "vitest";
import {
	collapseCharacters,
	GrowingAnswer,
	createFinishedAnswer,
	previewCharacters,
} from "../../../../../media/chat/markdown/answer.ts";
import { replaceTableRule } from "../../../../../media/chat/markdown/final/tableRule.ts";
import { createRandom } from "../../../../helpers/random.ts";
import { markdownSamples } from "../../../../fixtures/markdown.ts";
import { randomMarkdown } from "./randomMarkdown.ts";
import { createTools, outlineOf } from "./rendering.ts";

/** Writes a text in parts and returns what is shown before and after it is finished. */
function stream(parts: readonly string[]): { readonly live: string; readonly final: string } {
	const tools = createTools();
	const answer = new GrowingAnswer(tools);
	for (const part of parts) {
		answer.append(part);
	}
	tools.idle.runAll();
	const live = answer.element.innerHTML;
	answer.finish();
	tools.idle.runAll();
	return { live, final: answer.element.innerHTML };
}

/** Cuts a text at random places that depend on `seed` alone. */
function cutRandomly(text: string, seed: number): string[] {
	const random = createRandom(seed);
	const parts: string[] = [];
	for (let position = 0; position < text.length;) {
		const part = text.slice(position, position + 1 + random.below(7));
		parts.push(part);
		position += part.length;
	}
	return parts;
}

const reference = new MarkdownIt("default", { html: false });
// The tables of GFM are proven against another parser, in a file of their own.
replaceTableRule(reference);

/** What the reference implementation makes of a text, as an outline. */
function referenceOutline(source: string): string {
	const element = document.createElement("div");
	element.className = "markdown";
	element.innerHTML = reference.render(source);
	return outlineOf(element).replaceAll(/\n(?=<)|(?<=>)\n|^\n|\n$/g, "");
}

function outlineOfHtml(html: string): string {
	const element = document.createElement("div");
	element.className = "markdown";
	element.innerHTML = html;
	return outlineOf(element).replaceAll(/\n(?=<)|(?<=>)\n|^\n|\n$/g, "");
}

test("There are enough samples to mean something", () => {
	expect(markdownSamples.length).toBeGreaterThanOrEqual(80);
});

describe("An answer written character by character looks like one written at once", () => {
	test.each(markdownSamples)("%j", sample => {
		const whole = stream([sample]);
		const characters = stream([...sample].flatMap(character => character.split("")));
		expect(characters.live).toBe(whole.live);
		expect(characters.final).toBe(whole.final);
	});
});

test("Where a text is cut makes no difference", () => {
	for (const [index, sample] of markdownSamples.entries()) {
		const whole = stream([sample]);
		for (const seed of [1, 2, 3]) {
			const cut = stream(cutRandomly(sample, seed * 1000 + index));
			expect(cut, `seed ${seed * 1000 + index}`).toEqual(whole);
		}
	}
});

describe("A finished answer is what the conformant parser makes of it", () => {
	test.each(markdownSamples)("%j", sample => {
		expect(outlineOfHtml(stream([sample]).final)).toBe(referenceOutline(sample));
		const { element } = createFinishedAnswer(sample, createTools());
		expect(outlineOf(element).replaceAll(/\n(?=<)|(?<=>)\n|^\n|\n$/g, "")).toBe(
			referenceOutline(sample),
		);
	});
});

test("All samples one after the other make one conformant answer", () => {
	const source = markdownSamples.filter(sample => !sample.includes("never closed")).join("\n\n");
	expect(outlineOfHtml(stream(cutRandomly(source, 7)).final)).toBe(referenceOutline(source));
});

test("Random Markdown, cut at random, is what the conformant parser makes of it", () => {
	const start = Number(process.env["CUTAWAY_SEED"] ?? 1);
	const count = Number(process.env["CUTAWAY_SEEDS"] ?? 30);
	for (let seed = start; seed < start + count; seed++) {
		const source = randomMarkdown(createRandom(seed), 60);
		if (/<a [^>]*>(?:(?!<\/a>).)*<a /s.test(reference.render(source))) {
			// A link in a link, which HTML cannot hold: the two are bound to differ.
			continue;
		}
		const { final } = stream(cutRandomly(source, seed));
		expect(outlineOfHtml(final), `seed ${seed}: ${JSON.stringify(source)}`).toBe(
			referenceOutline(source),
		);
	}
});

test("How random Markdown looks while it grows does not depend on where it is cut", () => {
	const start = Number(process.env["CUTAWAY_SEED"] ?? 1);
	const count = Number(process.env["CUTAWAY_SEEDS"] ?? 10);
	for (let seed = start; seed < start + count; seed++) {
		const source = randomMarkdown(createRandom(seed), 60);
		const whole = stream([source]).live;
		expect(stream(source.split("")).live, `seed ${seed}: ${JSON.stringify(source)}`).toBe(whole);
	}
});

test("A link defined at the end of an answer works at its beginning", () => {
	const { live, final } = stream([
		"See [the page].\n\nMore.\n\n[the page]: https://example.com/\n",
	]);
	expect(live).not.toContain("<a");
	expect(final).toContain('<a href="https://example.com/"');
});

test("A product is upright while it arrives, and emphasis within a word shows once the text is finished", () => {
	const answer = new GrowingAnswer(createTools());
	answer.append("hello*world and 234234*123, so foo*bar*baz");
	expect(answer.element.querySelector("em")).toBeNull();
	answer.finish();
	expect([...answer.element.querySelectorAll("em")].map(em => em.textContent)).toEqual([
		"world and 234234",
		"bar",
	]);
});

test("What opens emphasis and holds nothing when the outer one closes is text while it arrives", () => {
	const answer = new GrowingAnswer(createTools());
	answer.append("_*_*_*_* and so on");
	expect(answer.element.textContent).toBe("*_* and so on");
});

test("A line of several kinds of marks is shown before it has ended", () => {
	const answer = new GrowingAnswer(createTools());
	answer.append("_*".repeat(20));
	expect(answer.element.textContent.length).toBeGreaterThan(10);
});

test("A block that looks right already is not touched when it is finished", () => {
	const tools = createTools();
	const answer = new GrowingAnswer(tools);
	answer.append("A *paragraph* with `code`.\n\n- one\n- two\n\n");
	const paragraph = answer.element.querySelector("p");
	const list = answer.element.querySelector("ul");
	answer.append("Next.\n");
	answer.finish();
	expect(answer.element.querySelector("p")).toBe(paragraph);
	expect(answer.element.querySelector("ul")).toBe(list);
});

test("A finished block is rendered while the answer still grows", () => {
	const tools = createTools();
	const answer = new GrowingAnswer(tools);
	answer.append("**not closed\n\nNext");
	expect(answer.element.querySelector("strong")).not.toBeNull();
	answer.append(" line\n");
	expect(answer.element.querySelector("strong")).toBeNull();
	expect(answer.element.textContent).toContain("**not closed");
});

test("A code block is finished by its closing fence, not by what follows", () => {
	const tools = createTools();
	const answer = new GrowingAnswer(tools);
	answer.append("```ts\nconst a = 1;\n```\n");
	expect(answer.element.querySelectorAll(".piece")).toHaveLength(2);
});

test("Long code is cut into chunks of 32 lines", () => {
	const lines = Array.from({ length: 100 }, (_, index) => `line ${index}\n`);
	const { final } = stream(["```\n", ...lines, "```\n"]);
	const element = document.createElement("div");
	element.innerHTML = final;
	const chunks = [...element.querySelectorAll(".code-chunk")];
	expect(chunks.map(chunk => chunk.textContent.split("\n").length - 1)).toEqual([32, 32, 32, 4]);
	expect(chunks.map(chunk => chunk.textContent).join("")).toBe(lines.join(""));
});

test("S19: a message over 1 MiB is shown in part until «Show all» is pressed", () => {
	const tools = createTools();
	const answer = new GrowingAnswer(tools);
	const line = `${"word ".repeat(20)}\n\n`;
	const text = line.repeat(Math.ceil((10 * 1024 * 1024) / line.length));
	answer.append(text.slice(0, 10 * 1024 * 1024));
	answer.finish();
	tools.idle.runAll();
	expect(answer.element.textContent.length).toBeLessThanOrEqual(previewCharacters + 100);
	const button = answer.element.querySelector("button");
	expect(button?.textContent).toBe("Show all (10.0 MB)");
});

test("S19: «Show all» shows the rest in slices", () => {
	const tools = createTools();
	const answer = new GrowingAnswer(tools);
	answer.append("```\n");
	const line = `${"x".repeat(1023)}\n`;
	answer.append(line.repeat(1100));
	answer.append("```\nThe end.\n");
	answer.finish();
	tools.idle.runAll();
	expect(answer.received).toBeGreaterThan(collapseCharacters);
	expect(answer.element.textContent).not.toContain("The end.");
	answer.element.querySelector<HTMLButtonElement>("button.show-all")?.click();
	tools.idle.runAll();
	expect(answer.element.textContent).toContain("The end.");
	expect(answer.element.querySelector("button.show-all")).toBeNull();
});

test.each(["- [ ] ", "`", ""])(
	"the lines of a block that arrive together are one change of the page, after %j",
	begin => {
		const answer = new GrowingAnswer(createTools());
		answer.append(`${begin}first\n`);
		const growth = vi.spyOn(Text.prototype, "appendData");
		answer.append("word\n".repeat(500));
		expect(growth.mock.calls.length).toBeLessThanOrEqual(2);
		expect(answer.element.textContent).toMatch(/word\sword/);
		growth.mockRestore();
	},
);

test(
	"many short lines that come at once are written over several moments, as each may be a block",
	{ tags: "thorough" },
	() => {
		const tools = createTools();
		const answer = new GrowingAnswer(tools);
		answer.append("~~~\n".repeat(2000));
		const blocks = (): number => answer.element.querySelectorAll(".code-block").length;
		expect(blocks()).toBe(100);
		tools.idle.runAll();
		expect(blocks()).toBe(1000);
	},
);
