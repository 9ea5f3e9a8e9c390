/**
 * Index of the list of chats, kept in one file so that a thousand chats need not be read for it. The logs alone are the truth:
 * an entry counts only while the size and the time of its chat's files are those it was made from, and an index that cannot be
 * read is made again from the logs, silently.
 */
import { crc32 } from "node:zlib";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Clock } from "../../common/async.ts";
import { chatIdOf, chatPaths, isShownInLists } from "../log/chatPaths.ts";
import { workspaceSchema } from "../log/chatRecord.ts";
import { type ChatSummary, summarizeChat } from "./chatSummary.ts";
import type { FileStamp, FileSystem } from "../../storage/fileSystem.ts";
import { toStoreError } from "../../storage/storeError.ts";
import { timeSchema } from "../turn/toolRecord.ts";

/** Dependencies of an index. */
export interface ChatIndexDependencies {
	readonly files: FileSystem;
	readonly folder: string;
	readonly clock: Clock;
}

const indexName = "index.json";
const indexVersion = 1;

/** The file is written at most this often, in milliseconds; what it lacks is read from the logs. */
const writeMs = 30_000;

/** How many files a listing has open at a time. */
const batchSize = 32;

const summarySchema = z.object({
	id: z.string(),
	title: z.string(),
	preview: z.string(),
	workspace: z.optional(workspaceSchema),
	createdAt: timeSchema,
	updatedAt: timeSchema,
	turnCount: z.int().check(z.minimum(0)),
	condition: z.enum(["readable", "newer"]),
	isPinned: z.boolean(),
	isArchived: z.boolean(),
	deletedAt: z.optional(timeSchema),
});

const entriesSchema = z.record(
	z.string(),
	z.object({
		/** Size and time of the log and of what was made of the chat, as text. */
		stamp: z.string(),
		summary: summarySchema,
	}),
);

/** Summary of a chat when its files had these stamps. */
interface ChatIndexEntry {
	readonly stamp: string;
	readonly summary: ChatSummary;
}

/** All chats of a folder, summed up. */
export class ChatIndex {
	private readonly dependencies: ChatIndexDependencies;
	private entries: Promise<ReadonlyMap<string, ChatIndexEntry>> | undefined;
	private writtenAt = Number.NEGATIVE_INFINITY;

	/** Makes an index; nothing is read before the first list. */
	constructor(dependencies: ChatIndexDependencies) {
		this.dependencies = dependencies;
	}

	/** Every chat, deleted ones as well, the one changed last first. Throws `StoreError` when the folder cannot be read. */
	async list(): Promise<readonly ChatSummary[]> {
		const { files, folder } = this.dependencies;
		try {
			const stamps = stampsOf(await files.stamps(folder, isShownInLists));
			const known = await (this.entries ?? this.read());
			const { entries, unlisted, isChanged } = await this.bringUpToDate(stamps, known);
			this.entries = Promise.resolve(entries);
			if (isChanged || entries.size !== known.size) {
				await this.write(entries);
			}
			return [...[...entries.values()].map(({ summary }) => summary), ...unlisted].sort(
				(a, b) => b.updatedAt - a.updatedAt || a.id.localeCompare(b.id),
			);
		} catch (error) {
			throw toStoreError(error, folder);
		}
	}

	/** Forgets everything, so that the next list is made from the logs alone. */
	async forget(): Promise<void> {
		this.entries = Promise.resolve(new Map());
		this.writtenAt = Number.NEGATIVE_INFINITY;
		try {
			await this.dependencies.files.remove(this.path);
		} catch {
			// None is there; or it stays, and its entries count only where they are right.
			return;
		}
	}

	private get path(): string {
		return join(this.dependencies.folder, indexName);
	}

	/** The entries for files with these stamps. What the system refused to show has none, so that it is asked again. */
	private async bringUpToDate(
		stamps: ReadonlyMap<string, string>,
		known: ReadonlyMap<string, ChatIndexEntry>,
	): Promise<{
		entries: Map<string, ChatIndexEntry>;
		unlisted: ChatSummary[];
		isChanged: boolean;
	}> {
		const entries = new Map<string, ChatIndexEntry>();
		const unlisted: ChatSummary[] = [];
		let isChanged = false;
		const changed: [id: string, stamp: string][] = [];
		for (const [id, stamp] of stamps) {
			const entry = known.get(id);
			if (entry?.stamp === stamp) {
				entries.set(id, entry);
			} else {
				changed.push([id, stamp]);
			}
		}
		for (let start = 0; start < changed.length; start += batchSize) {
			const batch = changed.slice(start, start + batchSize);
			await Promise.all(
				batch.map(async ([id, stamp]) => {
					const summary = await summarizeChat(
						this.dependencies.files,
						this.dependencies.folder,
						id,
					);
					if (summary?.condition === "unreadable") {
						unlisted.push(summary);
					} else if (summary) {
						entries.set(id, { stamp, summary });
						isChanged = true;
					}
				}),
			);
		}
		return { entries, unlisted, isChanged };
	}

	private async read(): Promise<ReadonlyMap<string, ChatIndexEntry>> {
		try {
			const text = Buffer.from(await this.dependencies.files.read(this.path)).toString("utf8");
			return new Map(Object.entries(decodeIndex(text)));
		} catch {
			return new Map();
		}
	}

	private async write(entries: ReadonlyMap<string, ChatIndexEntry>): Promise<void> {
		const { files, clock } = this.dependencies;
		if (clock.monotonic() - this.writtenAt < writeMs) {
			return;
		}
		this.writtenAt = clock.monotonic();
		try {
			await files.replace(this.path, encodeIndex(entries));
		} catch {
			// A disk that refuses costs the next start its time, nothing else.
			return;
		}
	}
}

function encodeIndex(entries: ReadonlyMap<string, ChatIndexEntry>): string {
	const sorted = [...entries].sort(([a], [b]) => a.localeCompare(b));
	const chats = JSON.stringify(Object.fromEntries(sorted));
	return `{"v":${indexVersion},"sum":"${checksum(chats)}","chats":${chats}}\n`;
}

function decodeIndex(text: string): Record<string, ChatIndexEntry> {
	const [, version, sum, chats = ""] =
		/^\{"v":(\d+),"sum":"([0-9a-f]{8})","chats":(.*)\}\n$/s.exec(text) ?? [];
	if (Number(version) !== indexVersion || checksum(chats) !== sum) {
		return {};
	}
	const entries = entriesSchema.safeParse(JSON.parse(chats)).data ?? {};
	return Object.fromEntries(
		Object.entries(entries).map(([id, { stamp, summary }]) => [
			id,
			{
				stamp,
				summary: { ...summary, workspace: summary.workspace, deletedAt: summary.deletedAt },
			},
		]),
	);
}

function checksum(text: string): string {
	return crc32(text).toString(16).padStart(8, "0");
}

/** For every chat, size and time of its files as one text. */
function stampsOf(files: readonly FileStamp[]): ReadonlyMap<string, string> {
	const byName = new Map(
		files.map(({ name, size, modifiedAt }) => [name, `${size} ${modifiedAt}`] as const),
	);
	return new Map(
		[...byName].flatMap(([name, stamp]) => {
			const id = chatIdOf(name);
			const meta = id === undefined ? undefined : byName.get(chatPaths("", id).metaPath);
			return id === undefined ? [] : [[id, `${stamp} ${meta ?? "-"}`] as const];
		}),
	);
}
