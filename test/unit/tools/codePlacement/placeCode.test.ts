import { describe, expect, test } from "vitest";
import {
	placeAt,
	placeCode,
	textOfNewFile,
	type CodePlacement,
} from "../../../../src/tools/codePlacement/placeCode.ts";
import { applyHunks } from "../../../../src/tools/contract/edits.ts";

const file = `import { a } from "./a.ts";

/** Adds. */
export function add(x: number, y: number): number {
	return x + y;
}

class Shop {
	open(): void {
		this.lights = true;
	}

	close(): void {
		this.lights = false;
	}
}
`;

function textOf(text: string, placement: CodePlacement): string | undefined {
	return placement.type === "placed" ? applyHunks(text, placement.hunks) : undefined;
}

const placed = (text: string, code: string, path = "a.ts", isDiff = false): string | undefined =>
	textOf(text, placeCode(text, code, path, [], isDiff));

test.each([
	["a.py", "# one\nA = 1\n\n# two\nB = 2\n", "# one\nA = 2\n\n# two\nC = 3"],
	["requirements.txt", "# web\nflask==2\n\n# http\nrequests==2\n", "# http\nhttpx==1"],
	[".gitignore", "# build\ndist/\n\n# logs\n*.log\n", "# build\nout/\n\n# logs\n*.log"],
])(
	"in %s, what has the comment of something that the block doesn't show is asked about",
	(path, text, code) => {
		expect(placeCode(text, code, path)).toEqual({ type: "unclear", isPart: false });
	},
);

test("a comment for a tool doesn't tell that one thing replaces another", () => {
	const text = "// eslint-disable-next-line\nfunction a() {\n\tone();\n}\n";
	const code = "// eslint-disable-next-line\nfunction c() {\n\ttwo();\n}";
	expect(placed(text, code)).toBe(`${text}\n${code}\n`);
});

test.each([
	[
		"Jenkinsfile",
		"pipeline {\n  stages {\n    stage('A') {\n      sh 'a'\n    }\n  }\n}\n",
		"stage('A') {\n  sh 'b'\n}",
	],
	[
		"main.tf",
		'resource "a" "b" {\n  ingress {\n    port = 1\n  }\n}\n',
		"ingress {\n  port = 2\n}",
	],
])("in %s, settings that are nested aren't put beside what they are in", (path, text, code) => {
	expect(placeCode(text, code, path)).toEqual({ type: "unclear", isPart: false });
});

test.each([
	["a patch without its end", "*** Begin Patch\n*** Update File: a.py\n@@\n-a = 1\n+a ="],
	["a diff without context", "1c1\n< a = 1\n---\n> a = 3"],
	[
		"a context diff",
		"*** a.py\n--- a.py\n***************\n*** 1 ****\n! a = 1\n--- 1 ----\n! a = 3",
	],
])("%s is a part, which is put nowhere as it is", (_, code) => {
	expect(placeCode("a = 1\nb = 2\n", code, "a.py")).toEqual({ type: "unclear", isPart: true });
	expect(placeAt("a = 1\n", code, "a.py", "end", undefined)).toEqual({
		type: "unclear",
		isPart: true,
	});
});

describe("a block of code is placed", () => {
	test("line by line, with a hunk for each part that changes", () => {
		const code = file.replace("x + y", "y + x").replace("= false", "= 0");
		const placement = placeCode(file, code, "a.ts");
		expect(textOf(file, placement)).toBe(code);
		expect(
			placement.type === "placed" &&
				placement.hunks.map(({ startLine, oldText }) => [startLine, oldText]),
		).toEqual([
			[5, "\treturn x + y;\n"],
			[14, "\t\tthis.lights = false;\n"],
		]);
	});

	test("as the whole text where there is none yet", () => {
		expect(placed("", "two()\n")).toBe("two()\n");
	});

	test("with the line ends of the file, and without one at the end where it has none", () => {
		const windows = file.replaceAll("\n", "\r\n").trimEnd();
		const code = "close(): void {\n\tthis.lights = false;\n\tlock();\n}\n";
		const right = file.replace("= false;\n", "= false;\n\t\tlock();\n");
		expect(placed(windows, code)).toBe(right.replaceAll("\n", "\r\n").trimEnd());
	});

	test("in place of what the editor's symbols name where the text's own structure doesn't show it", () => {
		const text = "MODULE_FUNCTION(start, int argument)\n{\n\trun(argument);\n}\n\nint other;\n";
		const symbols = [{ name: "start", first: 0, end: 4 }];
		const code = "int start(int argument)\n{\n\treturn run(argument);\n}\n";
		const placement = placeCode(text, code, "a.c", symbols);
		expect(textOf(text, placement)).toBe(`${code}\nint other;\n`);
	});
});

describe("a patch", () => {
	const add = "--- /dev/null\n+++ b/x.py\n@@ -0,0 +1,2 @@\n+a\n+b";
	test("that creates a file leaves its new side alone in an empty one", () => {
		const begun = "*** Begin Patch\n*** Add File: bar.md\n+This is a new file\n*** End Patch";
		expect(placed("", begun, "bar.md")).toBe("This is a new file\n");
		expect(placed("\n", add, "x.py")).toBe("a\nb\n");
		expect(textOfNewFile(add, "x.py", false)).toBe("a\nb");
		expect(textOfNewFile("a\n", "x.py", false)).toBe("a\n");
		expect(textOfNewFile("@@ -1 +1 @@\n-a\n+b", "x.py", false)).toBeUndefined();
	});

	test("is read although the spaces before its lines are lost", () => {
		const text = "class A:\n    def a(self):\n        x = 1\n        return x\n";
		const right = text.replace("1", "2");
		const begun =
			"*** Begin Patch\n*** Update File: a.py\n@@ class A:\n    def a(self):\n-        x = 1\n+        x = 2\n        return x\n*** End Patch";
		expect(placed(text, begun, "a.py")).toBe(right);
		expect(
			placed(
				"def a():\n    x = 1\n    return x\n",
				"@@ -1,3 +1,3 @@\ndef a():\n-    x = 1\n+    x = 2\n     return x",
				"a.py",
			),
		).toBe("def a():\n    x = 2\n    return x\n");
		expect(
			placed("function a() {\n\tx();\n}\n", "function a() {\n-\tx();\n+\ty();\n}", "a.js"),
		).toBe("function a() {\n\ty();\n}\n");
		expect(placed("on:\n  push:\n", "on:\n-  push:\n+  pull_request:", "a.yml", true)).toBe(
			"on:\n  pull_request:\n",
		);
	});

	test("of lines that are there twice goes where its number or its heading says", () => {
		const text = "x = 1\ny = 2\n\nx = 1\ny = 2\n";
		expect(placed(text, "@@ -4,2 +4,2 @@\n-x = 1\n+x = 9\n y = 2", "a.py")).toBe(
			"x = 1\ny = 2\n\nx = 9\ny = 2\n",
		);
		const twice = "def a():\n    x = 1\n\ndef b():\n    x = 1\n";
		expect(placed(twice, "@@ def b():\n-    x = 1\n+    x = 2", "a.py")).toBe(
			"def a():\n    x = 1\n\ndef b():\n    x = 2\n",
		);
		expect(placed(text, "@@ -2,2 +2,2 @@\n-x = 1\n+x = 9\n y = 2", "a.py")).toBeUndefined();
	});

	test.each([
		["a torn search", "<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n"],
		["the end of a replacement", "x = 2\n>>>>>>> REPLACE"],
		[
			"a conflict of three sides",
			"<<<<<<< HEAD\nx = 1\n||||||| base\nx = 0\n=======\nx = 2\n>>>>>>> a/b",
		],
		["a hunk of other lines", "@@ -1,2 +1,2 @@\n-one\n+two"],
		["a file to delete", "*** Begin Patch\n*** Delete File: a.py\n*** End Patch"],
		["lines with plus signs", "+x = 2\n+y = 3"],
		["two files", `${add}\n--- /dev/null\n+++ b/y.py\n@@ -0,0 +1 @@\n+c`],
	])("that can't be placed is never code as it is: %s", (_, patch) => {
		for (const text of ["x = 1\n", "def f():\n    pass\n"]) {
			expect(placeCode(text, patch, "a.py")).toEqual({ type: "unclear", isPart: true });
		}
		expect(["unclear", "placed"]).toContain(placeCode("", patch, "a.py").type);
		expect(placed("", patch, "a.py") ?? "").not.toMatch(/[<>=]{7}|^[+*]/m);
		for (const place of ["cursor", "end", "whole"] as const) {
			expect(placeAt("x = 1\n", patch, "a.py", place, { start: 0, end: 0 })).toEqual({
				type: "unclear",
				isPart: true,
			});
		}
	});

	test("that creates two files creates none", () => {
		const two = `${add}\n--- /dev/null\n+++ b/y.py\n@@ -0,0 +1 @@\n+c`;
		expect(placeCode("", two, "x.py")).toEqual({ type: "unclear", isPart: true });
	});

	test("is code in a file of patches, in a fence of a document, and in a string", () => {
		expect(placed("", add, "x.patch")).toBe(`${add}\n`);
		const fenced = "# A\n\n```diff\n@@ -1 +1 @@\n-one\n+two\n```";
		expect(placed("# A\n\nText\n", fenced, "a.md")).toBe(`${fenced}\n`);
		const quoted = "const a = `\n@@ -1 +1 @@\n-one\n+two\n`;";
		expect(placed("const a = 1;\n", quoted, "a.js")).toBe(`${quoted}\n`);
	});
});

describe("the place is not clear", () => {
	const ends = [{ name: "add", first: 3, end: 9 }];
	test.each([
		[
			"where the editor's symbols end a declaration elsewhere",
			"export function add() {}",
			ends,
			false,
		],
		["for parts that say nothing of their place", "unknown();\n// ...\nother();", [], true],
		["for a diff of other lines", "@@ -1 +1 @@\n-one\n+two", [], true],
		["for a statement", "add(1, 2);", [], false],
		[
			"for a line that a diff adds without others around it, also where the file has it elsewhere",
			"@@ -9 +9 @@\n-\t\tthis.lights = true;\n+\t\tthis.lights = 1;\n@@ -11,0 +11 @@\n+class Shop {",
			[],
			true,
		],
		[
			"for a declaration that was cut off",
			"export function add(x: number) {\n\tcheck(x);",
			[],
			true,
		],
		["for a declaration cut off in a comment", "export function add() {}\n/* Adds", [], true],
		["for the end of a declaration", "\treturn x;\n}\n\nclass Shop {}", [], true],
	])("%s", (_, code, symbols, isPart) => {
		expect(placeCode(file, code, "a.ts", symbols)).toEqual({ type: "unclear", isPart });
	});

	test("for a name that is declared twice", () => {
		const twice = "function f() {\n\tone();\n}\nfunction f() {\n\ttwo();\n}\n";
		expect(placeCode(twice, "function f(x) {\n\tthree();\n}", "a.js").type).toBe("unclear");
	});
});

test("an object on one line that is nested too deeply to be split stays as it is", () => {
	const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
	const text = '{\n  "a": {\n    "b": 1\n  }\n}\n';
	expect(placed(text, `{\n  "a": {"b": ${deep}}\n}\n`, "a.json")).toContain(deep);
});

test("an import that the file has without a semicolon isn't added again", () => {
	const styled = (end: string, body: string) =>
		`import "./style.css"${end}\n\nfunction show() {\n\t${body};\n}\n`;
	expect(placed(styled("", "one()"), styled(";", "two()"))).toBe(styled("", "two()"));
});

test("what is there already is known, and a block of blank lines is empty", () => {
	expect(placeCode(file, file, "a.ts")).toEqual({ type: "known", isPart: false });
	expect(placeCode(file, " \n", "a.ts")).toEqual({ type: "empty" });
});

test.each([
	["def a():\n    return 1\n\ndef b():\n    return 2\n", "def b(): ...", "a.py"],
	["def b():\n    return 2\n", "def b():\n    # ... existing code ...", "a.py"],
	["function a() {\n  return 1;\n}\n", "function a() {\n  // ...\n}", "a.js"],
])("a block whose rest is in the text is known only in part: %j, %j", (text, code, path) => {
	expect(placeCode(text, code, path)).toEqual({ type: "known", isPart: true });
});

describe("a block goes where the user chose", () => {
	const at = (code: string, place: "cursor" | "end" | "whole", start: number, end = start) =>
		textOf(file, placeAt(file, code, "a.ts", place, { start, end }));
	const start = file.indexOf("return x");

	test("in place of the selection, below the cursor with its indentation, at the end, as the whole file", () => {
		expect(at("return 3;", "cursor", start, start + "return x + y;".length)).toBe(
			file.replace("return x + y;", "return 3;"),
		);
		expect(at("check(x);", "cursor", start)).toBe(
			file.replace("x + y;\n", "x + y;\n\tcheck(x);\n"),
		);
		expect(at("check(1);", "end", start)).toBe(`${file}check(1);\n`);
		expect(at("check(1);", "whole", start)).toBe("check(1);\n");
	});

	test("in the file's own indentation", () => {
		expect(at("if (x) {\n    check(x);\n}", "cursor", start)).toBe(
			file.replace("x + y;\n", "x + y;\n\tif (x) {\n\t\tcheck(x);\n\t}\n"),
		);
	});
});

test("a long file and a long block are placed in a moment", () => {
	const lines = (from: number): string =>
		Array.from(
			{ length: 3000 },
			(_, at) => `function f${at}(x) {\n\treturn ${from + at} + x;\n}\n`,
		).join("\n");
	expect(placed(lines(0), lines(1), "a.js")).toBe(lines(1));
});

test.each([
	["brackets", "[{(".repeat(20_000)],
	["quotes", "'\"`".repeat(20_000)],
	["stars", `${"* & ".repeat(20_000)}(`],
	["words", `${"word ".repeat(20_000)}(`],
	["dots", `// ${"existing ... ".repeat(10_000)}`],
	["markers", "<<<<<<< SEARCH\n=======\n".repeat(5000)],
])("a block of nothing but %s ends soon", { timeout: 5000 }, (_, code) => {
	expect(["placed", "unclear", "known", "empty"]).toContain(placeCode(file, code, "a.ts").type);
	expect(["placed", "unclear", "known", "empty"]).toContain(placeCode(code, file, "a.cpp").type);
});
