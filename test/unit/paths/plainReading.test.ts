import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { plainReading, withoutWorkspaceName } from "../../../src/paths/plainReading.ts";
import type { PathPlatform } from "../../../src/paths/pathForm.ts";
import type { WorkspacePaths } from "../../../src/paths/resolveTarget.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

let base = "";
const paths = (platform: PathPlatform = "linux"): WorkspacePaths => ({
	roots: [{ name: "ws", path: join(base, "ws") }],
	platform,
});

beforeEach(async () => {
	base = await makeTempFolder();
	mkdirSync(join(base, "ws/src"), { recursive: true });
	mkdirSync(join(base, "outside"));
	writeFileSync(join(base, "ws/src/a b.ts"), "");
	writeFileSync(join(base, "ws/src/a.ts"), "");
	writeFileSync(join(base, "outside/secret.txt"), "");
	symlinkSync(join(base, "outside"), join(base, "ws/link"));
});

describe("a path that leads nowhere is read as the one file that it can mean", () => {
	test.each([
		["/src/a.ts"],
		["src\\a.ts"],
		["\\src\\a.ts"],
		["src/a.ts\n"],
		['"src/a.ts"'],
		["'src/a.ts'"],
		["`src/a.ts`"],
		["ws/src/a.ts"],
		["/ws/src/a.ts"],
		["<src/a.ts>"],
		["@src/a.ts"],
		["src/a.ts:10"],
		["src/a.ts:10-12"],
		["src/a.ts#L10"],
		["b/src/a.ts"],
		["/workspace/src/a.ts"],
	])("%j", asked => {
		expect(plainReading(asked, paths())?.label).toBe("src/a.ts");
	});

	test("an address of a file", () => {
		expect(plainReading(pathToFileURL(join(base, "ws/src/a b.ts")).href, paths())?.label).toBe(
			"src/a b.ts",
		);
		expect(plainReading("file:///src/a.ts", paths())?.label).toBe("src/a.ts");
	});
});

test.each([
	["../outside/secret.txt"],
	["..\\outside\\secret.txt"],
	["/link/secret.txt"],
	['"link/secret.txt"'],
	["file://host/src/a.ts"],
	["//src/a.ts"],
	["\\\\host\\src\\a.ts"],
	["https://example.org/src/a.ts"],
	["~/src/a.ts"],
	["src/b.ts"],
	["file:///%E0%A4%A"],
	["/"],
	['""'],
])("what is outside, elsewhere or nowhere stays so: %j", asked => {
	expect(plainReading(asked, paths())?.kind ?? "none").toMatch(/^(?:none|folder)$/);
	expect(plainReading(asked, paths())?.inside ?? []).toEqual([]);
	expect(plainReading(join(base, "outside/secret.txt"), paths())).toBeUndefined();
	expect(
		plainReading(pathToFileURL(join(base, "outside/secret.txt")).href, paths()),
	).toBeUndefined();
});

test("a path that can mean two files means none", () => {
	mkdirSync(join(base, "ws/ws/src"), { recursive: true });
	writeFileSync(join(base, "ws/ws/src/a.ts"), "");
	expect(plainReading("/ws/src/a.ts", paths())).toBeUndefined();
	rmSync(join(base, "ws/ws"), { recursive: true });
});

test("a new file isn't made in a second folder of the workspace's name", () => {
	expect(withoutWorkspaceName("ws/src/new.ts", paths())).toBe("src/new.ts");
	expect(withoutWorkspaceName("ws/new.ts", paths())).toBe("new.ts");
	expect(withoutWorkspaceName("ws/lib/new.ts", paths())).toBeUndefined();
	expect(withoutWorkspaceName("src/new.ts", paths())).toBeUndefined();
	const two = { ...paths(), roots: [...paths().roots, { name: "b", path: join(base, "outside") }] };
	expect(withoutWorkspaceName("ws/src/new.ts", two)).toBeUndefined();
});
