import { describe, expect, test } from "vitest";
import {
	createGlobExclusion,
	createGlobMatcher,
	isPlainGlob,
	isQuickGlob,
} from "../../../src/paths/globExclusion.ts";
import { cpuTimeOf } from "../../helpers/growth.ts";

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
	["**/{a/b,c}/d", "x/a/b/d/e.ts", true],
	["{a,{b,c}}x", "cx", true],
	["{a,{b,c}}x", "c", false],
	["*.log", "a.log", true],
	["*.log", "a/b.log", false],
	["a?.ts", "ab.ts", true],
	["a?.ts", "a/.ts", false],
	["[a-c]{1,2}.ts", "b2.ts", true],
	["[!a-c].ts", "b.ts", false],
	["**/[id]/x", "app/i/x", true],
	["{out,dist}/**", "dist/a/b.js", true],
	["src/**/gen", "src/gen/a.ts", true],
	["(group)", "(group)/a.ts", true],
	["+(a|b)", "a", false],
	["a/../b", "b", false],
	["", "a", false],
	["übung", "übung/a.ts", true],
])("the exclusion %j leaves out %j: %s", (glob, path, isExcluded) => {
	expect(createGlobExclusion([glob])(path)).toBe(isExcluded);
	expect(createGlobExclusion(["never/**", glob])(path)).toBe(isExcluded);
});

test("nothing is left out where nothing is excluded", () => {
	expect(createGlobExclusion([])("a/b.txt")).toBe(false);
});

test("a glob matches a whole path, not what is below it", () => {
	const matches = createGlobMatcher(["src/**/*.{ts,tsx}"]);
	expect(["src/a.ts", "src/b/c.tsx", "src/a.js", "src/a.ts/b"].filter(matches)).toEqual([
		"src/a.ts",
		"src/b/c.tsx",
	]);
});

describe("T15: a glob of a repository", () => {
	const names = "a".repeat(255);
	test.each([
		["many stars", `${"*a".repeat(100)}b`, names],
		["stars without end", "*a".repeat(90_000), `${names}/`.repeat(16)],
		["many folders", `${"**/a/".repeat(60)}b`, "a/".repeat(500)],
		["an extended glob", `**/${"+(a|aa)".repeat(12)}b`, names],
		["nested groups", "{a,{a,a".repeat(2000), names],
		["ever more alternatives", "{a,b,c,d}".repeat(40), names],
		["long alternatives", `${"x".repeat(3000)}{${"a,".repeat(900)}b}`, names],
		["open brackets", "[".repeat(200_000), names],
		["a class without end", `[${"a-z".repeat(60_000)}]`.repeat(3), names],
	])("of %s takes no time", (_, glob, path) => {
		const globs = Array.from({ length: 200 }, () => glob);
		const isExcluded = createGlobExclusion(globs);
		expect(cpuTimeOf(() => createGlobExclusion(globs))).toBeLessThan(500);
		expect(cpuTimeOf(() => isExcluded(path))).toBeLessThan(500);
	});

	test.each(["{a,b", "[a", "{a,b}".repeat(10), `{${"a,".repeat(1000)}}`, "x".repeat(300_000)])(
		"that can't be read excludes everything (%#)",
		glob => {
			expect(createGlobExclusion(["never", glob])("src/a.ts")).toBe(true);
			expect(createGlobMatcher([glob])("src/a.ts")).toBe(false);
			expect(createGlobMatcher(["never", glob], true)("src/a.ts")).toBe(true);
		},
	);

	test("that takes too many comparisons excludes the path", () => {
		const globs = Array.from({ length: 100 }, () => `**/${"*a".repeat(20)}b`);
		const long = `${"a".repeat(250)}/`.repeat(16);
		expect(["src/a.ts", long].map(createGlobExclusion(globs))).toEqual([false, true]);
		expect(["src/a.ts", long].map(createGlobMatcher(globs))).toEqual([false, false]);
	});

	test("in thousands excludes everything, and holds up a list of files for a moment only", () => {
		const globs = Array.from({ length: 20_000 }, (_, at) => String.fromCharCode(0x4e00 + at));
		const isExcluded = createGlobExclusion(globs);
		const paths = Array.from({ length: 400 }, (_, at) => `packages/a/src/deep/file${at}.ts`);
		expect(isExcluded(paths[0] ?? "")).toBe(true);
		expect(cpuTimeOf(() => paths.filter(isExcluded))).toBeLessThan(2000);
	});

	test("with 1,000 alternatives is read", () => {
		const glob = `{${Array.from({ length: 1000 }, (_, index) => `n${index}`).join(",")}}`;
		const isExcluded = createGlobExclusion([glob]);
		expect([isExcluded("n999/a"), isExcluded("other")]).toEqual([true, false]);
	});
});

test("VS Code compares no glob of a repository that it could take long for", () => {
	const plain = ["**/.git", "**/*.code-search", "dist", "a/b/", "**/out/**", "My Folder", "a.{b"];
	expect(plain.filter(isPlainGlob)).toEqual(plain.slice(0, -1));
	expect(
		["**/*a*", "*", "**", "+(a)*", "{a,b}", "a?", "[a]", "!a", "a/**/b"].filter(isPlainGlob),
	).toEqual([]);
	const quick = ["**/*", "src/**/*.ts", "*.{ts,tsx}", "**/{a.ts,b/c.ts}", "a?c*"];
	expect(quick.filter(isQuickGlob)).toEqual(quick);
	expect(
		["*a*a*b", "**/a/**/b/**/c", "{a*,b}", "{a,{b,c}}", "{a,aa}{a,aa}{a,aa}", "[a-z]x"].filter(
			isQuickGlob,
		),
	).toEqual([]);
});
