// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createFinishedAnswer } from "../../../../../../media/chat/markdown/answer.ts";
import { fileOf, placeInAddress } from "../../../../../../media/chat/markdown/elements/fileLink.ts";
import { FileLinks } from "../../../../../../media/chat/markdown/final/fileLinks.ts";
import { placeIn } from "../../../../../../src/shared/namedLines.ts";
import { createTools } from "../rendering.ts";

describe("A place in a file", () => {
	test.each([
		["src/a.ts", { path: "src/a.ts" }],
		["src/a.ts:12", { path: "src/a.ts", line: 12 }],
		["src/a.ts:12:5", { path: "src/a.ts", line: 12 }],
		["src/a.ts:12-20", { path: "src/a.ts", line: 12, endLine: 20 }],
		["src/a.ts#L3", { path: "src/a.ts", line: 3 }],
		["src/a.ts#L3-L9", { path: "src/a.ts", line: 3, endLine: 9 }],
		["package.json", { path: "package.json" }],
		["Makefile", { path: "Makefile" }],
		[".gitignore", { path: ".gitignore" }],
		["C:\\work\\a.ts:7", { path: "C:\\work\\a.ts", line: 7 }],
		["src/app/[locale]/page.tsx:12", { path: "src/app/[locale]/page.tsx", line: 12 }],
		["app/(shop)/[[...slug]]/page.tsx", { path: "app/(shop)/[[...slug]]/page.tsx" }],
		["src/routes/[id=int]/+page.svelte", { path: "src/routes/[id=int]/+page.svelte" }],
		["docs/my notes.md, line 4", { path: "docs/my notes.md", line: 4 }],
		["src/übung.ts:3", { path: "src/übung.ts", line: 3 }],
		["文档/说明.md", { path: "文档/说明.md" }],
		["a.ts, line 10", { path: "a.ts", line: 10 }],
		["a.ts, lines 10-20", { path: "a.ts", line: 10, endLine: 20 }],
		["a.ts (line 10)", { path: "a.ts", line: 10 }],
		["a.ts (10-20)", { path: "a.ts", line: 10, endLine: 20 }],
		["a.ts at line 10", { path: "a.ts", line: 10 }],
		["a.ts, Zeile 10", { path: "a.ts", line: 10 }],
		["a.ts 第10行", { path: "a.ts", line: 10 }],
		["a.ts(10,5)", { path: "a.ts", line: 10 }],
		["a.ts:L10", { path: "a.ts", line: 10 }],
		["a.ts:L10-L20", { path: "a.ts", line: 10, endLine: 20 }],
		["a.ts:10:5-12", { path: "a.ts", line: 10 }],
		["file:///home/src/a%20b.ts:3", { path: "/home/src/a b.ts", line: 3 }],
		["file:///C:/repo/a.ts", { path: "C:/repo/a.ts" }],
	])("is %s", (text, place) => {
		expect(placeIn(text)).toEqual(place);
	});

	test.each([
		"useState",
		"a b.ts",
		"https://example.com/a.ts",
		"command:x.y",
		"f(a.ts)",
		"//host/a.ts",
		"",
		"src/",
		"npm install",
		"array[0].length = 3",
		"call(a.b, 10)",
		"either / or",
		"file://host/a.ts",
		"file:///a%zz/b.ts",
		`${"a".repeat(400)}.ts`,
	])("is not %j", text => {
		expect(placeIn(text)).toBeUndefined();
	});

	test("is an address that is a path", () => {
		expect(placeInAddress("src/my%20file.ts#L3")).toEqual({ path: "src/my file.ts", line: 3 });
		expect(placeInAddress("./docs/x%zz.md")).toBeUndefined();
		for (const scheme of ["https:", "file:", "command:", "vscode:"]) {
			expect(placeInAddress(`${scheme}//a/b.ts`)).toBeUndefined();
		}
	});
});

describe("Paths in an answer", () => {
	const frames: (() => void)[] = [];
	const asked: (readonly string[])[] = [];
	const files = new Set(["src/a.ts", "src/my file.ts", "lib/b.py", "package.json"]);
	const links = (): FileLinks =>
		new FileLinks(paths => {
			asked.push(paths);
			return Promise.resolve(paths.map(path => (files.has(path) ? path : null)));
		});
	const nextFrame = async (): Promise<void> => {
		frames.splice(0).forEach(frame => frame());
		await Promise.resolve();
		await Promise.resolve();
	};

	beforeEach(() => {
		frames.length = 0;
		asked.length = 0;
		vi.stubGlobal("requestAnimationFrame", (frame: () => void) => frames.push(frame));
	});
	afterEach(() => {
		vi.unstubAllGlobals();
	});

	async function show(source: string, fileLinks = links()): Promise<HTMLElement> {
		const { element } = createFinishedAnswer(source, { ...createTools(), fileLinks });
		await nextFrame();
		return element;
	}

	test("become links once the host knows them, all by one message", async () => {
		const element = await show(
			"See `src/a.ts:12`, [the file](src/a.ts#L3-L9), [mine](src/my%20file.ts), and lib/b.py:4 or lib/b.py.\n\n`none.ts` and [gone](x/y.ts)",
		);
		const found = [...element.querySelectorAll("a")];
		expect(found.map(link => link.textContent)).toEqual([
			"src/a.ts:12",
			"the file",
			"mine",
			"lib/b.py:4",
			"lib/b.py",
		]);
		expect(found.map(fileOf)).toEqual([
			{ label: "src/a.ts", line: 12 },
			{ label: "src/a.ts", line: 3, endLine: 9 },
			{ label: "src/my file.ts" },
			{ label: "lib/b.py", line: 4 },
			{ label: "lib/b.py" },
		]);
		expect(found.every(link => !link.hasAttribute("href") && link.tabIndex === 0)).toBe(true);
		expect(asked).toHaveLength(1);
		expect(element.textContent).toContain("or lib/b.py.");
		expect(element.textContent).toContain("gone (x/y.ts)");
	});

	test.each([
		["See src/app/[id]/page.tsx:3.", ["src/app/[id]/page.tsx:3"]],
		["In app/(shop)/page.tsx (lines 3-9), too.", ["app/(shop)/page.tsx (lines 3-9)"]],
		["(see src/a.ts)", ["src/a.ts"]],
		["(src/a.ts, line 4)", ["src/a.ts, line 4"]],
		["Öffne src/übung.ts:3 und src/a.ts.", ["src/übung.ts:3", "src/a.ts"]],
		["请看src/a.ts:3的代码。文档/说明.md 也是", ["src/a.ts:3", "文档/说明.md"]],
		["a.ts, line 10; a.ts (10-20)", ["a.ts, line 10", "a.ts (10-20)"]],
		["`a.ts`, line 10, and `a.ts`:7", ["a.ts", "a.ts"]],
		["`src/app/[id]/page.tsx:12`", ["src/app/[id]/page.tsx:12"]],
	])("in %j become links", async (source, words) => {
		const named = new Set(words.map(each => placeIn(each)?.path));
		const fileLinks = new FileLinks(paths =>
			Promise.resolve(paths.map(path => (named.has(path) ? path : null))),
		);
		const element = await show(source, fileLinks);
		expect([...element.querySelectorAll("a")].map(link => link.textContent)).toEqual(words);
	});

	test("in code have the line that is named behind it", async () => {
		const element = await show("`src/a.ts` (lines 10-20), `src/a.ts`:7, and `src/a.ts` in 2024");
		expect([...element.querySelectorAll("a")].map(fileOf)).toEqual([
			{ label: "src/a.ts", line: 10, endLine: 20 },
			{ label: "src/a.ts", line: 7 },
			{ label: "src/a.ts" },
		]);
	});

	test("are not asked for twice", async () => {
		const fileLinks = links();
		await show("`src/a.ts` `none.ts`", fileLinks);
		const again = await show("`src/a.ts:3` `none.ts`", fileLinks);
		expect(asked).toEqual([["src/a.ts", "none.ts"]]);
		expect(again.querySelectorAll("a")).toHaveLength(1);
	});

	test("are asked for in parts, one a frame", async () => {
		const names = Array.from({ length: 100 }, (_, index) => `\`f${index}.ts\``);
		await show(names.join(" "));
		expect(asked.map(paths => paths.length)).toEqual([64]);
		await nextFrame();
		expect(asked.map(paths => paths.length)).toEqual([64, 36]);
	});

	test("in code blocks, formulas and links stay what they are", async () => {
		const element = await show(
			"```\nsrc/a.ts\n```\n\n$src/a.ts$ [`src/a.ts`](https://example.com) https://example.com/src/a.ts",
		);
		expect([...element.querySelectorAll("a")].filter(link => fileOf(link))).toEqual([]);
	});

	test("that look like paths and are none cost a message and nothing else", async () => {
		const source = "Either/or at 10:30, and/or v1.2/3, a.b.c, 1/2, e.g. this.state";
		expect((await show(source)).querySelector("a")).toBeNull();
	});
});
