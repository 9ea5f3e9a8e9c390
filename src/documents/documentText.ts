/** Formats that are read as text in a thread. */
const documentKinds = ["pdf", "word", "slides", "workbook"] as const;
export type DocumentKind = (typeof documentKinds)[number];

const kinds: Readonly<Record<string, DocumentKind>> = {
	pdf: "pdf",
	docx: "word",
	docm: "word",
	dotx: "word",
	dotm: "word",
	pptx: "slides",
	pptm: "slides",
	ppsx: "slides",
	ppsm: "slides",
	potx: "slides",
	potm: "slides",
	xlsx: "workbook",
	xlsm: "workbook",
	xltx: "workbook",
	xltm: "workbook",
};

/** Returns the kind of a document by its file extension. Undefined for any other file. */
export function documentKindOf(name: string): DocumentKind | undefined {
	const [, extension = ""] = /\.([a-z]+)$/.exec(name.toLowerCase()) ?? [];
	return Object.hasOwn(kinds, extension) ? kinds[extension] : undefined;
}

/** The largest document to read, in bytes. */
export const maxDocumentBytes = 64 * 1024 * 1024;

/** Rows of a sheet that are read unless others are asked for. */
export const maxSheetRows = 200;

/** Which part of a document to read, counted from 1 and inclusive; all of it by default. */
export interface DocumentPart {
	readonly firstPage?: number | undefined;
	readonly lastPage?: number | undefined;
	/** Name of a sheet. */
	readonly sheet?: string | undefined;
	readonly firstRow?: number | undefined;
	readonly lastRow?: number | undefined;
}

/** What the thread works on. */
export interface DocumentOrder {
	readonly bytes: Uint8Array;
	readonly kind: DocumentKind;
	readonly part: DocumentPart;
	/** The longest text to return, in UTF-16 code units. */
	readonly maxCharacters: number;
}

/** A document as text for a model. */
export interface DocumentText {
	readonly type: "text";
	readonly text: string;
	/** Pages or slides among those read that have no text. */
	readonly withoutText: number;
	/** What was left out at the end, if anything. */
	readonly left: {
		readonly unit: "pages" | "slides" | "rows" | "characters";
		readonly shown: number;
		readonly total: number;
	} | null;
}

/** Why a document has no text to return. */
export const documentFaults = ["encrypted", "damaged", "older", "noText", "noPart"] as const;

export type DocumentAnswer =
	| DocumentText
	| {
			readonly type: "fault";
			readonly fault: (typeof documentFaults)[number];
			/** For `noPart`, what there is, such as `The document has 12 pages.` */
			readonly detail?: string | undefined;
	  };

export type ReadingFault = (typeof documentFaults)[number] | "tooMuch";

/** Thrown if a document can't be read as text. `tooMuch` means that its thread took too long or too much memory. */
export class DocumentError extends Error {
	override readonly name = "DocumentError";
	readonly fault: ReadingFault;

	constructor(fault: ReadingFault, detail: string, cause?: unknown) {
		super(detail, cause === undefined ? undefined : { cause });
		this.fault = fault;
	}
}

/** Reads a document in a thread of its own, which has then ended. Throws `DocumentError` or `AbortError`. */
export type DocumentReader = (order: DocumentOrder, signal: AbortSignal) => Promise<DocumentText>;
