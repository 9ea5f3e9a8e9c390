import { describe, expect, test } from "vitest";
import { pathInFolder, refusedPathForm } from "../../../src/common/pathForm.ts";

describe("a path that is never given to the file system", () => {
	test.each([
		["", "posix"],
		["a\0b", "posix"],
		["/a\0", "posix"],
		["a/b", "posix"],
		["../b", "posix"],
		["file:///etc/passwd", "posix"],
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
		expect(refusedPathForm(path, platform)).toBeTypeOf("string");
	});

	test.each([
		["/w/a.txt", "posix"],
		["/w/../x/a.txt", "posix"],
		["/w/CON", "posix"],
		["/w/a:b?.txt", "posix"],
		["/w/a ", "posix"],
		["C:\\w\\a.txt", "win32"],
		["c:/w/a.txt", "win32"],
		["C:\\w\\..\\x\\.\\a.txt", "win32"],
		["C:\\w\\console.log", "win32"],
		["C:\\w\\com10.csv", "win32"],
		["C:\\PROGRA~1\\a.txt", "win32"],
		["C:\\w\\数据 é.csv", "win32"],
	] as const)("is not %j on %s", (path, platform) => {
		expect(refusedPathForm(path, platform)).toBeUndefined();
	});
});

describe("a path on the network", () => {
	const folders = ["\\\\wsl.localhost\\Ubuntu\\home\\a"];

	test.each(["\\\\wsl.localhost\\Ubuntu\\home\\a\\b.csv", "//WSL.localhost/ubuntu/home/a"])(
		"%s may be in a folder that was opened",
		path => {
			expect(refusedPathForm(path, "win32", folders)).toBeUndefined();
		},
	);

	test.each([
		"\\\\wsl.localhost\\Ubuntu\\home\\b\\b.csv",
		"\\\\wsl.localhost\\Ubuntu\\home\\a\\..\\..\\b.csv",
		"\\\\evil\\Ubuntu\\home\\a\\b.csv",
		"\\\\wsl.localhost\\Ubuntu\\home\\a\\CON",
		"\\\\?\\UNC\\wsl.localhost\\Ubuntu\\home\\a\\b.csv",
	])("%s is refused all the same", path => {
		expect(refusedPathForm(path, "win32", folders)).toBeTypeOf("string");
	});

	test("never begins with the prefix of a device", () => {
		expect(refusedPathForm("\\\\?\\C:\\w\\a", "win32", ["\\\\?\\C:\\w"])).toBeTypeOf("string");
		expect(refusedPathForm("//./pipe/x", "win32", ["//./pipe"])).toBeTypeOf("string");
	});
});

describe("the way from a folder to a path in it", () => {
	test.each([
		["/w", "/w/a.txt", "posix", "a.txt"],
		["/w/", "/w/a/b.txt", "posix", "a/b.txt"],
		["/w", "/w", "posix", ""],
		["/", "/etc/hosts", "posix", "etc/hosts"],
		["C:\\w", "c:\\W\\a.txt", "win32", "a.txt"],
		["C:\\", "C:\\w\\a.txt", "win32", "w/a.txt"],
	] as const)("from %j to %j on %s is %j", (folder, path, platform, way) => {
		expect(pathInFolder(folder, path, platform)).toBe(way);
	});

	test.each([
		["/w", "/w-evil/a.txt", "posix"],
		["/w", "/W/a.txt", "posix"],
		["/w/a", "/w", "posix"],
		["/w", "/w/../etc/passwd", "posix"],
		["/w", "/etc/passwd", "posix"],
		["/w", "/w\\a.txt", "posix"],
		["C:\\w", "D:\\w\\a.txt", "win32"],
		["C:\\w", "C:\\w-evil\\a.txt", "win32"],
		["C:\\w", "C:\\w\\..\\a.txt", "win32"],
	] as const)("from %j to %j on %s there is none", (folder, path, platform) => {
		expect(pathInFolder(folder, path, platform)).toBeUndefined();
	});
});
