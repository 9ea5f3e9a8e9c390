// @module-tag thorough
import { Document, Packer, Paragraph, TextRun } from "docx";
import PptxGenJs from "pptxgenjs";
import { afterAll, beforeAll, expect, test } from "vitest";
import writeExcelFile from "write-excel-file/node";
import type { DocumentKind, DocumentText } from "../../../src/documents/documentText.ts";
import { type BuiltReader, buildDocumentReader } from "../../helpers/documentFiles.ts";
import { deflatedZip } from "../../helpers/zip.ts";

let reader: BuiltReader;

beforeAll(async () => {
	// Memory enough for these documents, and bombs that are made quickly.
	reader = await buildDocumentReader({ timeoutMs: 20_000, maxHeapMb: 100, maxMemoryMb: 100 });
}, 120_000);

afterAll(() => reader.remove());

const read = (kind: DocumentKind, bytes: Uint8Array): Promise<DocumentText> =>
	reader.read({ bytes, kind, part: {}, maxCharacters: 100_000 }, new AbortController().signal);

/** Documents with a line each, written by other libraries. */
const writers = {
	word: lines =>
		Packer.toBuffer(
			new Document({
				sections: [
					{
						children: lines.map(text => {
							const isRightToLeft = /\p{Script=Hebrew}|\p{Script=Arabic}/u.test(text);
							const run = new TextRun({ text, rightToLeft: isRightToLeft });
							return new Paragraph({ children: [run], bidirectional: isRightToLeft });
						}),
					},
				],
			}),
		),
	workbook: lines =>
		writeExcelFile([{ data: lines.map(value => [{ value }]), sheet: "表 גיליון" }]).toBuffer(),
	slides: async lines => {
		const slides = new PptxGenJs();
		lines.forEach(line => slides.addSlide().addText(line, { x: 1, y: 1, w: 8, h: 1 }));
		const written = await slides.write({ outputType: "nodebuffer" });
		if (!(written instanceof Uint8Array)) {
			throw new TypeError("The presentation is no buffer");
		}
		return written;
	},
} satisfies Readonly<Record<string, (lines: readonly string[]) => Promise<Uint8Array>>>;

const kinds = ["word", "workbook", "slides"] as const;

test.each(kinds)(
	"Chinese, Japanese, emoji and right-to-left text of a %s document stay as they were written",
	async kind => {
		const lines = [
			"季度报告：增长",
			"日本語の文書",
			"שלום עולם 2026",
			"مرحبا بالعالم",
			"🚀 a < b & c",
		];
		const { text } = await read(kind, await writers[kind](lines));
		for (const line of lines.slice(0, 4)) {
			expect(text).toContain(line);
		}
		expect(text).toContain("🚀 a");
	},
);

test.each([
	["word", /left out\]$/],
	["workbook", /^\[rows \d+–300 are left out\]$/m],
	["slides", /\[slides \d+–300 are left out\]$/],
] as const)("a long %s document tells what is left out of it", async (kind, rest) => {
	const lines = Array.from(
		{ length: 300 },
		(_, at) => `Line ${at + 1} ${"of many words ".repeat(40)}`,
	);
	const { text, left } = await read(kind, await writers[kind](lines));
	expect(text.length).toBeLessThanOrEqual(100_000);
	expect(text.includes("Line 1 of many words")).toBe(true);
	expect(text.slice(-100)).toMatch(rest);
	expect(left).not.toBeNull();
});

test.each(kinds)("a %s document that is cut in half says so", async kind => {
	const whole = await writers[kind](["whole"]);
	expect((await read(kind, whole)).text).toContain("whole");
	for (const share of [0.1, 0.5, 0.95]) {
		const cut = whole.subarray(0, whole.length * share);
		await expect(read(kind, cut)).rejects.toMatchObject({ fault: "damaged" });
	}
});

const endless = "a".repeat(120 * 1024 * 1024);
const bombs = {
	workbook: {
		"xl/workbook.xml": `<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="http://x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${endless}</t></is></c></row></sheetData></worksheet>`,
	},
	slides: {
		"ppt/presentation.xml": `<p:presentation><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels": `<Relationships><Relationship Id="r1" Type="http://x/slide" Target="slides/slide1.xml"/></Relationships>`,
		"ppt/slides/slide1.xml": `<p:sld><p:sp><p:txBody><a:p><a:r><a:t>${endless}</a:t></a:r></a:p></p:txBody></p:sp></p:sld>`,
	},
};

test.each(["workbook", "slides"] as const)(
	"a bomb in a %s document ends with its thread, or is cut",
	async kind => {
		const bomb = deflatedZip(bombs[kind]);
		expect(bomb.length).toBeLessThan(2 * 1024 * 1024);
		const outcome = await read(kind, bomb).then(
			({ text }) => text,
			(error: unknown) => error,
		);
		if (typeof outcome === "string") {
			expect(outcome.length).toBeLessThanOrEqual(100_000);
		} else {
			expect(outcome).toMatchObject({ fault: "tooMuch" });
		}
	},
);
