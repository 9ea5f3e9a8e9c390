// @module-tag thorough
import { Document, Packer, Paragraph } from "docx";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DocumentKind } from "../../../src/documents/documentText.ts";
import { type BuiltReader, buildDocumentReader } from "../../helpers/documentFiles.ts";
import { onePagePdf, pdfStream } from "../../helpers/pdfFiles.ts";
import { deflatedZip } from "../../helpers/zip.ts";

let reader: BuiltReader;

beforeAll(async () => {
	// Memory enough for any honest document, and a bomb that is made quickly.
	reader = await buildDocumentReader({ timeoutMs: 20_000, maxHeapMb: 100, maxMemoryMb: 100 });
}, 120_000);

afterAll(() => reader.remove());

const faultOf = (kind: DocumentKind, bytes: Uint8Array): Promise<unknown> =>
	reader.read({ bytes, kind, part: {}, maxCharacters: 100_000 }, new AbortController().signal).then(
		({ text }) => text,
		(error: unknown) => (error as { readonly fault?: unknown }).fault,
	);

const megabyte = 1024 * 1024;

test("a PDF whose stream unpacks to more than the thread may have ends with its thread", async () => {
	const bomb = pdfStream(Buffer.alloc(128 * megabyte, " "), 2);
	const page = onePagePdf(bomb);
	expect(page.length).toBeLessThan(10_000);
	expect(await faultOf("pdf", page)).toBe("tooMuch");
});

const word = (body: string, head = ""): Buffer =>
	deflatedZip({
		"_rels/.rels": `<Relationships><Relationship Id="r1" Type="http://x/officeDocument" Target="word/document.xml"/></Relationships>`,
		"word/document.xml": `<?xml version="1.0"?>${head}<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
	});

test("entities that a document defines are neither expanded nor read from files or the network", async () => {
	const bomb = Array.from(
		{ length: 9 },
		(_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`,
	).join("");
	const head = `<!DOCTYPE d [<!ENTITY l0 "laugh">${bomb}<!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY net SYSTEM "http://127.0.0.1:9/">]>`;
	const text = await faultOf(
		"word",
		word("<w:p><w:r><w:t>Kept &amp; &l9;&file;&net;</w:t></w:r></w:p>", head),
	);
	expect(text).toContain("Kept &");
	expect(text).not.toContain("laugh");
	expect(text).not.toContain("root:");
	expect(String(text).length).toBeLessThan(100);
});

test("a zip bomb is read piece by piece, or ends with its thread", async () => {
	const paragraph = `<w:p><w:r><w:t>${"a".repeat(1000)}</w:t></w:r></w:p>`;
	const text = await faultOf("word", word(paragraph.repeat(20_000)));
	expect(String(text).length).toBeLessThanOrEqual(100_000);
	const endless = word(`<w:p><w:r><w:t>${"a".repeat(120 * megabyte)}</w:t></w:r></w:p>`);
	expect(endless.length).toBeLessThan(2 * megabyte);
	expect(await faultOf("word", endless)).toBe("tooMuch");
});

test("deep nesting, circles and wild numbers end in a sentence", async () => {
	const nested = `${"<w:tbl><w:tr><w:tc>".repeat(50_000)}<w:p><w:r><w:t>deep</w:t></w:r></w:p>${"</w:tc></w:tr></w:tbl>".repeat(50_000)}`;
	expect(await faultOf("word", word(nested))).toBe("damaged");
	const wide =
		'<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="999999999"/></w:tcPr><w:p><w:r><w:t>wide</w:t></w:r></w:p></w:tc></w:tr></w:tbl>';
	expect(await faultOf("word", word(wide))).toContain("wide");
	const item =
		'<w:p><w:pPr><w:numPr><w:ilvl w:val="4294967295"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>item</w:t></w:r></w:p>';
	expect(await faultOf("word", word(item))).toContain("item");
});

test("a file that isn't what its name promises, or is cut in half, says so", async () => {
	const whole = await Packer.toBuffer(
		new Document({ sections: [{ children: [new Paragraph("whole")] }] }),
	);
	expect(await faultOf("word", whole)).toBe("whole");
	expect(await faultOf("word", whole.subarray(0, whole.length / 2))).toBe("damaged");
	expect(await faultOf("workbook", whole)).toBe("damaged");
	expect(await faultOf("word", Buffer.from("plain text"))).toBe("damaged");
	expect(await faultOf("word", Buffer.alloc(0))).toBe("damaged");
	const container = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(512)]);
	expect(await faultOf("word", container)).toBe("older");
	const encrypted = Buffer.concat([container, Buffer.from("EncryptedPackage", "utf16le")]);
	expect(await faultOf("workbook", encrypted)).toBe("encrypted");
	expect(await faultOf("word", word(""))).toBe("noText");
});

test("reading ends when it is no longer wanted", async () => {
	const stop = new AbortController();
	const bytes = word("<w:p><w:r><w:t>a</w:t></w:r></w:p>".repeat(200_000));
	const reading = reader.read({ bytes, kind: "word", part: {}, maxCharacters: 1_000 }, stop.signal);
	stop.abort();
	await expect(reading).rejects.toMatchObject({ name: "AbortError" });
});
