import { expect, test } from "vitest";
import { fileFormatOf } from "../../../../src/attachments/files/fileFormat.ts";

const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(" ", ""), "hex");
const zip = hex("50 4b 03 04 00 00");
const ole = hex("d0 cf 11 e0 a1 b1 1a e1");

test.each([
	["a.png", hex("89 50 4e 47 0d 0a 1a 0a"), "image/png"],
	["a.csv", hex("89 50 4e 47 0d 0a 1a 0a"), "image/png"],
	["a.jpg", hex("ff d8 ff e0"), "image/jpeg"],
	[
		"a.webp",
		Buffer.concat([Buffer.from("RIFF"), hex("01 00 00 00"), Buffer.from("WEBPVP8 ")]),
		"image/webp",
	],
	["a.heic", Buffer.from("\0\0\0\x18ftypmif1\0\0\0\0"), "image/heic"],
	["a.heic", Buffer.from("\0\0\0\x18ftypheix\0\0\0\0"), "image/heic"],
	["a.avif", Buffer.from("\0\0\0\x18ftypavis\0\0\0\0"), "image/avif"],
	["a.mp4", Buffer.from("\0\0\0\x18ftypisom\0\0\0\0"), "video/mp4"],
	["a.zip", zip, "application/zip"],
	["a.txt", zip, "application/zip"],
	["a.xls", ole, "application/vnd.ms-excel"],
	["a.gz", hex("1f 8b 08 00"), "application/gzip"],
	["a.sqlite", Buffer.from("SQLite format 3\0"), "application/vnd.sqlite3"],
	[
		"a.parquet",
		Buffer.concat([Buffer.from("PAR1"), hex("00 01")]),
		"application/vnd.apache.parquet",
	],
	["a.bin", hex("00 01 02 03"), "application/octet-stream"],
	["a.csv", hex("00 01 02 03"), "application/octet-stream"],
	["no-name", hex("ff fd fe"), "application/octet-stream"],
])("%s with such bytes is %3$s and for Python alone", (name, head, mimeType) => {
	expect(fileFormatOf(name, head, 1_000_000)).toMatchObject({
		mimeType,
		uses: ["codeInterpreter"],
	});
});

const office = "application/vnd.openxmlformats-officedocument";

test.each([
	["a.pdf", Buffer.from("%PDF-1.7\n%words only"), "application/pdf", "pdf", "read"],
	["paper", Buffer.from("%PDF-1.7\n%words only"), "application/pdf", "pdf", "read"],
	["a.DOCX", zip, `${office}.wordprocessingml.document`, "word", "read"],
	["a.pptx", zip, `${office}.presentationml.presentation`, "slides", "read"],
	["a.xlsx", zip, `${office}.spreadsheetml.sheet`, "workbook", "codeInterpreter"],
	["locked.xlsx", ole, `${office}.spreadsheetml.sheet`, "workbook", "codeInterpreter"],
])("%s with such bytes is %3$s, a document that can be read and used in Python", (...row) => {
	const [name, head, mimeType, document, use] = row;
	const format = fileFormatOf(name, head, 1_000_000);
	expect(format).toMatchObject({ mimeType, document, uses: [use, expect.any(String)] });
});

test.each([
	["a.ts", "const a = 1;", "text/plain", "typescript", "read"],
	["a.py", "print(1)", "text/x-python", "python", "read"],
	["a.json", "{}", "application/json", "json", "read"],
	["a.csv", "a,b", "text/csv", "csv", "codeInterpreter"],
	["a.TSV", "a\tb", "text/tab-separated-values", "tsv", "codeInterpreter"],
	["Dockerfile", "FROM x", "text/plain", "dockerfile", "read"],
	["notes", "words", "text/plain", undefined, "read"],
	["cars.txt", "BMW, Audi", "text/plain", "plaintext", "read"],
	["rar.txt", "Rar! it said", "text/plain", "plaintext", "read"],
	["fake.xlsx", "a,b", "text/plain", undefined, "read"],
	["a.svg", "<svg/>", "image/svg+xml", "xml", "read"],
	["é.md", "naïve 数据 🎬", "text/markdown", "markdown", "read"],
])("%s with the text %j is %s in %s, and begins as %s", (name, text, mimeType, language, use) => {
	const head = Buffer.from(text);
	const format = fileFormatOf(name, head, head.length);
	expect(format).toMatchObject({ mimeType, uses: [use, expect.any(String)] });
	expect(format.language).toBe(language);
});

test.each([
	["main.c", "2f2f 20d6d0 cec4"],
	["notes", "6e61ef7665 0a"],
	["latin.txt", "6e61ef7665"],
	["a.reg", "570069006e00 0a00"],
	["a.reg", "005700690 06e 000a"],
])("%s with the bytes %s is text that the editor has to decode", (name, bytes) => {
	const head = hex(bytes);
	expect(fileFormatOf(name, head, head.length).uses).toEqual(["read", "codeInterpreter"]);
});

test("text whose beginning ends inside a character is text", () => {
	const cut = Buffer.from("naïve").subarray(0, 3);
	expect(fileFormatOf("a.txt", cut, 100).uses).toContain("read");
});

test("a long text begins with the code interpreter", () => {
	expect(fileFormatOf("a.log", Buffer.from("x"), 5_000_000).uses).toEqual([
		"codeInterpreter",
		"read",
	]);
});
