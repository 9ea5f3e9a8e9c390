import { randomUUID } from "node:crypto";
import type { Clock } from "../common/async.ts";
import { openingRecords } from "./attemptRecord.ts";
import { decodeLog } from "./chatLog.ts";
import { readMeta } from "./chatMeta.ts";
import { type ChatPaths, chatPaths } from "./chatPaths.ts";
import { type ChatRecord, turnNumberOf } from "./chatRecord.ts";
import { replaceLog } from "./chatRepair.ts";
import { replayChat } from "./chatReplay.ts";
import type { FileSystem } from "./fileSystem.ts";
import { StoreError } from "./storeError.ts";
import { placeOfCall } from "./toolCallId.ts";
import { callIdOf } from "./toolRecord.ts";

/** How much of a chat is copied. */
export interface DuplicateOptions {
	/** The last turn that goes along; all do when left out. */
	readonly throughTurnId?: string;
}

/** What a copy is made with. */
export interface DuplicatePlace {
	readonly files: FileSystem;
	readonly clock: Clock;
	/** Of the chat that is copied. */
	readonly paths: ChatPaths;
}

/**
 * Copies what was said in a chat to one of its own and returns its id. A crash on the way leaves the whole copy or none. Throws
 * `StoreError` when the chat or the turn is not there, or cannot be read in full.
 */
export async function duplicateChat(
	{ files, clock, paths }: DuplicatePlace,
	{ throughTurnId }: DuplicateOptions,
): Promise<string> {
	const { records, condition } = decodeLog(await files.read(paths.logPath));
	const { title, workspace, turns } = replayChat(records);
	if (condition === "newer" || turns.length === 0) {
		throw new StoreError(condition === "newer" ? "newer" : "damaged", paths.logPath);
	}
	const copied = throughTurnId === undefined ? records : recordsThrough(records, throughTurnId);
	if (!copied) {
		throw new StoreError("missing", paths.logPath);
	}
	const now = clock.now();
	const name = (await readMeta(files, paths.metaPath)).title ?? title ?? "";
	const begun = { id: randomUUID(), createdAt: now, workspace };
	await keepRecords(files, paths.folder, begun.id, [
		...openingRecords(begun, { at: now, title: name }),
		...copied.filter(({ type }) => type !== "chat-created" && type !== "title"),
	]);
	return begun.id;
}

/** Keeps records as the log of a chat that is not there yet: all of them, or none and the system's error. */
async function keepRecords(
	files: FileSystem,
	folder: string,
	id: string,
	records: readonly ChatRecord[],
): Promise<void> {
	await files.makeFolder(folder);
	await replaceLog(files, folder, chatPaths(folder, id).logPath, records);
}

/** The records of a turn and of those asked before it; undefined when there is no such turn. */
function recordsThrough(records: readonly ChatRecord[], turnId: string): ChatRecord[] | undefined {
	const numbers = new Map(
		records.flatMap(record =>
			record.type === "turn-started" ? [[record.id, record.turn] as const] : [],
		),
	);
	const last = numbers.get(turnId);
	return last === undefined
		? undefined
		: records.filter(record => (numberOf(record, numbers) ?? 0) <= last);
}

function numberOf(record: ChatRecord, numbers: ReadonlyMap<string, number>): number | undefined {
	switch (record.type) {
		case "tool-started":
		case "block-called":
		case "tool-ended":
			return numbers.get(placeOfCall(callIdOf(record)).turnId);
		default:
			return turnNumberOf(record);
	}
}
