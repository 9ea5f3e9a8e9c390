import MarkdownIt from "markdown-it";
import { describe, expect, test } from "vitest";
import {
	codeSpan,
	escapedLine,
	withClosedFence,
} from "../../../../src/chat/export/chatMarkdown.ts";
import { fence } from "../../../../src/common/plainMarkdown.ts";

const markdown = new MarkdownIt("commonmark", { html: true });

describe("a fenced block", () => {
	test.each(["plain", "", "a\n", "```js\nx\n```", "````\n`````", "~~~", "  \n\n  "])(
		"holds %j as it is, whatever it holds",
		text => {
			const blocks = markdown.parse(`${fence(text, "txt")}\n\nafter`, {});
			const end = text === "" || text.endsWith("\n") ? "" : "\n";
			expect(blocks[0]).toMatchObject({ type: "fence", info: "txt", content: text + end });
			expect(blocks.slice(1).map(({ type }) => type)).toContain("paragraph_open");
		},
	);
});

describe("a text whose last block is closed", () => {
	test.each([
		["no block", "words"],
		["a closed block", "```js\nx\n```\nafter"],
		["a block closed by more", "```\nx\n`````"],
		["tildes around backticks", "~~~\n```\n~~~"],
		["inline code", "``` a `b` ```"],
		["nothing", ""],
	])("is left alone with %s", (_, text) => {
		expect(withClosedFence(text)).toBe(text);
	});

	test.each([
		["```js\nlet x", "```js\nlet x\n```"],
		["```js\nlet x\n", "```js\nlet x\n```"],
		["````\n```\n", "````\n```\n````"],
		["  ~~~~ py\nx\n```\n~~~", "  ~~~~ py\nx\n```\n~~~\n~~~~"],
		["```\na\n``` js", "```\na\n``` js\n```"],
		["```\r\na\r\n```\r\n```", "```\r\na\r\n```\r\n```\n```"],
	])("of %j is %j, and what follows stands outside", (text, expected) => {
		expect(withClosedFence(text)).toBe(expected);
		expect(markdown.render(`${expected}\n\nafter`)).toContain("<p>after</p>");
	});
});

test.each(["`", "a``b", " x ", "*b*", "<b>"])("a name %j is shown as it is in code", name => {
	const shown = markdown.renderInline(codeSpan(name)).replaceAll(/<\/?code>/g, "");
	expect(shown.trim()).toBe(markdown.utils.escapeHtml(name).trim());
});

test.each(["# a", "*b* _c_ ~~d~~", "[x](y)", "<b>&amp;", "a\n\n# b", "![i](j)", "1 | 2", "`c`"])(
	"a title %j has no meaning in Markdown",
	title => {
		const shown = markdown.render(`# ${escapedLine(title)}`);
		expect(shown).toBe(`<h1>${markdown.utils.escapeHtml(title.replaceAll(/\s+/g, " "))}</h1>\n`);
	},
);
