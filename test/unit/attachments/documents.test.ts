import { Document, Packer, Paragraph } from "docx";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Attachment } from "../../../src/attachments/contract/attachment.ts";
import {
	type AttachmentBench,
	failureIn,
	makeAttachmentBench,
} from "../../helpers/attachmentBench.ts";
import { type BuiltReader, buildDocumentReader } from "../../helpers/documentFiles.ts";
import { eventually } from "../../helpers/eventually.ts";
import { makePdf } from "../../helpers/pdfFiles.ts";
import { deflatedZip } from "../../helpers/zip.ts";

let reader: BuiltReader;

beforeAll(async () => {
	reader = await buildDocumentReader();
}, 120_000);

afterAll(() => reader.remove());

const makeBench = (): Promise<AttachmentBench> =>
	makeAttachmentBench({ readDocument: reader.read });

const wordFile = (...texts: readonly string[]): Promise<Buffer> =>
	Packer.toBuffer(
		new Document({ sections: [{ children: texts.map(text => new Paragraph(text)) }] }),
	);

/** Waits until an attachment has been read. */
async function whenRead(bench: AttachmentBench, name: string): Promise<Attachment> {
	await eventually(() => bench.named(name).state.type).not.toBe("hashing");
	return bench.named(name);
}

test("a PDF is read when attached, counts by its text, and goes into the message", async () => {
	const bench = await makeBench();
	const bytes = await makePdf(document => {
		document.text("Terms and conditions");
		document.addPage();
	});
	const path = await bench.write("terms.pdf", bytes);
	expect((await bench.add(path)).state.type).toBe("hashing");
	const { state, use, possibleUses, document } = await whenRead(bench, "terms.pdf");
	expect([state.type, use, possibleUses]).toEqual(["ready", "read", ["read", "codeInterpreter"]]);
	expect(document?.text?.withoutText).toBe(1);
	expect(bench.tray.budget.characters).toBe(document?.text?.text.length);
	expect(await bench.tray.prepare()).toMatchObject({
		type: "prepared",
		attachments: [{ kind: "text", language: "markdown", text: expect.stringContaining("Terms") }],
	});
	expect(bench.service.uploads).toEqual([]);
});

test("a workbook is for Python at first, and is uploaded as it is", async () => {
	const bench = await makeBench();
	const path = await bench.write("a.xlsx", deflatedZip({ "xl/workbook.xml": "<workbook/>" }));
	const { use, state, id } = await bench.add(path);
	expect([use, state.type]).toEqual(["codeInterpreter", "ready"]);
	bench.tray.setUse(id, "read");
	expect(failureIn(await whenRead(bench, "a.xlsx")).sentence).toContain("damaged");
	bench.tray.setUse(id, "codeInterpreter");
	expect(await bench.tray.prepare()).toMatchObject({ attachments: [{ kind: "file" }] });
});

test("a document that changes after it was read is sent as it is then", async () => {
	const bench = await makeBench();
	const path = await bench.write("a.docx", await wordFile("Before"));
	await bench.add(path);
	await whenRead(bench, "a.docx");
	await bench.write("a.docx", await wordFile("After"));
	expect(await bench.tray.prepare()).toMatchObject({ attachments: [{ text: "After" }] });
});

test("a secret in a document is asked about before anything is sent, even one that came later", async () => {
	const bench = await makeBench();
	// Made here, so that this file itself holds none.
	const secret = ["ghp", "q7Wd2Lk9Rt4Zx1Vb8Nm3Hs6Fj5Gp0Yc2Ue7A"].join("_");
	const path = await bench.write("a.docx", await wordFile(secret));
	await bench.add(path);
	expect((await whenRead(bench, "a.docx")).state.type).toBe("needsConfirmation");
	await bench.write("later.docx", await wordFile("Nothing"));
	await bench.add(`${bench.workspace}/later.docx`);
	await whenRead(bench, "later.docx");
	bench.tray.confirm([bench.named("a.docx").id]);
	await bench.write("later.docx", await wordFile(secret));
	expect(await bench.tray.prepare()).toEqual({
		type: "blocked",
		ids: [bench.named("later.docx").id],
	});
	expect(bench.named("later.docx").state.type).toBe("needsConfirmation");
});

test("a document outside the workspace is read after the user's consent", async () => {
	const bench = await makeBench();
	const path = await bench.write(`${bench.outside}/a.docx`, await wordFile("Outside"));
	expect((await bench.add(path)).state.type).toBe("needsConfirmation");
	expect(bench.named("a.docx").document?.text).toBeUndefined();
	bench.tray.confirm([bench.named("a.docx").id]);
	expect((await whenRead(bench, "a.docx")).document?.text?.text).toBe("Outside");
});

test("L21: a document with a password says so, and can still be used in Python", async () => {
	const bench = await makeBench();
	const path = await bench.write(
		"locked.pdf",
		await makePdf(document => document.text("Secret"), { userPassword: "x", pdfVersion: "1.7" }),
	);
	const { id } = await bench.add(path);
	expect(failureIn(await whenRead(bench, "locked.pdf")).sentence).toContain("password");
	bench.tray.setUse(id, "codeInterpreter");
	expect(bench.named("locked.pdf").state.type).toBe("ready");
});

test("stopping while a document is read sends nothing and leaves it attached", async () => {
	const bench = await makeBench();
	await bench.add(await bench.write("a.docx", await wordFile("Text")));
	const stop = new AbortController();
	const preparing = bench.tray.prepare({ signal: stop.signal });
	stop.abort();
	await expect(preparing).rejects.toMatchObject({ name: "AbortError" });
	expect((await whenRead(bench, "a.docx")).state.type).toBe("ready");
});
