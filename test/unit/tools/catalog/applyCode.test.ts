import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { applyCode, suggestedFileName } from "../../../../src/tools/catalog/write/applyCode.ts";
import { blockPath } from "../../../../src/tools/catalog/write/blockPath.ts";
import { resolveTarget } from "../../../../src/paths/resolveTarget.ts";
import { allow, createToolBench } from "../../../helpers/toolBench.ts";

test.each([
	["ts src/a.ts", "x", "src/a.ts"],
	["ts:src/deep/a.test.ts", "x", "src/deep/a.test.ts"],
	['ts title="src/a.ts"', "x", "src/a.ts"],
	["js {file=app.mjs}", "x", "app.mjs"],
	['tsx title="app/(shop)/page.tsx"', "x", "app/(shop)/page.tsx"],
	["ts src\\a.ts", "x", "src\\a.ts"],
	["ts src/a.ts:10-20", "x", "src/a.ts"],
	["10:20:src/a.ts", "x", "src/a.ts"],
	["ts src/a.ts#L3-L9", "x", "src/a.ts"],
	["svelte src/routes/[...rest]/+page.svelte", "x", "src/routes/[...rest]/+page.svelte"],
	['py path="my notes/übung.py"', "x", "my notes/übung.py"],
	["dockerfile Dockerfile", "x", "Dockerfile"],
	["Dockerfile", "x", undefined],
	["vb.net", "x", undefined],
	["ts {1,3-4}", "x", undefined],
	["ts", "const version = 1.5;", undefined],
	["py", "# v1.2\nrun()", undefined],
	["ts", "// see https://example.org/a.ts for more", undefined],
])("the info «%s» names %s", (info, text, path) => {
	expect(blockPath({ info, text })).toEqual(
		path === undefined ? { code: text } : { path, code: text },
	);
});

test.each([
	["// src/a.ts\nrun();", "src/a.ts"],
	["# scripts/run.py\nrun()", "scripts/run.py"],
	["<!-- index.html -->\n<p>", "index.html"],
	["// File: src/a.ts\nrun();", "src/a.ts"],
	["// path: src/a.ts\nrun();", "src/a.ts"],
	["// src/app/[id]/page.tsx\nrun();", "src/app/[id]/page.tsx"],
	["// app/(shop)/page.tsx\nrun();", "app/(shop)/page.tsx"],
	["// src/a.ts:10-20\nrun();", "src/a.ts"],
	["// src/a.ts (updated)\nrun();", "src/a.ts"],
	["{/* src/a.tsx */}\nrun();", "src/a.tsx"],
	["# `scripts/übung.py`\nrun()", "scripts/übung.py"],
	["# Dockerfile\nFROM node:22", "Dockerfile"],
	["# .env.example\nA=1", ".env.example"],
	["% thesis/main.tex\nText", "thesis/main.tex"],
	["// File: Node.js\nrun();", "Node.js"],
])(
	"a first line that is only a path names the file and is no part of the code: %j",
	(text, path) => {
		expect(blockPath({ info: "", text })).toEqual({ path, code: text.split("\n")[1] });
	},
);

test.each([
	"// Node.js",
	"// Bun.js",
	"// console.log",
	"# process.env",
	"# node.js",
	"// Vue.js",
	"// example.com",
	"# example.org",
	"// example.com/docs.html",
])(
	"a first line that names a technology, a host or a version stays, unless a file is called so: %s",
	first => {
		const text = `${first}\nrun();`;
		expect(blockPath({ info: "", text })).toEqual({ code: text });
		const name = first.replace(/^\W+/, "");
		expect(blockPath({ info: "", text }, path => path === name)).toEqual({
			path: name,
			code: "run();",
		});
	},
);

test("a patch names its file, unless it has several", () => {
	const patch = "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-one\n+two";
	expect(blockPath({ info: "diff", text: patch })).toEqual({ path: "src/a.ts", code: patch });
	const begun = "*** Begin Patch\n*** Add File: docs/bar.md\n+text\n*** End Patch";
	expect(blockPath({ info: "", text: begun })).toEqual({ path: "docs/bar.md", code: begun });
	const two = `${patch}\n--- a/src/b.ts\n+++ b/src/b.ts\n@@ -1 +1 @@\n-one\n+two`;
	expect(blockPath({ info: "diff", text: two })).toEqual({ code: two });
});

test("no model can ask for a code block to be applied", async () => {
	const bench = await createToolBench();
	bench.decide = allow;
	const path = bench.put("ws/a.ts", "one();\n");
	const result = await bench.run("apply_code", { path: "a.ts", code: "two();" });
	expect(result.state).toBe("invalid");
	expect(bench.asked).toEqual([]);
	expect(readFileSync(path, "utf8")).toBe("one();\n");
});

test("a block is planned as hunks of the file it is for, and changes nothing by itself", async () => {
	const bench = await createToolBench();
	const path = bench.put("ws/a.ts", "one();\n");
	const roots = { roots: bench.roots, platform: "linux" } as const;
	const resolution = resolveTarget("a.ts", roots);
	const accepted = applyCode.accept({ path: "a.ts", code: "two();", place: "end" });
	if (!resolution.ok || !accepted.ok) {
		throw new Error("The path and the arguments are good ones.");
	}
	const { target } = resolution;
	expect(accepted.request.paths).toEqual([{ path: "a.ts", use: "write", expects: "file" }]);
	const { preview } = await accepted.request.plan([target], {
		editor: bench.editor,
		look: () => target,
		tellable: () => target,
		resolve: () => target,
		callId: "call",
		chatId: "chat",
		askedBelow: undefined,
		isTyped: () => false,
		clock: bench.clock,
		signal: new AbortController().signal,
	});
	expect(preview?.files.map(({ after }) => after)).toEqual(["one();\ntwo();\n"]);
	expect(readFileSync(path, "utf8")).toBe("one();\n");
});

test.each([
	["typescript", "untitled.ts"],
	["ts {1}", "untitled.ts"],
	["C++", "untitled.cpp"],
	["go", "untitled.go"],
	["", "untitled.txt"],
	["dockerfile", "untitled.txt"],
	["../x", "untitled.txt"],
])("a file of «%s» is suggested as %s", (info, name) => {
	expect(suggestedFileName(info)).toBe(name);
});
