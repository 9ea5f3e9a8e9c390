import { deflateSync } from "node:zlib";
import PdfDocument from "pdfkit";

/** Makes a PDF with PDFKit. */
export async function makePdf(
	draw: (document: InstanceType<typeof PdfDocument>) => void,
	options: ConstructorParameters<typeof PdfDocument>[0] = {},
): Promise<Buffer> {
	const document = new PdfDocument({ margin: 50, ...options });
	const pieces: Buffer[] = [];
	document.on("data", (piece: Buffer) => pieces.push(piece));
	const ended = new Promise<void>(resolve => document.once("end", resolve));
	draw(document);
	document.end();
	await ended;
	return Buffer.concat(pieces);
}

/** Makes a PDF from its objects, the first of which is the catalog, as a writer without a library does. */
function pdfOf(objects: readonly (string | Buffer)[]): Buffer {
	const parts: Buffer[] = [Buffer.from("%PDF-1.7\n")];
	const offsets: number[] = [];
	let length = parts[0]?.length ?? 0;
	const add = (part: Buffer): void => {
		parts.push(part);
		length += part.length;
	};
	for (const [index, object] of objects.entries()) {
		offsets.push(length);
		add(
			Buffer.concat([
				Buffer.from(`${index + 1} 0 obj\n`),
				Buffer.from(object),
				Buffer.from("\nendobj\n"),
			]),
		);
	}
	const start = length;
	const rows = offsets.map(offset => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
	const size = objects.length + 1;
	add(
		Buffer.from(
			`xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`,
		),
	);
	return Buffer.concat(parts);
}

/** Makes a stream object, packed as often as asked. */
export function pdfStream(content: string | Buffer, packings = 0, entries = ""): Buffer {
	let bytes = Buffer.from(content);
	for (let packing = 0; packing < packings; packing += 1) {
		bytes = deflateSync(bytes, { level: 9 });
	}
	const filters = packings > 0 ? `/Filter [${"/FlateDecode ".repeat(packings)}]` : "";
	return Buffer.concat([
		Buffer.from(`<< /Length ${bytes.length} ${filters} ${entries} >>\nstream\n`),
		bytes,
		Buffer.from("\nendstream"),
	]);
}

/** Makes a PDF of one page with a content stream and one font. */
export function onePagePdf(
	content: Buffer,
	font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	...more: readonly string[]
): Buffer {
	return pdfOf([
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		content,
		font,
		...more,
	]);
}
