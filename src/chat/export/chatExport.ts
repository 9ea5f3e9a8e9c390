import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { type ChatRecord, chatRecordSchema } from "../log/index.ts";
import { areWithinLimits } from "./importLimits.ts";
import { timeSchema } from "../turn/index.ts";

/** The version of the format written here. */
const exportVersion = 1;

/** The largest export that is read back, in bytes: more than a chat of a year, less than an editor chokes on. */
const maxImportBytes = 64 * 1024 * 1024;

const headSchema = z.looseObject({ format: z.literal("cutaway-chat"), version: z.int() });

const exportSchema = z.object({
	format: z.literal("cutaway-chat"),
	version: z.literal(exportVersion),
	title: z.string(),
	/** Milliseconds since 1970. */
	exportedAt: timeSchema,
	/** Events of the chat, in order: the records of its log, with the text of each message in one piece. */
	records: z.array(chatRecordSchema),
});

/** A chat as it is written to a JSON file and read back. */
export type ExportedChat = Omit<z.infer<typeof exportSchema>, "format" | "version">;

/** Why a file is no chat that can be imported, as a sentence for the user. */
export class ChatImportError extends Error {
	override readonly name = "ChatImportError";
	readonly kind: "tooLarge" | "notAChat" | "newer";

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
export function encodeExport({ title, exportedAt, records }: ExportedChat): string {
	const { format, version } = { format: "cutaway-chat", version: exportVersion };
	const lines = joinTexts(records).map(record => JSON.stringify(record));
	const head = JSON.stringify({ format, version, title, exportedAt }).slice(0, -1);
	return `${head},"records":[\n${lines.join(",\n")}\n]}\n`;
}

/** Reads an export back. Throws `ChatImportError`. */
export function decodeExport(bytes: Uint8Array): ExportedChat {
	if (bytes.length > maxImportBytes) {
		throw new ChatImportError(
			"tooLarge",
			l10n.t("This file is larger than 64 MB, the limit for a chat. Nothing was imported."),
		);
	}
	const json = parseJson(bytes);
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
	if (!areWithinLimits(exported.records)) {
		throw new ChatImportError(
			"tooLarge",
			l10n.t("This chat has more messages than Cutaway can import. Nothing was imported."),
		);
	}
	return exported;
}

function parseJson(bytes: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
	} catch {
		return undefined;
	}
}

/** The same records with neighbouring pieces of a message's text joined. */
function joinTexts(records: readonly ChatRecord[]): ChatRecord[] {
	const joined: ChatRecord[] = [];
	for (const record of records) {
		const last = joined.at(-1);
		const isMore =
			record.type === "text" &&
			last?.type === "text" &&
			last.turn === record.turn &&
			last.index === record.index;
		if (isMore) {
			joined[joined.length - 1] = { ...last, text: last.text + record.text };
		} else {
			joined.push(record);
		}
	}
	return joined;
}
