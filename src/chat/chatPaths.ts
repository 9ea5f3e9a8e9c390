import { join } from "node:path";

/** Where the files of one chat are. */
export interface ChatPaths {
	readonly folder: string;
	readonly logPath: string;
	/** Held by the one window that writes the chat. */
	readonly leasePath: string;
}

/** The paths of a chat whose id has passed `isChatId` or was made here. */
export function chatPaths(folder: string, id: string): ChatPaths {
	return {
		folder,
		logPath: join(folder, `${id}${logSuffix}`),
		leasePath: join(folder, `${id}.lock`),
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

const logSuffix = ".jsonl";
