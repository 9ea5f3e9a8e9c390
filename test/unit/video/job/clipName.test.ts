import { expect, test } from "vitest";
import { clipName, promptText, promptTitle } from "../../../../src/video/job/clipName.ts";

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

test("several declarations side by side are named after their file, if it is known", () => {
	const code =
		"export interface Line {\n\tcount: number;\n}\n\nexport function quote(line: Line) {\n\treturn 1;\n}";
	expect(nameOf(code, "pricing.ts")).toEqual([undefined, "pricing.ts"]);
	expect(nameOf(`\`\`\`ts\n${code}\n\`\`\``)).toEqual(["Line", undefined]);
	expect(nameOf("const a = 1;\nconst b = 2;", "pricing.ts")).toEqual([undefined, "pricing.ts"]);
	const overloads =
		"function f(a: 1): 1;\nfunction f(a: 2): 2;\nfunction f(a: any) {\n\treturn a;\n}";
	expect(nameOf(overloads, "pricing.ts")).toEqual(["f", "pricing.ts"]);
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

test("prose is named by its heading, without the sentence below it", () => {
	const text = "# Corner Roastery\n\nA small shop that sells beans.";
	expect(promptTitle(text)).toBe("Corner Roastery");
	expect(promptTitle("## Corner Roastery\nA small shop that sells beans.")).toBe("Corner Roastery");
	expect(promptTitle("Corner Roastery\n\nA small shop that sells beans.")).toBe("Corner Roastery");
	expect(promptText(text, 100)).toBe("Corner Roastery A small shop that sells beans.");
});

test("prose without a heading is named by its first words, to the end of one", () => {
	const text = "The orders of a day are **grouped** by customer, so that one parcel is enough.";
	expect(promptTitle(text)).toBe("The orders of a day are grouped by…");
	expect(promptTitle(text, 48)).toBe("The orders of a day are grouped by customer, so…");
	expect(promptTitle(text, 46)).toBe("The orders of a day are grouped by customer…");
	expect(promptTitle("- [ ] Write the report")).toBe("Write the report");
});

test("a title is one line and says when it goes on", () => {
	expect(promptTitle("two\n  lines\tof text")).toBe("two lines of text");
	expect(promptTitle("x".repeat(100), 10)).toBe(`${"x".repeat(9)}…`);
	expect([...promptTitle("🚣".repeat(100), 10)]).toHaveLength(10);
});

test("a title leaves out what marks a heading, a list or a comment, and is never empty for it", () => {
	expect(promptTitle("# The **Corner** Roastery")).toBe("The Corner Roastery");
	expect(promptTitle("// a boat\n// a river")).toBe("a boat // a river");
	expect(promptTitle("- item")).toBe("item");
	expect(promptTitle("###")).not.toBe("");
});

test("a title of code is no fence and no comment", () => {
	expect(promptTitle("```ts\n// Runs late.\n/* All\n of it. */\nrun(late);\n```")).toBe(
		"run(late);",
	);
	expect(promptTitle("Runs late\n```ts\nrun(late);\n```")).toBe("Runs late");
});

test.each([
	["diff", true],
	["ts", false],
])("a block of %s is named as a change: %s", (language, isChange) => {
	const prompt = `cart.ts\n\`\`\`${language}\n-a\n+b\n\`\`\``;
	expect(clipName({ request: { kind: "text", prompt }, source: undefined })).toMatchObject({
		file: "cart.ts",
		isChange,
	});
});
