import { join } from "node:path";

export interface ChatPaths {
	readonly folder: string;
	readonly logPath: string;
	/** Metadata of the chat: its name, and whether it is pinned, archived or deleted. */
	readonly metaPath: string;
	readonly queuePath: string;
	readonly leasePath: string;
}

/** Returns the paths of a chat. The id must have passed `isChatId` or be a new one. */
export function chatPaths(folder: string, id: string): ChatPaths {
	return {
		folder,
		logPath: join(folder, `${id}${logSuffix}`),
		metaPath: join(folder, `${id}${metaSuffix}`),
		queuePath: join(folder, `${id}.queue`),
		leasePath: join(folder, `${id}${lockSuffix}`),
	};
}

/** Whether a text is a chat id, so that it can't lead outside the folder. */
export function isChatId(text: string): boolean {
	return /^[a-z0-9-]{1,64}$/.test(text);
}

/** Returns the chat id of a log's file name, or of another file's by its suffix. Undefined for all others. */
export function chatIdOf(fileName: string, suffix = logSuffix): string | undefined {
	const id = fileName.endsWith(suffix) ? fileName.slice(0, -suffix.length) : "";
	return isChatId(id) ? id : undefined;
}

/** Whether a file of this name affects the chat list. */
export function isShownInLists(fileName: string): boolean {
	return chatIdOf(fileName) !== undefined || fileName.endsWith(metaSuffix);
}

/** Whether a file belongs to a chat, including its metadata and backup copies. */
export function isFileOfChat(fileName: string, id: string): boolean {
	return fileName.startsWith(`${id}.`);
}

/** File extension of a repaired log before it replaces the damaged one. */
export const repairedSuffix = ".repaired";

/** File extension of a chat's lease. */
export const lockSuffix = ".lock";

const logSuffix = ".jsonl";
const metaSuffix = ".meta";
