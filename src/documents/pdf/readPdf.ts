import { join } from "node:path";
import { Script } from "node:vm";
import type * as pdfjs from "pdfjs-dist";
import { readPackedFile } from "../../common/packedFile.ts";
import type { DocumentOrder } from "../documentText.ts";
import { DocumentFaultError, type ReadText, TextPages } from "../textPages.ts";
import { openZip } from "../office/zipFile.ts";
import { linesOf, type PdfLine, type PdfPiece } from "./pdfLines.ts";
import { bodyHeightOf, pageText } from "./pdfText.ts";

type PdfLibrary = Pick<typeof pdfjs, "getDocument">;

/** Fields and comments of a page to read at most. */
const maxAnnotations = 500;

/** Reads a PDF: each page with its headings, lists and tables as Markdown, its fields and comments. */
export async function readPdf(
	{ bytes, part, maxCharacters }: Omit<DocumentOrder, "kind">,
	folder: string,
): Promise<ReadText> {
	const document = await openPdf(bytes, folder);
	const pages = new TextPages("page", document.numPages, part, maxCharacters);
	const read: {
		readonly page: number;
		readonly lines: readonly PdfLine[];
		readonly after: string;
	}[] = [];
	let length = 0;
	for (const page of pages.numbers()) {
		const { lines, after } = await readPage(document, page);
		read.push({ page, lines, after });
		length += lines.reduce((sum, { cells }) => sum + cells.join(" ").length + 1, after.length);
		if (length > maxCharacters) {
			break;
		}
	}
	const body = bodyHeightOf(read.flatMap(({ lines }) => lines));
	read.forEach(({ page, lines, after }) => {
		const text = [pageText(lines, body), after].filter(each => each !== "").join("\n\n");
		pages.add(page, text);
	});
	return pages.end();
}

async function openPdf(bytes: Uint8Array, folder: string): Promise<pdfjs.PDFDocumentProxy> {
	const { getDocument } = await loadLibrary(folder);
	const task = getDocument({
		data: new Uint8Array(bytes),
		BinaryDataFactory: characterMapsIn(folder),
		cMapUrl: "maps/",
		useWorkerFetch: false,
		useSystemFonts: false,
		useWasm: false,
		disableFontFace: true,
		enableXfa: false,
		isOffscreenCanvasSupported: false,
		isImageDecoderSupported: false,
		verbosity: 0,
	});
	try {
		return await task.promise;
	} catch (error) {
		const isEncrypted = error instanceof Error && error.name === "PasswordException";
		throw new DocumentFaultError(isEncrypted ? "encrypted" : "damaged");
	}
}

/** Loads PDF.js without showing it Node, so that it neither looks for packages nor reads files. */
async function loadLibrary(folder: string): Promise<PdfLibrary> {
	// What a browser has for drawing, which PDF.js mentions as it loads.
	for (const name of ["DOMMatrix", "Path2D", "ImageData"]) {
		Object.assign(globalThis, { [name]: Object });
	}
	// Unpacks without a limit.
	Reflect.deleteProperty(globalThis, "DecompressionStream");
	const code = await readPackedFile(join(folder, "pdf.js.br"));
	const source = `(function (process) { ${new TextDecoder().decode(code)}; return pdfLibrary; })`;
	const load: unknown = new Script(source, { filename: "pdf.js" }).runInThisContext();
	if (typeof load !== "function") {
		throw new TypeError("The package's pdf.js is damaged");
	}
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own script
	return load(undefined) as PdfLibrary;
}

/** Creates a class as PDF.js asks for: it returns the character maps of Chinese, Japanese and Korean fonts. */
function characterMapsIn(folder: string): new () => object {
	return class {
		async fetch({ kind, filename }: Readonly<Record<string, string>>): Promise<Uint8Array> {
			const packed = await readPackedFile(join(folder, "characterMaps.zip.br"));
			const maps = openZip(packed);
			if (kind !== "cMapUrl" || filename === undefined || !maps.has(filename)) {
				throw new Error(`No ${filename} is in the package`);
			}
			for await (const map of maps.read(filename)) {
				return Uint8Array.from(map);
			}
			throw new Error(`${filename} is empty`);
		}
	};
}

async function readPage(
	document: pdfjs.PDFDocumentProxy,
	number: number,
): Promise<{ readonly lines: readonly PdfLine[]; readonly after: string }> {
	let page: pdfjs.PDFPageProxy;
	try {
		page = await document.getPage(number);
	} catch {
		// Others of a damaged document may be whole.
		return { lines: [], after: "" };
	}
	const pieces: PdfPiece[] = [];
	const { items } = await page.getTextContent().catch(() => ({ items: [] }));
	for (const item of items) {
		if ("str" in item) {
			const [a = 0, b = 0, , , x = 0, y = 0] = item.transform.map(Number);
			const { str: text, width, height, dir, hasEOL: endsLine } = item;
			pieces.push({ text, x, y, width, height, angle: Math.atan2(b, a), dir, endsLine });
		}
	}
	const annotations: unknown[] = await page.getAnnotations().catch(() => []);
	const after = annotations.slice(0, maxAnnotations).flatMap(annotationLine).join("\n");
	page.cleanup();
	return { lines: linesOf(pieces), after };
}

/** Returns a filled field or a comment as a line. */
function annotationLine(annotation: unknown): string[] {
	const { subtype, fieldName, fieldType, fieldValue, alternativeText, contentsObj, ...others } =
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each is checked below
		annotation as Readonly<Record<string, unknown>>;
	if (subtype === "Widget") {
		const isHidden = others["password"] === true || others["pushButton"] === true;
		const value = Array.isArray(fieldValue) ? fieldValue.join(", ") : fieldValue;
		const name =
			typeof alternativeText === "string" && alternativeText ? alternativeText : fieldName;
		const isShown = typeof value === "string" && value.trim() !== "" && fieldType !== "Sig";
		// Each button of a group has the value of the group.
		const isOther =
			others["radioButton"] === true && value !== others["buttonValue"] && value !== "Off";
		return isShown && !isHidden && !isOther ? [`- ${String(name)}: ${value}`] : [];
	}
	const isComment = /^(?:Text|FreeText|Highlight|Underline|StrikeOut|Squiggly)$/.test(
		String(subtype),
	);
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked below
	const text = (contentsObj as { readonly str?: unknown } | undefined)?.str;
	return isComment && typeof text === "string" && text.trim() !== ""
		? [`Comment: ${text.trim().replaceAll(/\s+/g, " ")}`]
		: [];
}
