import { decodeLog, decodePiece } from "./chatLog.ts";
import { chatIdOf, chatPaths } from "./chatPaths.ts";
import { turnNumberOf } from "./chatRecord.ts";
import { replayChat } from "./chatReplay.ts";
import type { FileSystem } from "./fileSystem.ts";
import { errorCode, toStoreError } from "./storeError.ts";

/** What a list of chats shows of one. */
export interface ChatSummary {
	readonly id: string;
	/** Empty when it could not be read. */
	readonly title: string;
	/** Milliseconds since 1970; when the file was changed, if the log does not say. */
	readonly createdAt: number;
	/** When the file was last changed, in milliseconds since 1970. */
	readonly updatedAt: number;
	/** How many questions were asked. */
	readonly turnCount: number;
	/** `newer`: written by a newer version, can be looked at (L9). `unreadable`: nothing of it can be read (L8). */
	readonly condition: "readable" | "newer" | "unreadable";
}

/** Enough for the lines that begin a log, whatever its title, and for the one that ends a turn. */
const endBytes = 4096;

/** How many files a listing has open at a time. */
const batchSize = 32;

/** Sums up every chat in a folder, the one changed last first. Throws `StoreError` when the folder cannot be read. */
export async function listChats(
	files: FileSystem,
	folder: string,
): Promise<readonly ChatSummary[]> {
	try {
		const ids = (await files.names(folder)).map(chatIdOf).filter(id => id !== undefined);
		const summaries: ChatSummary[] = [];
		for (let start = 0; start < ids.length; start += batchSize) {
			const batch = ids.slice(start, start + batchSize);
			const found = await Promise.all(
				batch.map(id => summarizeListed(files, chatPaths(folder, id).logPath, id)),
			);
			summaries.push(...found.filter(summary => summary !== undefined));
		}
		return summaries.sort((a, b) => b.updatedAt - a.updatedAt || a.id.localeCompare(b.id));
	} catch (error) {
		throw toStoreError(error, folder);
	}
}

/** Sums up the chat in a log from the file's ends, or from all of it where they do not say. Undefined when it is empty. */
async function summarizeChat(
	files: FileSystem,
	path: string,
	id: string,
): Promise<ChatSummary | undefined> {
	const { size, modifiedAt, head, tail } = await files.readEnds(path, endBytes);
	if (size === 0) {
		return undefined;
	}
	const first = decodePiece(head);
	const created = first.find(record => record.type === "chat-created");
	const title = first.find(record => record.type === "title");
	const turnCount = decodePiece(tail)
		.map(turnNumberOf)
		.findLast(number => number !== undefined);
	if (created && title && turnCount !== undefined) {
		return {
			id,
			title: title.title,
			createdAt: created.at,
			updatedAt: modifiedAt,
			turnCount,
			condition: "readable",
		};
	}
	return summarizeWhole(await files.read(path), id, modifiedAt);
}

function summarizeWhole(bytes: Uint8Array, id: string, modifiedAt: number): ChatSummary {
	const { records, condition } = decodeLog(bytes);
	const { title, createdAt, turns } = replayChat(records);
	return {
		id,
		title: title ?? "",
		createdAt: createdAt ?? modifiedAt,
		updatedAt: modifiedAt,
		turnCount: turns.length,
		condition: condition === "newer" ? "newer" : turns.length > 0 ? "readable" : "unreadable",
	};
}

/** One chat that cannot be read must not hide the others. */
async function summarizeListed(
	files: FileSystem,
	path: string,
	id: string,
): Promise<ChatSummary | undefined> {
	try {
		return await summarizeChat(files, path, id);
	} catch (error) {
		return errorCode(error) === "ENOENT" ? undefined : { ...unknown, id };
	}
}

const unknown = {
	title: "",
	createdAt: 0,
	updatedAt: 0,
	turnCount: 0,
	condition: "unreadable",
} as const satisfies Omit<ChatSummary, "id">;
