import { systemCode } from "../../common/errors.ts";
import { inTurns } from "../../common/async.ts";
import { plainMarkdown } from "../../common/plainMarkdown.ts";
import { decodePiece, decodingLog } from "../log/chatLog.ts";
import { type ChatMeta, plainMeta, readMeta } from "../log/chatMeta.ts";
import { type ChatPaths, chatPaths } from "../log/chatPaths.ts";
import { type ChatRecord, type ChatWorkspace, turnNumberOf } from "../log/chatRecord.ts";
import { replayingChat } from "../log/chatReplay.ts";
import type { FileSystem } from "../../storage/fileSystem.ts";

export interface ChatSummary extends Omit<ChatMeta, "title" | "options"> {
	readonly id: string;
	/** Name given by the user, or the title of the first message; empty if unreadable. */
	readonly title: string;
	/** Start of the last question, or of the answer to the only one, on one line of at most 200 characters; empty if unreadable. */
	readonly preview: string;
	readonly workspace: ChatWorkspace | undefined;
	/** Milliseconds since 1970; the file's modification time if the log doesn't say. */
	readonly createdAt: number;
	/** Time of the last message, in milliseconds since 1970. */
	readonly updatedAt: number;
	/** The number of messages sent, including those in hidden branches. */
	readonly turnCount: number;
	/** `newer`: written by a newer version, can be viewed. `unreadable`: nothing can be read. */
	readonly condition: "readable" | "newer" | "unreadable";
}

/** Enough for the first lines of a log with any title, and for the last message with a typical answer. */
const endBytes = 8192;

const maxPreviewCharacters = 200;
/** A character has at most two units, and whitespace is folded before counting. */
const maxPreviewUnits = 8 * maxPreviewCharacters;

/** Summarizes a chat. Returns undefined if it doesn't exist or is empty. An inaccessible chat counts as unreadable and doesn't affect others. */
export async function readSummary(
	files: FileSystem,
	folder: string,
	id: string,
): Promise<ChatSummary | undefined> {
	const paths = chatPaths(folder, id);
	try {
		const summary = await summarizeLog(files, paths, id);
		// Unreadable metadata doesn't hide the chat.
		const meta = readMeta(files, paths.metaPath).catch(() => plainMeta);
		return summary && withMeta(summary, await meta);
	} catch (error) {
		return systemCode(error) === "ENOENT" ? undefined : withMeta({ ...unknown, id }, plainMeta);
	}
}

type LogSummary = Omit<ChatSummary, Exclude<keyof ChatMeta, "title">>;

function withMeta(
	summary: LogSummary,
	{ options: _, title = summary.title, ...meta }: ChatMeta,
): ChatSummary {
	return { ...summary, ...meta, title };
}

/** Summarizes a log by the file's ends, or by the whole file if they don't suffice. Returns undefined if it is empty. */
async function summarizeLog(
	files: FileSystem,
	{ logPath }: ChatPaths,
	id: string,
): Promise<LogSummary | undefined> {
	const { size, modifiedAt, head, tail } = await files.readEnds(logPath, endBytes);
	if (size === 0) {
		return undefined;
	}
	const first = decodePiece(head);
	const last = decodePiece(tail);
	const created = first.find(record => record.type === "chat-created");
	const title = first.find(record => record.type === "title");
	const turnCount = last.reduce((most, record) => Math.max(most, turnNumberOf(record) ?? 0), 0);
	if (created && title && turnCount > 0) {
		return {
			id,
			title: title.title,
			preview: (turnCount === 1 && answerOf(first)) || previewOf(last) || previewOf(first),
			workspace: created.workspace,
			createdAt: created.at,
			updatedAt: modifiedAt,
			turnCount,
			condition: "readable",
		};
	}
	return summarizeWhole(await files.read(logPath), id, modifiedAt);
}

async function summarizeWhole(
	bytes: Uint8Array,
	id: string,
	modifiedAt: number,
): Promise<LogSummary> {
	const { records, condition } = await inTurns(decodingLog(bytes));
	const replayed = await inTurns(replayingChat(records));
	const { title, createdAt, workspace, turns, nextTurn } = replayed;
	return {
		id,
		title: title ?? "",
		preview: (nextTurn === 2 && answerOf(records)) || previewOf(records),
		workspace,
		createdAt: createdAt ?? modifiedAt,
		updatedAt: modifiedAt,
		turnCount: nextTurn - 1,
		condition: condition === "newer" ? "newer" : turns.length > 0 ? "readable" : "unreadable",
	};
}

function previewOf(records: readonly ChatRecord[]): string {
	return previewLine(records.findLast(record => record.type === "turn-started")?.prompt ?? "");
}

/** Returns the start of the last attempt's answer. The chat's title says the question. */
function answerOf(records: readonly ChatRecord[]): string {
	const start = records.findLastIndex(({ type }) => type === "attempt-started");
	const texts = records
		.slice(start + 1)
		.map(record => (record.type === "text" && record.role === "assistant" ? record.text : ""));
	return previewLine(plainMarkdown(texts.join("").slice(0, maxPreviewUnits)));
}

function previewLine(text: string): string {
	const line = text.slice(0, maxPreviewUnits).trim().replaceAll(/\s+/g, " ");
	return [...line].slice(0, maxPreviewCharacters).join("");
}

const unknown = {
	title: "",
	preview: "",
	workspace: undefined,
	createdAt: 0,
	updatedAt: 0,
	turnCount: 0,
	condition: "unreadable",
} as const satisfies Omit<LogSummary, "id">;
