/**
 * The part of the build that leaves out of the chat's page what markdown-it brings along and answers never need: its renderer, the
 * steps behind its two parsers, raw HTML, and the rules that ours take the place of. It is a quarter of what the page parses with.
 */
import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/** What stands in the package, and what takes its place; a name stays, as rules are put before others by their names. */
const cuts: readonly (readonly [from: RegExp, to: string])[] = [
	[/^var _rules\$2 = \[[^;]*\];/m, "var _rules$2 = [];"],
	[/"table",\s*table,/, '"table", () => false,'],
	[/"fence",\s*fence,/, '"fence", () => false,'],
	[/"html_block",\s*html_block,/, '"html_block", () => false,'],
	[/\["linkify", linkify\]/, '["linkify", () => false]'],
	[/\["html_inline", html_inline\]/, '["html_inline", () => false]'],
	[/new Renderer\(\)/, "undefined"],
	[/new ParserCore\(\)/, "undefined"],
	[/"utils",\s*utils_exports/, '"utils", undefined'],
	[/^_defineProperty\(MarkdownIt, .*\);\n/gm, ""],
	[/^\tnormalizeLink\(url\) \{[^]*?(?=^\tconstructor\(\.\.\.args\))/m, ""],
	[/^\tenable\(list, ignoreInvalid = false\) \{\n\t\tlet result = \[\];[^]*?(?=^\};)/m, ""],
	[/^\tzero: \{[^]*?(?=^\};)/m, ""],
	[/^default_rules\.\w+ = function[\s\S]*?^};?\n/gm, ""],
];

/** Makes the cuts, and fails when the package has changed where one of them was. */
export const trimMarkdown: Plugin = {
	name: "trim-markdown",
	setup: build => {
		build.onLoad({ filter: /markdown-it\.mjs$/ }, async ({ path }) => {
			const text = await readFile(path, "utf8");
			const missing = cuts.filter(([from]) => text.search(from) === -1);
			if (missing.length > 0) {
				throw new Error(`markdown-it has changed: ${missing.map(String).join(" ")}`);
			}
			return { contents: cuts.reduce((rest, [from, to]) => rest.replace(from, to), text) };
		});
	},
};
