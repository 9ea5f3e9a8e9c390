import { expect, test } from "vitest";
import { createGlobExclusion } from "../../../src/paths/globExclusion.ts";

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
