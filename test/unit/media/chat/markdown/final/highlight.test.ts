import { expect, test } from "vitest";
import {
	createHighlighter,
	maxHighlightedCharacters,
} from "../../../../../../media/chat/markdown/final/highlight.ts";
import {
	highlighter,
	loadLanguage,
} from "../../../../../../media/chat/markdown/final/languages.ts";

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

test.each([
	["csharp", "public class A { }", "class"],
	["c#", "public class A { }", "class"],
	["PHP", "<?php function f() { return 1; }", "function"],
	["rb", "def f; end", "def"],
	["kotlin", "fun main() {}", "fun"],
	["swift", "func f() {}", "func"],
	["pwsh", "function Get-It { return $x }", "return"],
	["dockerfile", "FROM node:24\nRUN npm ci", "FROM"],
	["toml", "[package]\nname = 'a'", "[package]"],
	["ini", "[core]\na=1", "[core]"],
	["scss", "$a: 1px;", "$a"],
	["lua", "local a = 1", "local"],
	["dart", "class A {}", "class"],
	["scala", "object A", "object"],
	["r", "if (TRUE) 1", "if"],
	["graphql", "type A { b: Int }", "type"],
	["makefile", "all: build\n\techo 1", "all: build"],
	["ex", "def f, do: 1", "def"],
	["perl", "my $a = 1;", "my"],
	["proto", "message A {}", "message "],
	["hcl", 'resource "a" "b" {\n  c = true\n}', "resource"],
	["tf", "# note\na = 1", "# note"],
	["vue", "<template><p>a</p></template>", "template"],
])("%s is loaded when it is first met", async (language, code, word) => {
	await loadLanguage(language);
	const pieces = highlight(code, language) ?? [];
	expect(pieces.map(([text]) => text).join("")).toBe(code);
	expect(pieces.find(([text]) => text === word)?.[1]).toMatch(/^hljs-/);
});

test("What is in a component's elements is colored as the script it is", () => {
	const pieces = highlight("<script>\nfunction f() { return true; }\n</script>", "vue") ?? [];
	expect(pieces.find(([text]) => text === "return")?.[1]).toBe("hljs-keyword");
});

test("A name that is no language loads nothing", async () => {
	for (const language of ["no-such-language", "__proto__", "constructor", ""]) {
		await expect(loadLanguage(language)).resolves.toBeUndefined();
	}
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
