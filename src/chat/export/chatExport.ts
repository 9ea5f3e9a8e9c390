import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { type ChatRecord, chatRecordSchema } from "../log/chatRecord.ts";
import { ImportLimits } from "./importLimits.ts";
import { timeSchema } from "../turn/toolRecord.ts";

/** The version of the format written here. */
const exportVersion = 1;

/** The largest export that is read back, in bytes: more than a chat of a year, less than an editor chokes on. */
const maxImportBytes = 64 * 1024 * 1024;

/** The longest line of an export that is read back, in bytes, and the longest file of other lines: parsing has no pauses. */
const maxParsedBytes = 8 * 1024 * 1024;

/** The most text of a message in one record, in characters, so that every export can be read back. */
const maxTextLength = 1024 * 1024;

const headSchema = z.looseObject({ format: z.literal("cutaway-chat"), version: z.int() });

const exportSchema = z.object({
	format: z.literal("cutaway-chat"),
	version: z.literal(exportVersion),
	title: z.string(),
	/** Milliseconds since 1970. */
	exportedAt: timeSchema,
	/** Of an export in lines there are none; the lines that follow hold them. */
	records: z.array(z.unknown()),
});

/** A chat as it is written to a JSON file and read back. */
export interface ExportedChat extends Pick<z.infer<typeof exportSchema>, "title" | "exportedAt"> {
	/** Events of the chat, in order: the records of its log, with neighboring pieces of a message's text in one. */
	readonly records: readonly ChatRecord[];
}

/** Why a file is no chat that can be imported, as a sentence for the user. */
export class ChatImportError extends Error {
	override readonly name = "ChatImportError";
	readonly kind: "tooLarge" | "notAChat" | "newer" | "hidden";

	constructor(kind: ChatImportError["kind"], sentence: string) {
		super(sentence);
		this.kind = kind;
	}

	/** A file that is something else, or a chat in which nothing was asked. */
	static notAChat(): ChatImportError {
		return new ChatImportError(
			"notAChat",
			l10n.t("This file isn't a chat exported by Cutaway as JSON. Nothing was imported."),
		);
	}
}

/** A chat as JSON, with a line for each record. */
export function* encodeExport({
	title,
	exportedAt,
	records,
}: ExportedChat): Generator<undefined, string> {
	const { format, version } = { format: "cutaway-chat", version: exportVersion };
	const lines: string[] = [];
	for (const record of joinTexts(records)) {
		lines.push(JSON.stringify(record));
		yield;
	}
	const head = JSON.stringify({ format, version, title, exportedAt }).slice(0, -1);
	return `${head}${recordsStart}\n${lines.join(",\n")}\n${recordsEnd}\n`;
}

/** How the line of an export ends after which every line holds one record, and the line after the last. */
const recordsStart = ',"records":[';
const recordsEnd = "]}";

/** Reads an export back, record by record. Throws `ChatImportError`. */
export function* decodeExport(bytes: Uint8Array): Generator<undefined, ExportedChat> {
	if (bytes.length > maxImportBytes) {
		throw new ChatImportError(
			"tooLarge",
			l10n.t("This file is larger than 64 MB, the limit for a chat. Nothing was imported."),
		);
	}
	const { json, rest } = readHead(bytes);
	const head = headSchema.safeParse(json).data;
	if (head && head.version > exportVersion) {
		throw new ChatImportError(
			"newer",
			l10n.t(
				"This chat was exported by a newer version of Cutaway. Update Cutaway, then import it again.",
			),
		);
	}
	const exported = exportSchema.safeParse(json).data;
	if (!exported) {
		throw ChatImportError.notAChat();
	}
	const records: ChatRecord[] = [];
	const limits = new ImportLimits();
	for (const candidate of rest ? recordLines(rest) : exported.records) {
		const record = chatRecordSchema.safeParse(candidate).data;
		if (!record) {
			throw ChatImportError.notAChat();
		}
		if (!limits.take(record)) {
			throw new ChatImportError(
				"tooLarge",
				l10n.t("This chat has more messages than Cutaway can import. Nothing was imported."),
			);
		}
		records.push(record);
		yield;
	}
	return { ...exported, records };
}

/** What an export says before its records, and the lines that hold these; the whole of one that has other lines. */
function readHead(bytes: Uint8Array): { readonly json: unknown; readonly rest?: Uint8Array } {
	const end = bytes.indexOf(lineEnd);
	const first = textOf(bytes.subarray(0, end))?.trimEnd();
	return first?.endsWith(recordsStart) === true
		? { json: parseJson(first + recordsEnd), rest: bytes.subarray(end + 1) }
		: { json: parseJson(textOf(bytes)) };
}

const lineEnd = 0x0a;

/** The values in the lines of an export. Throws `ChatImportError` where it is not whole. */
function* recordLines(bytes: Uint8Array): Generator<unknown, void> {
	let start = 0;
	for (let end = bytes.indexOf(lineEnd); end !== -1; end = bytes.indexOf(lineEnd, start)) {
		const line = textOf(bytes.subarray(start, end))?.trim();
		start = end + 1;
		if (line === recordsEnd) {
			return;
		}
		if (line !== "") {
			yield parseJson(line?.replace(/,$/, ""));
		}
	}
	throw ChatImportError.notAChat();
}

/** Text that is short enough to be parsed at once; undefined for what is longer or no text. */
function textOf(bytes: Uint8Array): string | undefined {
	try {
		return bytes.length > maxParsedBytes
			? undefined
			: new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

function parseJson(text: string | undefined): unknown {
	try {
		return text === undefined ? undefined : JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The same records with neighboring pieces of a message's text joined. */
export function joinTexts(records: readonly ChatRecord[]): ChatRecord[] {
	const joined: ChatRecord[] = [];
	for (const record of records) {
		const last = joined.at(-1);
		const isMore =
			record.type === "text" &&
			last?.type === "text" &&
			last.turn === record.turn &&
			last.index === record.index &&
			last.text.length < maxTextLength;
		if (isMore) {
			joined[joined.length - 1] = { ...last, text: last.text + record.text };
		} else {
			joined.push(record);
		}
	}
	return joined;
}
