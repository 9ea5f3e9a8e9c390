import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { parseJson } from "../../common/json.ts";
import { type ChatRecord, chatRecordSchema, turnNumberOf } from "../log/chatRecord.ts";
import { timeSchema, placeOfCall } from "../contract/toolRecord.ts";
import { callIdOf } from "../contract/turn.ts";

/** The most turns of an imported chat, several times the number of a year. */
const maxTurns = 10_000;

/** The highest turn number. Numbers of lost turns aren't reused. */
const maxTurnNumber = 1_000_000;

const maxRecords = 200_000;

/** The most records and attempts of a turn, and changes of the shown branch. The cost of each depends on the length of what it changes. */
const maxRecordsOfTurn = 5_000;
const maxAttempts = 100;
const maxBranches = 300;

/** Limits the records of an import, so that reading them takes bounded time and memory, also whenever the chat is opened. */
class ImportLimits {
	private records = 0;
	private turns = 0;
	private branches = 0;
	private readonly recordsByTurn = new Map<number | string, number>();
	private readonly attemptsByTurn = new Map<number | string, number>();

	/** Counts a record. Returns false if there are too many. */
	take(record: ChatRecord): boolean {
		const turn = turnOf(record);
		this.records += 1;
		this.turns += record.type === "turn-started" ? 1 : 0;
		this.branches += changesBranch(record) ? 1 : 0;
		return (
			this.records <= maxRecords &&
			this.turns <= maxTurns &&
			this.branches <= maxBranches &&
			(turnNumberOf(record) ?? 0) <= maxTurnNumber &&
			countOne(this.recordsByTurn, turn) <= maxRecordsOfTurn &&
			(!record.type.startsWith("attempt-") || countOne(this.attemptsByTurn, turn) <= maxAttempts)
		);
	}
}

function countOne(counts: Map<number | string, number>, key: number | string | undefined): number {
	if (key === undefined) {
		return 0;
	}
	const count = (counts.get(key) ?? 0) + 1;
	counts.set(key, count);
	return count;
}

/** Returns the turn's number, or its id for the record of a call. */
function turnOf(record: ChatRecord): number | string | undefined {
	switch (record.type) {
		case "tool-started":
		case "block-called":
		case "tool-ended":
			return placeOfCall(callIdOf(record)).turnId;
		default:
			return turnNumberOf(record);
	}
}

function changesBranch(record: ChatRecord): boolean {
	return (
		record.type === "branch-shown" || (record.type === "turn-started" && record.after !== undefined)
	);
}

const exportVersion = 1;

/** The largest export to import, in bytes: more than a chat of a year, and small enough for an editor. */
const maxImportBytes = 64 * 1024 * 1024;

/** The longest line to import, and the largest export that isn't split into lines, in bytes. Parsing can't be interrupted. */
const maxParsedBytes = 8 * 1024 * 1024;

/** The longest text of a message in a record, in characters, so that every export can be imported. */
const maxTextLength = 1024 * 1024;

const headSchema = z.looseObject({ format: z.literal("cutaway-chat"), version: z.int() });

const exportSchema = z.object({
	format: z.literal("cutaway-chat"),
	version: z.literal(exportVersion),
	title: z.string(),
	/** Milliseconds since 1970. */
	exportedAt: timeSchema,
	/** Empty if the records follow in separate lines. */
	records: z.array(z.unknown()),
});

interface ExportedChat extends Pick<z.infer<typeof exportSchema>, "title" | "exportedAt"> {
	/** The records of the chat's log in order. Adjacent pieces of a message's text are joined. */
	readonly records: readonly ChatRecord[];
}

/** Thrown if a file can't be imported. The message is for the user. */
export class ChatImportError extends Error {
	override readonly name = "ChatImportError";
	readonly kind: "tooLarge" | "notAChat" | "newer" | "hidden";

	constructor(kind: ChatImportError["kind"], sentence: string) {
		super(sentence);
		this.kind = kind;
	}

	/** For another kind of file, or a chat without turns. */
	static notAChat(): ChatImportError {
		return new ChatImportError(
			"notAChat",
			l10n.t("This file isn't a chat exported by Cutaway as JSON. Nothing was imported."),
		);
	}
}

/** Encodes a chat as JSON with one line per record. */
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

/** End of the line before the records, each of which has its own line, and the line after the last. */
const recordsStart = ',"records":[';
const recordsEnd = "]}";

/** Parses an export record by record. Throws `ChatImportError`. */
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

/** Parses what precedes the records, and returns the lines with the records. Parses an export with other line breaks as a whole. */
function readHead(bytes: Uint8Array): { readonly json: unknown; readonly rest?: Uint8Array } {
	const end = bytes.indexOf(lineEnd);
	const first = decodedText(bytes.subarray(0, end))?.trimEnd();
	return first?.endsWith(recordsStart) === true
		? { json: parseJson(first + recordsEnd), rest: bytes.subarray(end + 1) }
		: { json: parseJson(decodedText(bytes) ?? "") };
}

const lineEnd = 0x0a;

/** Yields the values in an export's lines. Throws `ChatImportError` if it is incomplete. */
function* recordLines(bytes: Uint8Array): Generator<unknown, void> {
	let start = 0;
	for (let end = bytes.indexOf(lineEnd); end !== -1; end = bytes.indexOf(lineEnd, start)) {
		const line = decodedText(bytes.subarray(start, end))?.trim();
		start = end + 1;
		if (line === recordsEnd) {
			return;
		}
		if (line !== "") {
			yield parseJson(line?.replace(/,$/, "") ?? "");
		}
	}
	throw ChatImportError.notAChat();
}

/** Decodes text short enough to be parsed at once. Returns undefined for longer data, or if it isn't text. */
function decodedText(bytes: Uint8Array): string | undefined {
	try {
		return bytes.length > maxParsedBytes
			? undefined
			: new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

/** Joins adjacent pieces of a message's text. */
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
