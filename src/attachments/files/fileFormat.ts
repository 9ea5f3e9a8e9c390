import type { AttachmentUse } from "../contract/attachment.ts";
import { type DocumentKind, documentKindOf } from "../../documents/documentText.ts";
import { formatOfName } from "./fileNames.ts";
import { isUnmarkedUtf16 } from "../../paths/textBytes.ts";

export interface FileFormat {
	readonly mimeType: string;
	readonly language: string | undefined;
	/** Suitable uses, the default first. */
	readonly uses: readonly AttachmentUse[];
	/** Set for a document whose text is read in a thread. */
	readonly document?: DocumentKind;
}

/** Longer text, in bytes, is for Python rather than reading by default. */
const longTextBytes = 100_000;

const lineFeed = 0x0a;

/** Formats based on zip or OLE. They are distinguished by name. */
const containers: ReadonlySet<string> = new Set(["application/zip", "application/x-ole-storage"]);

/** Determines a file's format by name and first bytes; the bytes win. `size` is that of the whole file, in bytes. */
export function fileFormatOf(name: string, head: Uint8Array, size: number): FileFormat {
	const named = formatOfName(name);
	const encoding = textEncodingOf(head, head.length >= size);
	const signature = signatureOf(head);
	const isText =
		encoding === "other"
			? signature === undefined && (named ? isTextual(named) : head.includes(lineFeed))
			: encoding !== undefined;
	// Text can start like a format (“BMW…”, “Rar!”), so valid text counts as text. Only a PDF may start with text.
	if (isText && signature !== "application/pdf") {
		const isForPython = named?.isData === true || size > longTextBytes;
		return {
			mimeType: named && isTextual(named) ? named.mimeType : "text/plain",
			language: named?.language,
			uses: isForPython ? ["codeInterpreter", "read"] : ["read", "codeInterpreter"],
		};
	}
	const byName = named && !isTextual(named) ? named.mimeType : undefined;
	const isContainer = signature !== undefined && containers.has(signature);
	const mimeType = isContainer ? (byName ?? signature) : (signature ?? byName);
	const document = signature === "application/pdf" ? "pdf" : isContainer && documentKindOf(name);
	return {
		mimeType: mimeType ?? "application/octet-stream",
		language: undefined,
		...(document
			? { document, uses: documentUses[document] }
			: { uses: ["codeInterpreter"] as const }),
	};
}

/** Returns the MIME type of an image by its bytes alone; undefined for text, even if it starts like an image. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
	const { mimeType } = fileFormatOf("", bytes.subarray(0, headBytes), bytes.length);
	return mimeType.startsWith("image/") ? mimeType : undefined;
}

const readFirst: readonly AttachmentUse[] = ["read", "codeInterpreter"];

/** Uses of documents, the default first: a workbook is data. */
const documentUses: Readonly<Record<DocumentKind, readonly AttachmentUse[]>> = {
	pdf: readFirst,
	word: readFirst,
	slides: readFirst,
	workbook: ["codeInterpreter", "read"],
};

function isTextual(named: NonNullable<ReturnType<typeof formatOfName>>): boolean {
	return named.language !== undefined || named.isData === true;
}

/** The number of bytes needed to detect a file's type. */
export const headBytes = 4096;

type MagicBytes = readonly [mimeType: string, offset: number, bytes: readonly number[]];

const text = (characters: string): number[] => [...characters].map(c => c.charCodeAt(0));

/** Signatures at the start of files, more specific ones first. WHATWG MIME Sniffing §6, and the formats' own standards. */
const signatures: readonly MagicBytes[] = [
	["image/png", 0, [0x89, ...text("PNG\r\n"), 0x1a, 0x0a]],
	["image/jpeg", 0, [0xff, 0xd8, 0xff]],
	["image/gif", 0, text("GIF8")],
	["image/webp", 8, text("WEBPVP8")],
	["image/bmp", 0, text("BM")],
	["image/tiff", 0, [...text("II*"), 0]],
	["image/tiff", 0, [...text("MM"), 0, 0x2a]],
	["image/x-icon", 0, [0, 0, 1, 0]],
	...["avif", "avis"].map((brand): MagicBytes => ["image/avif", 4, text(`ftyp${brand}`)]),
	// The last two name no codec, and are HEIC in nearly all files.
	...["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"].map((brand): MagicBytes => [
		"image/heic",
		4,
		text(`ftyp${brand}`),
	]),
	["video/mp4", 4, text("ftyp")],
	["video/webm", 0, [0x1a, 0x45, 0xdf, 0xa3]],
	["audio/wav", 8, text("WAVE")],
	["audio/ogg", 0, text("OggS")],
	["audio/flac", 0, text("fLaC")],
	["audio/mpeg", 0, text("ID3")],
	["application/pdf", 0, text("%PDF-")],
	["application/zip", 0, [...text("PK"), 3, 4]],
	["application/zip", 0, [...text("PK"), 5, 6]],
	["application/gzip", 0, [0x1f, 0x8b]],
	["application/x-bzip2", 0, text("BZh")],
	["application/x-xz", 0, [0xfd, ...text("7zXZ"), 0]],
	["application/zstd", 0, [0x28, 0xb5, 0x2f, 0xfd]],
	["application/x-7z-compressed", 0, [...text("7z"), 0xbc, 0xaf, 0x27, 0x1c]],
	["application/vnd.rar", 0, text("Rar!")],
	["application/x-tar", 257, text("ustar")],
	["application/vnd.sqlite3", 0, text("SQLite format 3\0")],
	["application/vnd.apache.parquet", 0, text("PAR1")],
	["application/vnd.apache.arrow.file", 0, text("ARROW1")],
	["application/x-hdf5", 0, [0x89, ...text("HDF\r\n"), 0x1a, 0x0a]],
	["application/x-npy", 0, [0x93, ...text("NUMPY")]],
	["application/wasm", 0, [0, ...text("asm")]],
	["application/x-ole-storage", 0, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
];

function signatureOf(head: Uint8Array): string | undefined {
	return signatures.find(([, offset, bytes]) =>
		bytes.every((byte, index) => head[offset + index] === byte),
	)?.[0];
}

/** Encoding of a text; `other` if the editor has to decode it. */
type TextEncoding = "utf-8" | "utf-16le" | "utf-16be" | "other";

/** Returns the encoding of a UTF-16 byte order mark, or undefined without one. */
export function markedEncodingOf(head: Uint8Array): "utf-16le" | "utf-16be" | undefined {
	if (head[0] === 0xff && head[1] === 0xfe) {
		return "utf-16le";
	}
	return head[0] === 0xfe && head[1] === 0xff ? "utf-16be" : undefined;
}

/** Detects the encoding of a text that starts with `head`. Returns undefined if it isn't text. `isWhole` means that nothing follows. */
export function textEncodingOf(head: Uint8Array, isWhole: boolean): TextEncoding | undefined {
	const marked = markedEncodingOf(head);
	if (marked) {
		return marked;
	}
	if (isUnmarkedUtf16(head)) {
		return "other";
	}
	for (const byte of head) {
		// Control characters that occur in text: tab, line feed, vertical tab, form feed, carriage return, escape.
		if (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b) {
			return undefined;
		}
	}
	try {
		new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: !isWhole });
		return "utf-8";
	} catch {
		return "other";
	}
}
