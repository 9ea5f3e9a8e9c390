import { describe, expect, test } from "vitest";
import { pathInFolder, absolutePathRefusal, openedPath } from "../../../src/paths/pathForm.ts";
import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

describe("a path that is never given to the file system", () => {
	test.each([
		["", "linux"],
		["a\0b", "linux"],
		["/a\0", "linux"],
		["a/b", "linux"],
		["../b", "linux"],
		["file:///etc/passwd", "linux"],
		["", "win32"],
		["C:\\a\0", "win32"],
		["\\\\host\\share\\a.txt", "win32"],
		["//host/share/a.txt", "win32"],
		["\\/host/share", "win32"],
		["\\\\?\\C:\\a.txt", "win32"],
		["\\\\.\\PhysicalDrive0", "win32"],
		["\\a.txt", "win32"],
		["C:a.txt", "win32"],
		["a.txt", "win32"],
		["C:\\w\\CON", "win32"],
		["C:\\w\\con.txt", "win32"],
		["C:\\w\\Aux\\a.txt", "win32"],
		["C:\\w\\NUL.tar.gz", "win32"],
		["C:\\w\\com1", "win32"],
		["C:\\w\\LPT9.csv", "win32"],
		["C:\\w\\COM¹", "win32"],
		["C:\\w\\conin$", "win32"],
		["C:\\w\\a.txt:hidden", "win32"],
		["C:\\w\\a.txt::$DATA", "win32"],
		["C:\\w\\a?.txt", "win32"],
		["C:\\w\\*.txt", "win32"],
		["C:\\w\\a|b", "win32"],
		["C:\\w\\a.txt.", "win32"],
		["C:\\w\\a.txt ", "win32"],
		["C:\\w.\\a.txt", "win32"],
	] as const)("%j on %s", (path, platform) => {
		expect(absolutePathRefusal(path, platform)).toBeTypeOf("string");
	});

	test.each([
		["/w/a.txt", "linux"],
		["/w/../x/a.txt", "linux"],
		["/w/CON", "linux"],
		["/w/a:b?.txt", "linux"],
		["/w/a ", "linux"],
		["C:\\w\\a.txt", "win32"],
		["c:/w/a.txt", "win32"],
		["C:\\w\\..\\x\\.\\a.txt", "win32"],
		["C:\\w\\console.log", "win32"],
		["C:\\w\\com10.csv", "win32"],
		["C:\\PROGRA~1\\a.txt", "win32"],
		["C:\\w\\数据 é.csv", "win32"],
	] as const)("is not %j on %s", (path, platform) => {
		expect(absolutePathRefusal(path, platform)).toBeUndefined();
	});
});

describe("a path on the network", () => {
	const folders = ["\\\\wsl.localhost\\Ubuntu\\home\\a"];

	test.each(["\\\\wsl.localhost\\Ubuntu\\home\\a\\b.csv", "//WSL.localhost/ubuntu/home/a"])(
		"%s may be in a folder that was opened",
		path => {
			expect(absolutePathRefusal(path, "win32", folders)).toBeUndefined();
		},
	);

	test.each([
		"\\\\wsl.localhost\\Ubuntu\\home\\b\\b.csv",
		"\\\\wsl.localhost\\Ubuntu\\home\\a\\..\\..\\b.csv",
		"\\\\evil\\Ubuntu\\home\\a\\b.csv",
		"\\\\wsl.localhost\\Ubuntu\\home\\a\\CON",
		"\\\\?\\UNC\\wsl.localhost\\Ubuntu\\home\\a\\b.csv",
	])("%s is still refused", path => {
		expect(absolutePathRefusal(path, "win32", folders)).toBeTypeOf("string");
	});

	test("never begins with the prefix of a device", () => {
		expect(absolutePathRefusal("\\\\?\\C:\\w\\a", "win32", ["\\\\?\\C:\\w"])).toBeTypeOf("string");
		expect(absolutePathRefusal("//./pipe/x", "win32", ["//./pipe"])).toBeTypeOf("string");
	});
});

test.each([
	["\\\\host\\share\\a.txt", "networkPath"],
	["\\??\\C:\\a.txt", "devicePath"],
	["C:\\w\\a.txt:hidden", "alternateStream"],
	["C:\\w\\a?.txt", "invalidCharacter"],
	["C:\\w\\LPT9.csv", "reservedName"],
	["C:\\w.\\a.txt", "trailingDot"],
	["a.txt", "relative"],
] as const)("what is wrong with %j has a name: %s", (path, refusal) => {
	expect(absolutePathRefusal(path, "win32")).toBe(refusal);
});

describe("the way from a folder to a path in it", () => {
	test.each([
		["/w", "/w/a.txt", "linux", "a.txt"],
		["/w/", "/w/a/b.txt", "linux", "a/b.txt"],
		["/w", "/w", "linux", ""],
		["/", "/etc/hosts", "linux", "etc/hosts"],
		["C:\\w", "c:\\W\\a.txt", "win32", "a.txt"],
		["C:\\", "C:\\w\\a.txt", "win32", "w/a.txt"],
	] as const)("from %j to %j on %s is %j", (folder, path, platform, way) => {
		expect(pathInFolder(folder, path, platform)).toBe(way);
	});

	test.each([
		["/w", "/w-evil/a.txt", "linux"],
		["/w", "/W/a.txt", "linux"],
		["/w/a", "/w", "linux"],
		["/w", "/w/../etc/passwd", "linux"],
		["/w", "/etc/passwd", "linux"],
		["/w", "/w\\a.txt", "linux"],
		["/w", "/W/a.txt", "darwin"],
		["C:\\stra\u00DFe", "C:\\strasse\\a.txt", "win32"],
		["C:\\w", "D:\\w\\a.txt", "win32"],
		["C:\\w", "C:\\w-evil\\a.txt", "win32"],
		["C:\\w", "C:\\w\\..\\a.txt", "win32"],
	] as const)("from %j to %j on %s there is none", (folder, path, platform) => {
		expect(pathInFolder(folder, path, platform)).toBeUndefined();
	});
});

test("a file of a folder that was opened by a link is named below the link, any other as it is", async () => {
	const base = realpathSync(await makeTempFolder());
	mkdirSync(join(base, "real"));
	symlinkSync(join(base, "real"), join(base, "link"));
	const roots = [join(base, "gone"), join(base, "link")];
	expect(openedPath(join(base, "real", "src", "a.ts"), roots)).toBe(
		join(base, "link", "src", "a.ts"),
	);
	expect(openedPath(join(base, "really", "a.ts"), roots)).toBe(join(base, "really", "a.ts"));
	expect(openedPath(join(base, "real", "a.ts"), [join(base, "real")])).toBe(
		join(base, "real", "a.ts"),
	);
});
