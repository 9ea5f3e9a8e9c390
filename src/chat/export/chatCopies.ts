import { randomUUID } from "node:crypto";
import { type Clock, inTurns } from "../../common/async.ts";
import { openingRecords } from "../store/attemptRecord.ts";
import { ChatImportError, decodeExport, encodeExport, joinTexts } from "./chatExport.ts";
import { assertResultsAreShown, shownRecords } from "./importedRecords.ts";
import { decodingLog } from "../log/chatLog.ts";
import { appendMeta, readMeta, type ChatOptions } from "../log/chatMeta.ts";
import { type ChatPaths, chatPaths } from "../log/chatPaths.ts";
import { type ChatRecord, type ChatWorkspace, turnNumberOf } from "../log/chatRecord.ts";
import { replaceLog } from "../log/chatRepair.ts";
import { type ReplayedChat, replayingChat } from "../log/chatReplay.ts";
import { chatMarkdown } from "./chatMarkdown.ts";
import { type FileSystem, StoreError } from "../../storage/fileSystem.ts";
import { placeOfCall } from "../contract/toolRecord.ts";
import { callIdOf } from "../contract/turn.ts";

export interface DuplicateOptions {
	/** The last turn to copy and display; all turns if absent. */
	readonly throughTurnId?: string;
}

export interface ChatCopyDependencies {
	readonly files: FileSystem;
	readonly clock: Clock;
	readonly paths: ChatPaths;
}

/** Copies a chat's messages and options and returns the new id. Copies all or nothing. Throws `StoreError`. */
export async function duplicateChat(
	dependencies: ChatCopyDependencies,
	{ throughTurnId }: DuplicateOptions,
): Promise<string> {
	const { records, title, replayed, options } = await readForCopy(dependencies);
	const copied = throughTurnId === undefined ? records : recordsThrough(records, throughTurnId);
	if (!copied) {
		throw new StoreError("missing", dependencies.paths.logPath);
	}
	const { workspace } = replayed;
	const createdAt = dependencies.clock.now();
	return keepAsNew(dependencies, { title, createdAt, workspace, records: copied, options });
}

/** Returns a chat as Markdown. Throws like `duplicateChat`. */
export async function exportMarkdown(dependencies: ChatCopyDependencies): Promise<string> {
	const { title, replayed } = await readForCopy(dependencies);
	return chatMarkdown(title, replayed.turns);
}

/** Returns a chat as JSON, which `importChat` restores with the same turns. Throws like `duplicateChat`. */
export async function exportJson(dependencies: ChatCopyDependencies): Promise<string> {
	const { records, title } = await readForCopy(dependencies);
	const exportedAt = dependencies.clock.now();
	return inTurns(encodeExport({ title, exportedAt, records: [...records] }), dependencies.clock);
}

/** Stores an exported chat as a new one of `workspace`: all or nothing. Throws `ChatImportError`, or the system's error. */
export async function importChat(
	place: Omit<ChatCopyDependencies, "paths"> & { readonly paths: Pick<ChatPaths, "folder"> },
	bytes: Uint8Array,
	workspace: ChatWorkspace | undefined,
): Promise<string> {
	const { title, records: found } = await inTurns(decodeExport(bytes), place.clock);
	const records = await inTurns(shownRecords(joinTexts(found)), place.clock);
	const { createdAt, turns, tree } = await inTurns(replayingChat(records), place.clock);
	if (turns.length === 0) {
		throw ChatImportError.notAChat();
	}
	assertResultsAreShown(tree.placed.map(({ turn }) => turn));
	const origin = { createdAt: createdAt ?? place.clock.now(), workspace };
	return keepAsNew(place, { ...origin, title, records });
}

interface ReadChat {
	readonly records: readonly ChatRecord[];
	readonly title: string;
	readonly replayed: ReplayedChat;
	readonly options: ChatOptions;
}

async function readForCopy({ files, clock, paths }: ChatCopyDependencies): Promise<ReadChat> {
	const bytes = await files.read(paths.logPath);
	const { records, condition } = await inTurns(decodingLog(bytes), clock);
	const replayed = await inTurns(replayingChat(records), clock);
	if (condition === "newer" || replayed.turns.length === 0) {
		throw new StoreError(condition === "newer" ? "newer" : "damaged", paths.logPath);
	}
	const { title = replayed.title ?? "", options } = await readMeta(files, paths.metaPath);
	return { records, title, replayed, options };
}

async function keepAsNew(
	{ files, clock, paths: { folder } }: Parameters<typeof importChat>[0],
	chat: {
		readonly title: string;
		readonly createdAt: number;
		readonly workspace: ChatWorkspace | undefined;
		readonly records: readonly ChatRecord[];
		readonly options?: ChatOptions;
	},
): Promise<string> {
	const id = randomUUID();
	const { options = {} } = chat;
	const { logPath, metaPath } = chatPaths(folder, id);
	await files.makeFolder(folder);
	if (Object.keys(options).length > 0) {
		// Must precede the log, which makes it a chat.
		await appendMeta(files, folder, metaPath, { type: "options", at: clock.now(), options });
	}
	await replaceLog(files, folder, logPath, [
		...openingRecords({ ...chat, id }, { at: clock.now(), title: chat.title }),
		...chat.records.filter(({ type }) => type !== "chat-created" && type !== "title"),
	]);
	return id;
}

/** Returns the records of a turn and of those before it, so that it is the last one shown, or undefined if it doesn't exist. */
function recordsThrough(records: readonly ChatRecord[], turnId: string): ChatRecord[] | undefined {
	const numbers = new Map(
		records.flatMap(record =>
			record.type === "turn-started" ? [[record.id, record.turn] as const] : [],
		),
	);
	const last = numbers.get(turnId);
	if (last === undefined) {
		return undefined;
	}
	const kept = records.filter(record => (numberOf(record, numbers) ?? 0) <= last);
	const [at = 0] = records.flatMap(record => ("at" in record ? [record.at] : []));
	// The source chat may show another branch.
	return [...kept, { type: "branch-shown", at, shown: last }];
}

function numberOf(record: ChatRecord, numbers: ReadonlyMap<string, number>): number | undefined {
	switch (record.type) {
		case "tool-started":
		case "block-called":
		case "tool-ended":
			return numbers.get(placeOfCall(callIdOf(record)).turnId);
		case "branch-shown":
			return record.shown;
		default:
			return turnNumberOf(record);
	}
}
