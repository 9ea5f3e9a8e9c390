// @module-tag thorough
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DocumentPart, DocumentText } from "../../../src/documents/documentText.ts";
import { projectRoot } from "../../../scripts/project.ts";
import { type BuiltReader, buildDocumentReader } from "../../helpers/documentFiles.ts";
import { makePdf, onePagePdf, pdfStream } from "../../helpers/pdfFiles.ts";

let reader: BuiltReader;

beforeAll(async () => {
	reader = await buildDocumentReader();
}, 120_000);

afterAll(() => reader.remove());

const read = (
	bytes: Uint8Array,
	part: DocumentPart = {},
	maxCharacters = 100_000,
): Promise<DocumentText> =>
	reader.read({ bytes, kind: "pdf", part, maxCharacters }, new AbortController().signal);

const fonts = join(projectRoot, "node_modules/dejavu-fonts-ttf/ttf");
const prose =
	"Sediment cores from the northern basin show three phases of deposition that match the record of the glaciers to the east.";

test("pages, headings, lists and a table come as Markdown", async () => {
	const bytes = await makePdf(document => {
		document.fontSize(22).text("Annual report");
		document.moveDown().fontSize(11).text(prose);
		document.moveDown().fontSize(15).text("Results");
		document.moveDown().fontSize(11).text("• Sales grew\n• Costs fell");
		document.moveDown();
		const top = document.y;
		const rows = [
			["Region", "2024", "2025"],
			["North", "1,200", "1,350"],
			["South and East", "88", "9,104"],
		];
		rows.forEach((row, at) =>
			row.forEach((cell, column) =>
				document.text(cell, 50 + column * 150, top + at * 18, { lineBreak: false }),
			),
		);
		document.addPage().fontSize(11).text("The second page.");
	});
	const { text, withoutText, left } = await read(bytes);
	expect(text).toContain("[page 1]\n# Annual report");
	expect(text).toContain("## Results");
	expect(text).toContain("- Sales grew\n- Costs fell");
	expect(text).toContain(
		"| Region | 2024 | 2025 |\n| --- | --- | --- |\n| North | 1,200 | 1,350 |",
	);
	expect(text).toContain("[page 2]\nThe second page.");
	expect([withoutText, left]).toEqual([0, null]);
});

test("two columns are read one after the other, even where they are drawn line by line", async () => {
	const left = Array.from({ length: 20 }, (_, at) => `left line ${at} of the first column here`);
	const right = left.map((_, at) => `right line ${at} of the other column here`);
	const bytes = await makePdf(document => {
		document.fontSize(18).text("A paper in two columns that has a long title");
		document.fontSize(9);
		left.forEach((line, at) => {
			document.text(line, 50, 120 + at * 12, { lineBreak: false });
			document.text(right[at] ?? "", 320, 120 + at * 12, { lineBreak: false });
		});
	});
	const { text } = await read(bytes);
	const at = (line: string): number => text.indexOf(line);
	expect(at("left line 19")).toBeGreaterThan(at("left line 0"));
	expect(at("right line 0")).toBeGreaterThan(at("left line 19"));
	expect(text).not.toContain("|");
	const flowing = await makePdf(document => {
		document.fontSize(10).text(prose.repeat(40), { columns: 2, columnGap: 20 });
	});
	expect((await read(flowing)).text.replaceAll(/\s+/g, "")).toContain(
		prose.repeat(40).replaceAll(/\s+/g, ""),
	);
});

test("a form's fields come with their values, without passwords", async () => {
	const bytes = await makePdf(document => {
		document.font("Helvetica").text("Application");
		document.initForm();
		document.formText("applicant", 50, 150, 200, 20, { value: "Ada Lovelace" });
		document.formText("secret", 50, 180, 200, 20, { value: "hunter2", password: true });
		document.formText("empty", 50, 210, 200, 20);
		document.formCombo("country", 50, 240, 200, 20, { select: ["UK", "FR"], value: "UK" });
	});
	const { text } = await read(bytes);
	expect(text).toContain("- applicant: Ada Lovelace");
	expect(text).toContain("- country: UK");
	expect(text).not.toContain("hunter2");
});

test("pages without text are counted, and a scan has none at all", async () => {
	const mixed = await makePdf(document => {
		document.text("A cover letter.");
		document.addPage().rect(50, 50, 200, 200).fill("black");
		document.addPage().rect(50, 50, 200, 200).fill("black");
	});
	expect(await read(mixed)).toMatchObject({ withoutText: 2 });
	const scan = await makePdf(document => document.rect(50, 50, 200, 200).fill("black"));
	await expect(read(scan)).rejects.toMatchObject({ fault: "noText" });
});

test("300 pages are cut at a page, and any page can be asked for", async () => {
	const bytes = await makePdf(document => {
		for (let page = 1; page <= 300; page += 1) {
			if (page > 1) {
				document.addPage();
			}
			document.text(`This is page number ${page}. ${prose.repeat(20)}`);
		}
	});
	const whole = await read(bytes);
	expect(whole.text.length).toBeLessThanOrEqual(100_000);
	const { unit, shown = 0, total } = whole.left ?? {};
	expect([unit, total]).toEqual(["pages", 300]);
	expect(whole.text).toContain(`[pages ${shown + 1}–300 are left out]`);
	const part = await read(bytes, { firstPage: 299, lastPage: 400 });
	expect(part.text).toMatch(/^\[page 299\]\nThis is page number 299\.[^]+\[page 300\]\n/);
	await expect(read(bytes, { firstPage: 301 })).rejects.toMatchObject({
		fault: "noPart",
		message: "The document has 300 pages.",
	});
});

test("Chinese and Japanese are read, with fonts of their own or with those that the standard names alone", async () => {
	const bytes = await makePdf(document => {
		const files = join(projectRoot, "node_modules/@fontsource/dotgothic16/files");
		document.font(join(files, "dotgothic16-japanese-400-normal.woff")).text("日本語の文書");
	});
	expect((await read(bytes)).text).toContain("日本語の文書");
	const shiftJis = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]).toString("hex");
	const named = onePagePdf(
		pdfStream(`BT /F1 20 Tf 50 700 Td <${shiftJis}> Tj ET`),
		"<< /Type /Font /Subtype /Type0 /BaseFont /MS-Gothic /Encoding /90ms-RKSJ-H /DescendantFonts [6 0 R] >>",
		"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /MS-Gothic /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor 7 0 R >>",
		"<< /Type /FontDescriptor /FontName /MS-Gothic /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>",
	);
	expect((await read(named)).text).toContain("日本語");
});

test("right-to-left lines keep their words in the order in which they are read", async () => {
	const bytes = await makePdf(document => {
		document.font(join(fonts, "DejaVuSans.ttf")).text("שלום עולם טוב", { features: ["rtla"] });
	});
	expect((await read(bytes)).text).toContain("שלום עולם טוב");
});

test("a file that is encrypted, cut in half or no PDF says so", async () => {
	const draw = (document: PDFKit.PDFDocument): void => void document.text(prose);
	const encrypted = await makePdf(draw, { userPassword: "secret", pdfVersion: "1.7" });
	await expect(read(encrypted)).rejects.toMatchObject({ fault: "encrypted" });
	const whole = await makePdf(draw);
	await expect(read(whole.subarray(0, whole.length / 2))).rejects.toMatchObject({
		fault: "damaged",
	});
	await expect(read(Buffer.from("%PDF-1.7 and nothing else"))).rejects.toMatchObject({
		fault: "damaged",
	});
	// Without the permission to copy, but without a password: as any program that reads aloud does.
	const restricted = await makePdf(draw, {
		ownerPassword: "secret",
		permissions: { copying: false },
	});
	expect((await read(restricted)).text).toContain("Sediment");
});
