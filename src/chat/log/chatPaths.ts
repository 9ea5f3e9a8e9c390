import { join } from "node:path";

/** Where the files of one chat are. */
export interface ChatPaths {
	readonly folder: string;
	readonly logPath: string;
	/** Metadata of the chat: its name, whether it is pinned, archived or deleted. */
	readonly metaPath: string;
	/** The messages that wait until an answer has come. */
	readonly queuePath: string;
	/** Held by the one window that writes the chat. */
	readonly leasePath: string;
	/** Request of another window for the lease. */
	readonly askPath: string;
}

/** The paths of a chat whose id has passed `isChatId` or was made here. */
export function chatPaths(folder: string, id: string): ChatPaths {
	return {
		folder,
		logPath: join(folder, `${id}${logSuffix}`),
		metaPath: join(folder, `${id}${metaSuffix}`),
		queuePath: join(folder, `${id}.queue`),
		leasePath: join(folder, `${id}.lock`),
		askPath: join(folder, `${id}.ask`),
	};
}

/** Whether a text is the id of a chat, and so cannot lead to a file outside the folder. */
export function isChatId(text: string): boolean {
	return /^[a-z0-9-]{1,64}$/.test(text);
}

/** The id of the chat a file is the log of; undefined for any other file. */
export function chatIdOf(fileName: string): string | undefined {
	const id = fileName.endsWith(logSuffix) ? fileName.slice(0, -logSuffix.length) : "";
	return isChatId(id) ? id : undefined;
}

/** Whether what a list of chats shows can change with a file of this name. */
export function isShownInLists(fileName: string): boolean {
	return chatIdOf(fileName) !== undefined || fileName.endsWith(metaSuffix);
}

/** Whether a file belongs to a chat: its log, what was made of it, copies kept of it. */
export function isFileOfChat(fileName: string, id: string): boolean {
	return fileName.startsWith(`${id}.`);
}

/** Whether a file is one that was being written to take another's place. */
export function isDraft(fileName: string): boolean {
	return fileName.endsWith(".tmp") || fileName.endsWith(repairedSuffix);
}

/** The end of the name under which a repaired log is written before it takes the damaged one's place. */
export const repairedSuffix = ".repaired";

const logSuffix = ".jsonl";
const metaSuffix = ".meta";
