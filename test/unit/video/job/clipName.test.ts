import { expect, test } from "vitest";
import { clipName } from "../../../../src/video/job/clipName.ts";

const nameOf = (prompt: string, file?: string) => {
	const source = file === undefined ? undefined : { uri: `file:///${file}`, name: file };
	const { symbol, file: from } = clipName({ request: { kind: "text", prompt }, source }) ?? {};
	return [symbol, from];
};

test.each([
	[
		"volumeDiscount",
		"/** Cheaper by the dozen: function of the price. */\nexport function volumeDiscount(n: number): number {\n\treturn n;\n}",
	],
	[
		"debounce",
		"// class for timers\nexport const debounce = (f: () => void) => {\n\tconst timer = 0;\n};",
	],
	[
		"Cart",
		"import x from 'y';\n\n@Injectable()\nexport default abstract class Cart {\n\ttotal(items = []) {\n\t}\n}",
	],
	["total", "async total(items: readonly Item[]): Promise<number> {\n\t\tif (items) {\n\t\t}\n\t}"],
	["read_all", "# def old\n@cache\ndef read_all(path):\n    x = 1"],
	["Serve", "func (s *Server) Serve(l net.Listener) error {\n\treturn nil\n}"],
	["parse", "pub(crate) async fn parse<T>(input: &str) -> T {\n}"],
	["getPrice", "public static int getPrice(int n) {\n  return n;\n}"],
	["orders", "CREATE TABLE IF NOT EXISTS orders (\n  id int\n);"],
])("a clip of code is named %s after what the code declares", (symbol, code) => {
	expect(nameOf(code, "pricing.ts")).toEqual([symbol, "pricing.ts"]);
	expect(nameOf(`\`\`\`ts {1}\n${code}\n\`\`\``)).toEqual([symbol, undefined]);
});

test.each([
	["only a comment", "// function of the price\n/* class Price */"],
	[
		"a piece of a function",
		"const half = price / 2;\n\t\tif (half > 3) {\n\t\t\tdone(half);\n\t\t}",
	],
	["a call", "describe('x', () => {\n\trun();\n});"],
])("%s is named after its file", (_what, code) => {
	expect(nameOf(code, "pricing.ts")).toEqual([undefined, "pricing.ts"]);
});

test("a change is named after its file, and words before code are the title", () => {
	expect(nameOf("pricing.ts\n```diff\n@@ -1 +1 @@\n-function a() {\n+function b() {\n```")).toEqual(
		[undefined, "pricing.ts"],
	);
	expect(nameOf("How it rounds\n```ts\nfunction round() {\n}\n```", "notes.md")).toEqual([
		undefined,
		undefined,
	]);
});

test.each(["A red fox", "The class Cart was split.", "function follows form"])(
	"the words %s name themselves",
	prompt => {
		expect(nameOf(prompt, "README.md")).toEqual([undefined, undefined]);
	},
);
