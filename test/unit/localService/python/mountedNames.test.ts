import { expect, test } from "vitest";
import { mountedName } from "../../../../src/localService/python/codeInterpreter.ts";

test.each([
	["report.csv", "report.csv"],
	["Übersicht 2026.csv", "Übersicht 2026.csv"],
	["U\u0308bersicht.csv", "Übersicht.csv"],
	["数据.json", "数据.json"],
	["../../etc/passwd", "__.._etc_passwd"],
	["C:\\temp\\a.txt", "C__temp_a.txt"],
	["a\"b'c`d$e%f", "a_b_c_d_e_f"],
	["a\r\nb\u202Etxt.exe", "a__b_txt.exe"],
	[".env", "_env"],
	["..", "_"],
	["", "file_"],
	["con.txt", "file_con.txt"],
	["name. . ", "name"],
	["  two   spaces  ", "two spaces"],
])("%j is mounted as %j", (name, mounted) => {
	expect(mountedName(name, new Set())).toBe(mounted);
});

test("a name that is taken, in letters of either case, gets a number before its ending", () => {
	expect(mountedName("A.csv", new Set(["a.csv", "a (2).csv"]))).toBe("A (3).csv");
	expect(mountedName("README", new Set(["readme"]))).toBe("README (2)");
});

test("a long name is cut between characters and keeps its ending", () => {
	const name = mountedName(`${"🐍".repeat(200)}.csv`, new Set());
	expect(name).toBe(`${"🐍".repeat(30)}.csv`);
});
