import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
	createIgnoreMatcher,
	plainFolderGlobs,
	createGlobExclusion,
} from "../../../src/paths/gitIgnore.ts";
import { cpuTimeOf } from "../../helpers/growth.ts";

/** Verdicts of Git 2.39.5, as `git check-ignore --no-index` gave them on trees of random patterns. */
const verdicts = z
	.object({
		paths: z.array(z.string()),
		cases: z.array(
			z.object({
				files: z.array(z.object({ folder: z.string(), text: z.string() })),
				ignored: z.array(z.string()),
			}),
		),
	})
	.parse(
		JSON.parse(readFileSync(join(import.meta.dirname, "../../fixtures/gitIgnore.json"), "utf8")),
	);

const ignores = (text: string, path: string, foldsCase = false): boolean =>
	createIgnoreMatcher([{ folder: "", text }], foldsCase)(path);

describe("an ignore matcher", () => {
	test.each(verdicts.cases.map((one, index) => ({ ...one, index })))(
		"says what Git says of every path of tree $index",
		({ files, ignored }) => {
			const isIgnored = createIgnoreMatcher(files);
			expect(verdicts.paths.filter(path => isIgnored(path)).toSorted()).toEqual(ignored.toSorted());
		},
	);

	test.each([
		["dist/", "a/dist/b.js", true],
		["dist/", "dist", false],
		["/dist", "a/dist", false],
		["*.log\n!keep.log", "keep.log", false],
		["logs/\n!logs/keep.log", "logs/keep.log", true],
		["# comment", "# comment", false],
		["\\#name", "#name", true],
		["a/**/b", "a/b", true],
		["a/**", "a", false],
		["name ", "name", true],
		["name\\ ", "name ", true],
		["\uFEFFname\r\n", "name", true],
		["[unclosed", "[unclosed", false],
	])("reads %j for %j", (text, path, expected) => {
		expect(ignores(text, path)).toBe(expected);
	});

	test("lets the deeper file decide, in whatever order files come", () => {
		const files = [
			{ folder: "a", text: "!x" },
			{ folder: "", text: "x" },
		];
		expect(["x", "a/x", "b/x"].filter(path => createIgnoreMatcher(files)(path))).toEqual([
			"x",
			"b/x",
		]);
	});

	test("tells capitals from small letters unless the file system does not", () => {
		expect(ignores("Dist/", "dist/a")).toBe(false);
		expect(ignores("Dist/", "dist/a", true)).toBe(true);
	});

	test("is not held up by a pattern made to be slow", () => {
		for (const [pattern, path] of [
			[`${"*a".repeat(100)}b`, "a".repeat(255)],
			[`${"**/a/".repeat(60)}b`, "a/".repeat(500)],
		] as const) {
			expect(cpuTimeOf(() => expect(ignores(pattern, path)).toBe(false))).toBeLessThan(2000);
		}
	});
});

test("folders that are named plainly become globs, unless something may be taken back", () => {
	const files = [{ folder: "", text: "dist/\n/out/\n*.log\na/b/\n" }];
	expect(plainFolderGlobs(files)).toEqual(["**/dist", "out"]);
	expect(plainFolderGlobs([...files, { folder: "a", text: "!dist/" }])).toEqual([]);
	const above = [
		{ folder: "", text: "dist/\n/packages/\n" },
		{ folder: "packages/a", text: "/out/\n" },
		{ folder: "packages/a/src", text: "gen/\n" },
	];
	expect(plainFolderGlobs(above, "packages/a")).toEqual(["**/dist", "out"]);
});

test.each([
	["**/node_modules", "a/node_modules", true],
	["**/node_modules", "a/node_modules/b/c.js", true],
	["secrets", "secrets/.env", true],
	["secrets", "secrets/deep/a.txt", true],
	["secrets", "a/secrets", false],
	["secrets", "secrets-of-the-sea.txt", false],
	["secrets/", "secrets/a.txt", true],
	["**/*.secret", ".config/x.secret", true],
	["**/*.secret", ".secret/x", true],
	["**/.env*", "a/.env.local", true],
	["**/{.env,.npmrc}", "a/.npmrc", true],
	["*.log", "a.log", true],
	["*.log", "a/b.log", false],
	["{out,dist}/**", "dist/a/b.js", true],
	["a/../b", "b", false],
	["", "a", false],
])("«%s» leaves out %s: %s", (glob, path, isExcluded) => {
	expect(createGlobExclusion([glob])(path)).toBe(isExcluded);
	expect(createGlobExclusion(["never/**", glob])(path)).toBe(isExcluded);
});

test("Nothing is left out where nothing is excluded", () => {
	expect(createGlobExclusion([])("a/b.txt")).toBe(false);
});
