import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Document, Packer, Paragraph } from "docx";
import writeExcelFile from "write-excel-file/node";
import { type BuiltReader, buildDocumentReader } from "../../../helpers/documentFiles.ts";
import { makePdf } from "../../../helpers/pdfFiles.ts";
import { createToolBench, type ToolBench } from "../../../helpers/toolBench.ts";

let reader: BuiltReader;

beforeAll(async () => {
	reader = await buildDocumentReader();
}, 120_000);

afterAll(() => reader.remove());

async function benchWith(name: string, bytes: Uint8Array): Promise<ToolBench> {
	const bench = await createToolBench();
	bench.editor.documentReader = reader.read;
	writeFileSync(bench.put(`ws/${name}`, ""), bytes);
	return bench;
}

/** Made here, so that this file itself holds none. */
const token = ["ghp", "q7Wd2Lk9Rt4Zx1Vb8Nm3Hs6Fj5Gp0Yc2Ue7A"].join("_");

test("a model reads a PDF by page", async () => {
	const bytes = await makePdf(document => {
		document.text("First");
		document.addPage().text("Second");
	});
	const bench = await benchWith("a.pdf", bytes);
	const whole = await bench.run("read_file", { path: "a.pdf" });
	expect(whole.content).toBe("a.pdf (as text):\n[page 1]\nFirst\n\n[page 2]\nSecond");
	const part = await bench.run("read_file", { path: "a.pdf", startPage: 2 });
	expect(part.content).toBe("a.pdf (as text):\n[page 2]\nSecond");
	const none = await bench.run("read_file", { path: "a.pdf", startPage: 3 });
	expect(none).toMatchObject({
		state: "failed",
		content: expect.stringContaining("The document has 2 pages."),
	});
});

test("a model reads a workbook by sheet and row", async () => {
	const rows = Array.from({ length: 300 }, (_, at) => [{ value: `row ${at + 1}` }]);
	const bytes = await writeExcelFile([{ data: rows, sheet: "Data" }]).toBuffer();
	const bench = await benchWith("a.xlsx", bytes);
	const asked = { path: "a.xlsx", sheet: "Data", startLine: 250, endLine: 251 };
	expect((await bench.run("read_file", asked)).content).toBe(
		'a.xlsx (as text):\n[sheet "Data": 300 rows × 1 columns, rows 250–251]\nrow 250\nrow 251\n[rows 252–300 are left out]',
	);
});

test("a model reads a Word document by line, and its secrets are asked about", async () => {
	const children = ["First", token].map(text => new Paragraph(text));
	const bytes = await Packer.toBuffer(new Document({ sections: [{ children }] }));
	const bench = await benchWith("a.docx", bytes);
	const part = await bench.run("read_file", { path: "a.docx", endLine: 1 });
	expect(part.content).toBe("a.docx, lines 1-1 of 3 (as text):\nFirst");
	const whole = await bench.run("read_file", { path: "a.docx" });
	expect(whole.state).toBe("denied");
	expect(JSON.stringify([whole, bench.asked])).not.toContain(token);
});

test("a document that can't be read fails with the reason", async () => {
	const bench = await benchWith("a.docx", Buffer.from("no zip"));
	expect(await bench.run("read_file", { path: "a.docx" })).toMatchObject({
		state: "failed",
		content: expect.stringContaining("a.docx could not be read as text. It is damaged"),
	});
});
