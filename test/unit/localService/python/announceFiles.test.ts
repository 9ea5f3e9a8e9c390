import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { announceFiles } from "../../../../src/localService/python/announceFiles.ts";
import { makeTestFolder } from "../testService.ts";

async function announced(name: string, content: string | Uint8Array): Promise<string> {
	const path = join(await makeTestFolder(), "held");
	await writeFile(path, content);
	const size = Buffer.byteLength(content);
	return await announceFiles([{ id: name, name, mountedAs: name, type: "text/csv", size, path }]);
}

const bytes = (...parts: readonly (string | number)[]): Uint8Array =>
	Buffer.concat(
		parts.map(part => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.of(part))),
	);

test("a table in UTF-8 is announced with how it begins", async () => {
	expect(await announced("a.csv", "Name,Amount\nMüller,1\n")).toBe(
		"Files in the working folder of code_interpreter, which is also /mnt/data:\n- a.csv (text/csv, 22 bytes), which begins:\n  Name,Amount\n  Müller,1",
	);
});

test("the byte order mark of a table isn't announced, because Python's copy has none", async () => {
	const text = await announced("a.csv", "\u{FEFF}Name,Amount\r\nA,1\r\n");
	expect(text).toContain("\n  Name,Amount\n  A,1");
});

test("separator, decimal comma and thousands of a table are announced", async () => {
	expect(await announced("a.csv", 'Name;Amount\r\nA;1.234,50\r\n"B;C";2,75\r\n')).toContain(
		'sep=";", decimal=",", thousands="."',
	);
	expect(await announced("a.csv", "sep=;\nName;Amount\nA;1\n")).toContain('sep=";"');
	expect(await announced("a.txt", "Name\tAmount\nA\t1,5\n")).toContain('sep="\\t", decimal=","');
	expect(await announced("a.txt", "One sentence; another.\nA third one.\n")).not.toContain("sep=");
});

test("Excel's Unicode text is announced with its encoding and separator", async () => {
	const text = Buffer.from("\u{FEFF}Name\tAmount\r\nMüller\t1\r\n", "utf16le");
	const told = await announced("a.txt", text);
	expect(told).toContain('encoding="utf-16", sep="\\t"');
	expect(told).toContain("\n  Name\tAmount\n  Müller\t1");
	expect(await announced("a.txt", Buffer.from(text.subarray(2)).swap16())).toContain(
		'encoding="utf-16-be"',
	);
});

test("a table whose encoding only its language tells is announced with a line in each", async () => {
	const told = await announced(
		"a.csv",
		bytes("Name;Stadt\r\nA;B\r\nM", 0xfc, "ller;", 0xe8, "\r\n"),
	);
	expect(told).toContain('not UTF-8, probably encoding="windows-1252", sep=";"');
	expect(told).toContain("\n  windows-1252: Müller;è");
	expect(told).toContain("\n  windows-1250: Müller;č");
});

test.each([
	[
		"windows-1251",
		[0xc8, 0xe2, 0xe0, 0xed, ";", 0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0],
		"Иван;Москва",
	],
	["windows-1253", [0xc1, 0xe8, 0xde, 0xed, 0xe1, ";1"], "Αθήνα;1"],
	["cp932", [0x96, 0xbc, 0x91, 0x4f, ";", 0x93, 0x8c, 0x8b, 0x9e], "名前;東京"],
	["gb18030", [0xcd, 0xf5, 0xce, 0xb0, ";", 0xb1, 0xb1, 0xbe, 0xa9], "王伟;北京"],
	["cp949", [0xb1, 0xe8, 0xc3, 0xb6, 0xbc, 0xf6, ";", 0xbc, 0xad, 0xbf, 0xef], "김철수;서울"],
	["big5", [0xa4, 0xfd, 0xb0, 0xb6, ";", 0xbb, 0x4f, 0xa5, 0x5f], "王偉;臺北"],
])(
	"a table in %s is announced with that encoding among the likely ones",
	async (label, line, text) => {
		const told = await announced("a.csv", bytes("A;B\n", ...line, "\n"));
		expect(told).toContain(label);
		expect(told).toContain(text);
	},
);

test("other than UTF-8 is noticed behind the beginning, too", async () => {
	const told = await announced("a.csv", bytes("Name,A\n".repeat(2_000), "Caf", 0xe9, ",1\n"));
	expect(told).toContain("windows-1252: Café,1");
});

test("a picture and an empty file are announced without a beginning", async () => {
	expect(await announced("a.png", bytes(0x89, "PNG\r\n", 0x1a, "\n", 0, 0, 0, 13))).toMatch(
		/bytes\)$/,
	);
	expect(await announced("a.csv", "")).toMatch(/0 bytes\)$/);
});
