import {
	Document,
	FootnoteReferenceRun,
	HeadingLevel,
	LevelFormat,
	Packer,
	Paragraph,
	Table,
	TableCell,
	TableRow,
	TextRun,
} from "docx";
import PptxGenJs from "pptxgenjs";
import { afterAll, beforeAll, expect, test } from "vitest";
import writeExcelFile from "write-excel-file/node";
import type {
	DocumentKind,
	DocumentPart,
	DocumentText,
} from "../../../src/documents/documentText.ts";
import { type BuiltReader, buildDocumentReader } from "../../helpers/documentFiles.ts";

let reader: BuiltReader;

beforeAll(async () => {
	reader = await buildDocumentReader();
}, 120_000);

afterAll(() => reader.remove());

const read = (
	kind: DocumentKind,
	bytes: Uint8Array,
	part: DocumentPart = {},
	maxCharacters = 100_000,
): Promise<DocumentText> =>
	reader.read({ bytes, kind, part, maxCharacters }, new AbortController().signal);

const row = (...cells: readonly string[]): TableRow =>
	new TableRow({ children: cells.map(cell => new TableCell({ children: [new Paragraph(cell)] })) });

test("a Word document's headings, lists, tables and footnotes come as Markdown", async () => {
	const document = new Document({
		numbering: {
			config: [
				{
					reference: "steps",
					levels: [{ level: 0, format: LevelFormat.DECIMAL, text: "%1." }],
				},
			],
		},
		footnotes: { 1: { children: [new Paragraph("As the law asks.")] } },
		sections: [
			{
				children: [
					new Paragraph({ text: "Handbook", heading: HeadingLevel.TITLE }),
					new Paragraph({ text: "Setup", heading: HeadingLevel.HEADING_2 }),
					new Paragraph({
						children: [
							new TextRun("Keep "),
							new TextRun({ text: "both", bold: true }),
							new TextRun(" keys."),
							new FootnoteReferenceRun(1),
						],
					}),
					new Paragraph({ text: "Unpack", bullet: { level: 0 } }),
					new Paragraph({ text: "with care", bullet: { level: 1 } }),
					new Paragraph({ text: "Open", numbering: { reference: "steps", level: 0 } }),
					new Paragraph({ text: "Close", numbering: { reference: "steps", level: 0 } }),
					new Table({ rows: [row("Part", "Price"), row("Screw | long", "1")] }),
					new Paragraph("漢字 and שלום"),
				],
			},
		],
	});
	const { text, left } = await read("word", await Packer.toBuffer(document));
	expect(text).toBe(
		[
			"# Handbook",
			"",
			"## Setup",
			"",
			"Keep both keys.[^1]",
			"",
			"- Unpack",
			"  - with care",
			"1. Open",
			"2. Close",
			"",
			"| Part | Price |",
			"| --- | --- |",
			"| Screw \\| long | 1 |",
			"",
			"漢字 and שלום",
			"",
			"[^1]: As the law asks.",
		].join("\n"),
	);
	expect(left).toBeNull();
});

test("a long Word document is cut with the number of what is left out", async () => {
	const children = Array.from(
		{ length: 2_000 },
		(_, at) => new Paragraph(`${at} ${"word ".repeat(20)}`),
	);
	const { text, left } = await read(
		"word",
		await Packer.toBuffer(new Document({ sections: [{ children }] })),
		{},
		10_000,
	);
	expect(text.length).toBeLessThanOrEqual(10_000);
	expect(text).toMatch(/\[about \d+ characters are left out\]$/);
	expect(left).toMatchObject({ unit: "characters" });
});

test("a workbook's sheets come as CSV with their size, dates as dates, and their first 200 rows", async () => {
	const sales = [
		[{ value: "Day" }, { value: "Region, place" }, { value: "Sum" }, { value: "Paid" }],
		...Array.from({ length: 1_239 }, (_, at) => [
			{ value: new Date(Date.UTC(2026, 0, 1 + at)), format: "dd/mm/yyyy" },
			{ value: at === 0 ? 'The "North"' : "South" },
			{ value: at + 0.1 },
			{ value: at % 2 === 0 },
		]),
	];
	const bytes = await writeExcelFile([
		{ data: sales, sheet: "Sales" },
		{ data: [[{ value: "only" }]], sheet: "Notes & more" },
	]).toBuffer();
	const { text, left } = await read("workbook", bytes);
	expect(text).toContain(
		'[sheet "Sales": 1240 rows × 4 columns, rows 1–200]\nDay,"Region, place",Sum,Paid\n2026-01-01,"The ""North""",0.1,TRUE\n2026-01-02,South,1.1,FALSE\n',
	);
	expect(text).toContain("\n[rows 201–1240 are left out]\n");
	expect(text).toMatch(/\[sheet "Notes & more": 1 rows × 1 columns\]\nonly$/);
	expect(left).toEqual({ unit: "rows", shown: 200, total: 1240 });
	const part = await read("workbook", bytes, { sheet: "sales", firstRow: 1239, lastRow: 1300 });
	expect(part.text.split("\n")).toHaveLength(3);
	expect(part.text).toContain("1238.1");
	await expect(read("workbook", bytes, { sheet: "Other" })).rejects.toMatchObject({
		fault: "noPart",
		message: 'The workbook has the sheets "Sales", "Notes & more".',
	});
});

test("a presentation's slides come with their titles, lists, tables and notes", async () => {
	const slides = new PptxGenJs();
	slides.defineSlideMaster({
		title: "MASTER",
		objects: [
			{
				placeholder: {
					options: { name: "title", type: "title", x: 1, y: 1, w: 8, h: 1 },
					text: "",
				},
			},
			{
				placeholder: { options: { name: "body", type: "body", x: 1, y: 2, w: 8, h: 3 }, text: "" },
			},
		],
	});
	const first = slides.addSlide({ masterName: "MASTER" });
	first.addText("Roadmap", { placeholder: "title" });
	first.addText([{ text: "Ship it", options: { bullet: true } }], { placeholder: "body" });
	first.addTable([
		[{ text: "Quarter" }, { text: "Goal" }],
		[{ text: "Q1" }, { text: "Beta" }],
	]);
	first.addNotes("Speak slowly.");
	slides.addSlide().addShape("rect", { x: 1, y: 1, w: 1, h: 1 });
	const written = await slides.write({ outputType: "nodebuffer" });
	if (!(written instanceof Uint8Array)) {
		throw new TypeError("The presentation is no buffer");
	}
	const { text, withoutText } = await read("slides", written);
	expect(text).toContain("[slide 1]\n# Roadmap\n\n- Ship it");
	expect(text).toContain("| Quarter | Goal |\n| --- | --- |\n| Q1 | Beta |");
	expect(text).toContain("Notes: Speak slowly.");
	expect(text).toContain("[slide 2]\n(no text");
	expect(withoutText).toBe(1);
	expect(
		await read("slides", written, { firstPage: 2, lastPage: 2 }).catch(error => error as unknown),
	).toMatchObject({ fault: "noText" });
});
