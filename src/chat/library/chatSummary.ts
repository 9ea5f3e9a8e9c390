import { inTurns } from "../../common/async.ts";
import { decodePiece, decodingLog } from "../log/chatLog.ts";
import { type ChatMeta, plainMeta, readMeta } from "../log/chatMeta.ts";
import { type ChatPaths, chatPaths } from "../log/chatPaths.ts";
import { type ChatRecord, type ChatWorkspace, turnNumberOf } from "../log/chatRecord.ts";
import { replayingChat } from "../log/chatReplay.ts";
import type { FileSystem } from "../../storage/fileSystem.ts";
import { systemCode } from "../../storage/atomicFile.ts";

/** Summary of a chat in a list. */
export interface ChatSummary extends Omit<ChatMeta, "title" | "options"> {
	readonly id: string;
	/** The name a user gave it, or that of its first question; empty when it could not be read. */
	readonly title: string;
	/** How a late question of it begins: in one line, at most 200 characters; empty when none could be read. */
	readonly preview: string;
	/** Where it was started; undefined also for a chat started in no workspace. */
	readonly workspace: ChatWorkspace | undefined;
	/** Milliseconds since 1970; when the file was changed, if the log does not say. */
	readonly createdAt: number;
	/** When its last message came, in milliseconds since 1970. */
	readonly updatedAt: number;
	/** How many questions were asked, those in branches that are not shown included. */
	readonly turnCount: number;
	/** `newer`: written by a newer version, can be looked at (L9). `unreadable`: nothing of it can be read (L8). */
	readonly condition: "readable" | "newer" | "unreadable";
}

/** Enough for the lines that begin a log, whatever its title, and for the last question with a usual answer. */
const endBytes = 8192;

const maxPreviewCharacters = 200;

/**
 * Sums up one chat; undefined when there is none or nothing was ever written to it. One that the system refuses to show is
 * unreadable and hides no other.
 */
export async function summarizeChat(
	files: FileSystem,
	folder: string,
	id: string,
): Promise<ChatSummary | undefined> {
	const paths = chatPaths(folder, id);
	try {
		const summary = await summarizeLog(files, paths, id);
		return summary && withMeta(summary, await metaOf(files, paths));
	} catch (error) {
		return systemCode(error) === "ENOENT" ? undefined : withMeta({ ...unknown, id }, plainMeta);
	}
}

/** A chat is shown also when what was made of it cannot be read. */
async function metaOf(files: FileSystem, { metaPath }: ChatPaths): Promise<ChatMeta> {
	try {
		return await readMeta(files, metaPath);
	} catch {
		return plainMeta;
	}
}

/** Summary of the log alone. */
type LogSummary = Omit<ChatSummary, Exclude<keyof ChatMeta, "title">>;

function withMeta(
	summary: LogSummary,
	{ options: _, title = summary.title, ...meta }: ChatMeta,
): ChatSummary {
	return { ...summary, ...meta, title };
}

/** Sums up a log from the file's ends, or from all of it where they do not say. Undefined when it is empty. */
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
			preview: previewOf(last) || previewOf(first),
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
		preview: previewOf(records),
		workspace,
		createdAt: createdAt ?? modifiedAt,
		updatedAt: modifiedAt,
		turnCount: nextTurn - 1,
		condition: condition === "newer" ? "newer" : turns.length > 0 ? "readable" : "unreadable",
	};
}

function previewOf(records: readonly ChatRecord[]): string {
	const prompt = records.findLast(record => record.type === "turn-started")?.prompt ?? "";
	// A character is at most two units, and white space is folded before anything is counted.
	const line = prompt
		.slice(0, 8 * maxPreviewCharacters)
		.trim()
		.replaceAll(/\s+/g, " ");
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
