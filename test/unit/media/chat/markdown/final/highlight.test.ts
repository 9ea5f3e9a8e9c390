import { expect, test } from "vitest";
import {
	createHighlighter,
	maxHighlightedCharacters,
} from "../../../../../../media/chat/markdown/final/highlight.ts";
import { highlighter } from "../../../../../../media/chat/markdown/final/languages.ts";

const highlight = createHighlighter(highlighter);

test.each([
	["ts", "const a: number = 1;", "const"],
	["js", "function f() {}", "function"],
	["python", "def f(): pass", "def"],
	["json", '{ "a": true }', "true"],
	["html", '<p class="x">y</p>', "p"],
	["css", "p { color: red; }", "p"],
	["bash", "if true; then echo; fi", "if"],
	["go", "func main() {}", "func"],
	["rust", "fn main() {}", "fn"],
	["java", "class A {}", "class"],
	["c", "return 0;", "return"],
	["cpp", "namespace a {}", "namespace"],
	["sql", "SELECT 1", "SELECT"],
	["yaml", "a: true", "true"],
	["diff", "+added\n-removed", "+added"],
	["markdown", "# Title", "# Title"],
])("%s has its words told apart, and nothing of the code is lost", (language, code, word) => {
	const pieces = highlight(code, language) ?? [];
	expect(pieces.map(([text]) => text).join("")).toBe(code);
	expect(pieces.find(([text]) => text === word)?.[1]).toMatch(/^hljs-/);
});

test("Code in an unknown language or over the limit is left as it is", () => {
	expect(highlight("x", "no-such-language")).toBeUndefined();
	expect(highlight("x", "__proto__")).toBeUndefined();
	expect(highlight("x".repeat(maxHighlightedCharacters + 1), "ts")).toBeUndefined();
});

test("A class name comes from the library's scopes alone, whatever the code says", () => {
	const hostile =
		'const a = "</span><img src=x onerror=alert(1)>"; `${"<script>"}`; // hljs-" onload="x';
	for (const [, className] of highlight(hostile, "ts") ?? []) {
		expect(className).toMatch(/^(?:|hljs-[\w-]+(?: hljs-[\w-]+)*)$/);
	}
});
