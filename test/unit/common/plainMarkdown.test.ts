import { describe, expect, test } from "vitest";
import { readMarkdown, plainLabel, styledParts } from "../../../src/common/plainMarkdown.ts";

describe("Markdown is read as a reader sees it", () => {
	test.each([
		[
			"**bold** and *slanted*, __bold__ and _slanted_, ~~gone~~",
			"bold and slanted, bold and slanted, gone",
		],
		['see [the page](https://a.example/b "Title") and ![a cat](cat.png)', "see the page and a cat"],
		["run `npm ci` or ``a `b` c``", "run npm ci or a `b` c"],
		["`__init__` and `a * b * c` of `~~x~~`", "__init__ and a * b * c of ~~x~~"],
		["**run `npm ci` now**", "run npm ci now"],
		["- one\n* two\n+ [ ] three\n- [x] four", "• one\n• two\n☐ three\n☑ four"],
		["> quoted\n\n---\nafter", "quoted\n\nafter"],
		["one\n\n## Two ##\nthree", "one\n\nTwo\nthree"],
	])("%j", (text, body) => {
		expect(readMarkdown(`Begin.\n${text}`).body).toBe(`Begin.\n${body}`);
	});

	test.each([
		"2 * 3 * 4 = 24",
		"snake_case_name and __init__py",
		"a [list] (not a link)",
		"5 > 3",
		"C# and #hashtag",
	])("what only looks like marks stays: %j", text =>
		expect(readMarkdown(text)).toEqual({ title: "", body: text }),
	);

	test("the words of bold, code and struck text are told apart where that is wanted", () => {
		const { body } = readMarkdown("**Two words**, `__init__`, ~~gone~~ and *slanted*.", true);
		expect(styledParts(body)).toEqual([
			{ text: "Two", style: "bold" },
			{ text: " ", style: undefined },
			{ text: "words", style: "bold" },
			{ text: ", ", style: undefined },
			{ text: "__init__", style: "code" },
			{ text: ", ", style: undefined },
			{ text: "gone", style: "struck" },
			{ text: " and ", style: undefined },
			{ text: "slanted", style: "italic" },
			{ text: ".", style: undefined },
		]);
	});

	test("a heading at the beginning is the title, as is a short first line by itself", () => {
		const body = "A small shop.\n• Beans";
		expect(readMarkdown("# Corner *Roastery*\n\nA small shop.\n- Beans")).toEqual({
			title: "Corner Roastery",
			body,
		});
		expect(readMarkdown("Corner Roastery\n\nA small shop.\n- Beans").title).toBe("Corner Roastery");
		expect(readMarkdown("# Alone").title).toBe("");
		expect(readMarkdown("- Beans\n\nA small shop.").title).toBe("");
		expect(readMarkdown(`${"Long ".repeat(20)}\n\nA small shop.`).title).toBe("");
	});
});

/** What the editor makes a link of in its messages and inputs. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

test.each([
	"[Continue](command:workbench.action.terminal.new)",
	'[a](https://evil.example/ "Allow")',
	"[[a](command:x)](command:y)",
	"]([a](file:///etc/passwd)",
])("T29: %s is no link any more, and can still be read", text => {
	expect(text).toMatch(link);
	expect(plainLabel(text)).not.toMatch(link);
	expect(plainLabel(text).replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
});

test("T29: an icon's name stays a name", () => {
	expect(plainLabel("$(shield) Allowed $$(x)")).toBe("$ (shield) Allowed $$ (x)");
	expect(plainLabel("a $ (b) [c] (d)")).toBe("a $ (b) [c] (d)");
});
