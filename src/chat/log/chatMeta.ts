/**
 * Metadata of a chat: its name, whether it is pinned, archived or deleted. Kept in a file of its own beside the
 * chat's log, so that any window can change it without the right to write the log: a line is added in one write to the file's
 * end, whoever else adds lines, and the last one counts. Every line begins with a line end as well, so that one which was cut
 * off, by a full disk or a crash, spoils none but itself:
 * `{"v":1,"sum":"1a2b3c4d","record":{…}}`, where `sum` is the CRC-32 of the record's bytes.
 */
import { crc32 } from "node:zlib";
import * as z from "zod/mini";
import { type ChatOptions, chatOptionsSchema } from "./chatOptions.ts";
import type { FileSystem } from "../../storage/fileSystem.ts";
import { systemCode } from "../../storage/atomicFile.ts";
import { timeSchema as time } from "../turn/toolRecord.ts";

const chatMetaRecordSchema = z.discriminatedUnion("type", [
	/** An empty title gives the chat the name of its first question again. */
	z.object({ type: z.literal("renamed"), at: time, title: z.string() }),
	z.object({ type: z.literal("pinned"), at: time, isPinned: z.boolean() }),
	z.object({ type: z.literal("archived"), at: time, isArchived: z.boolean() }),
	/** The chat is hidden from here on, and its files are removed much later. */
	z.object({ type: z.literal("deleted"), at: time }),
	z.object({ type: z.literal("restored"), at: time }),
	/** Options of its questions, in place of what was chosen before. */
	z.object({ type: z.literal("options"), at: time, options: chatOptionsSchema }),
]);

/** One thing a user has done with a chat as a whole. Times are in milliseconds since 1970. */
export type ChatMetaRecord = z.infer<typeof chatMetaRecordSchema>;

/** Metadata of a chat. */
export interface ChatMeta {
	/** The name a user gave it; undefined for that of its first question. */
	readonly title: string | undefined;
	readonly isPinned: boolean;
	readonly isArchived: boolean;
	/** When it was deleted, in milliseconds since 1970; undefined when it is not. */
	readonly deletedAt: number | undefined;
	/** Options of its questions. */
	readonly options: ChatOptions;
}

/** A chat that nobody has done anything with. */
export const plainMeta: ChatMeta = {
	title: undefined,
	isPinned: false,
	isArchived: false,
	deletedAt: undefined,
	options: {},
};

/** Reads what has been made of a chat; nothing when there is no such file. Rejects with the system's error. */
export async function readMeta(files: FileSystem, path: string): Promise<ChatMeta> {
	try {
		return decodeMeta(await files.read(path));
	} catch (error) {
		if (systemCode(error) === "ENOENT") {
			return plainMeta;
		}
		throw error;
	}
}

/** Adds what a user has done; once this resolves, it would survive a power cut. Rejects with the system's error. */
export async function appendMeta(
	files: FileSystem,
	folder: string,
	path: string,
	record: ChatMetaRecord,
): Promise<void> {
	await files.append(path, encodeMeta(record));
	await files.syncFolder(folder);
}

function encodeMeta(record: ChatMetaRecord): Buffer {
	const text = JSON.stringify(record);
	return Buffer.from(`\n{"v":${metaVersion},"sum":"${checksum(text)}","record":${text}}\n`);
}

/** Reads the bytes; lines that cannot be read, or that a newer version wrote, are passed over. */
function decodeMeta(bytes: Uint8Array): ChatMeta {
	return Buffer.from(bytes)
		.toString("utf8")
		.split("\n")
		.map(decodeLine)
		.filter(record => record !== undefined)
		.reduce(applyMeta, plainMeta);
}

function applyMeta(meta: ChatMeta, record: ChatMetaRecord): ChatMeta {
	switch (record.type) {
		case "renamed":
			return { ...meta, title: record.title === "" ? undefined : record.title };
		case "pinned":
			return { ...meta, isPinned: record.isPinned };
		case "archived":
			return { ...meta, isArchived: record.isArchived };
		case "deleted":
			return { ...meta, deletedAt: record.at };
		case "restored":
			return { ...meta, deletedAt: undefined };
		case "options":
			return { ...meta, options: record.options };
	}
}

const metaVersion = 1;
const envelope = /^\{"v":1,"sum":"([0-9a-f]{8})","record":(.*)\}$/;

function decodeLine(line: string): ChatMetaRecord | undefined {
	const [, sum, record = ""] = envelope.exec(line) ?? [];
	if (sum === undefined || checksum(record) !== sum) {
		return undefined;
	}
	try {
		return chatMetaRecordSchema.safeParse(JSON.parse(record)).data;
	} catch {
		return undefined;
	}
}

function checksum(record: string): string {
	return crc32(record).toString(16).padStart(8, "0");
}
