import { type Clock, throwIfAborted } from "../../common/async.ts";
import { Disposable, type Event } from "../../common/disposable.ts";
import { systemCode } from "../../common/errors.ts";
import { type Log, silentLog } from "../../common/log.ts";
import { type ChatOptions, appendMeta, type ChatMetaRecord, readMeta } from "../log/chatMeta.ts";
import {
	type ChatPaths,
	chatIdOf,
	chatPaths,
	isChatId,
	lockSuffix,
	isShownInLists,
	isFileOfChat,
} from "../log/chatPaths.ts";
import type { ChatWorkspace } from "../log/chatRecord.ts";
import {
	type ChatCopyDependencies,
	type DuplicateOptions,
	duplicateChat,
	exportJson,
	exportMarkdown,
	importChat,
} from "../export/chatCopies.ts";
import { ChatImportError } from "../export/chatExport.ts";
import { ChatIndex } from "./chatIndex.ts";
import { type ChatFound, searchChats, type SearchOptions } from "./chatSearch.ts";
import { type ChatSummary, readSummary } from "./chatSummary.ts";
import { foldTitle } from "./chatTexts.ts";
import {
	type FileSystem,
	nodeFileSystem,
	StoreError,
	orStoreError,
	toStoreError,
} from "../../storage/fileSystem.ts";
import { FolderWatch } from "../../storage/folderWatch.ts";
import { acquireWriterLease, isLeaseHeld } from "../../storage/lease.ts";
import { join } from "node:path";

export interface ListOptions {
	readonly signal?: AbortSignal;
	/** Lists the deleted chats instead, if they haven't been removed. */
	readonly deleted?: boolean;
}

export interface ChatLibraryDependencies {
	readonly folder: string;
	readonly clock: Clock;
	readonly log?: Log;
	readonly files?: FileSystem;
}

export type { ChatFound, DuplicateOptions, SearchOptions };

/**
 * All chats of all windows. Changes are stored beside a chat's log, so they don't require the right to write it and work while another window writes
 * it. Methods that change something resolve once the change would survive a power cut. They throw `StoreError`, `missing` if the chat doesn't exist.
 */
export class ChatLibrary extends Disposable {
	/** Fires if a list changed, in any window. */
	readonly onDidChange: Event<void>;
	private readonly folder: string;
	private readonly clock: Clock;
	private readonly log: Log;
	private readonly files: FileSystem;
	private readonly index: ChatIndex;
	private readonly watch: FolderWatch;

	constructor({ folder, clock, log = silentLog, files = nodeFileSystem }: ChatLibraryDependencies) {
		super();
		this.folder = folder;
		this.clock = clock;
		this.log = log;
		this.files = files;
		this.index = new ChatIndex({ files, folder, clock });
		this.watch = this.register(
			new FolderWatch({ folder, files, clock, log, concerns: isShownInLists }),
		);
		this.onDidChange = this.watch.onDidChange;
	}

	/** Lists the chats, most recently changed first. With `deleted`, lists only the deleted ones. Throws `StoreError`, and `AbortError` if aborted. */
	async list({ signal, deleted = false }: ListOptions = {}): Promise<readonly ChatSummary[]> {
		const all = await this.index.list();
		throwIfAborted(signal);
		const isOver = (chat: ChatSummary): boolean => this.isOver(chat);
		void this.removeAll(all.filter(isOver));
		return all.filter(chat => (chat.deletedAt !== undefined) === deleted && !isOver(chat));
	}

	/** Yields places of all words of a query in the chats of `list`, in order. Throws `StoreError` and `AbortError`. */
	async *search(query: string, options: SearchOptions = {}): AsyncGenerator<ChatFound> {
		const { files, folder, clock } = this;
		const chats = await this.list(options);
		yield* searchChats({ files, folder, clock, chats }, query, options);
	}

	/** Returns a chat, deleted or not, or undefined if it doesn't exist. */
	async get(id: string): Promise<ChatSummary | undefined> {
		return isChatId(id) ? readSummary(this.files, this.folder, id) : undefined;
	}

	/** Renames a chat to at most 200 characters. A name without visible characters restores the title of its first message. */
	rename(id: string, title: string): Promise<void> {
		return this.note(id, { type: "renamed", at: this.clock.now(), title: foldTitle(title) });
	}

	setPinned(id: string, isPinned: boolean): Promise<void> {
		return this.note(id, { type: "pinned", at: this.clock.now(), isPinned });
	}

	setArchived(id: string, isArchived: boolean): Promise<void> {
		return this.note(id, { type: "archived", at: this.clock.now(), isArchived });
	}

	setOptions(id: string, options: ChatOptions): Promise<void> {
		return this.note(id, { type: "options", at: this.clock.now(), options });
	}

	/** Hides a chat. A later listing removes its files, 30 days after the deletion or its last message. */
	delete(id: string): Promise<void> {
		return this.note(id, { type: "deleted", at: this.clock.now() });
	}

	async restore(id: string): Promise<void> {
		await this.note(id, { type: "restored", at: this.clock.now() });
		// It may have been removed from disk meanwhile.
		await this.requireLog(this.pathsOf(id));
	}

	/** Copies a chat, through `throughTurnId` if given, and returns the new id. Throws `StoreError` if nothing can be read. */
	async duplicate(id: string, options: DuplicateOptions = {}): Promise<string> {
		const copy = await this.copying(id, place => duplicateChat(place, options));
		this.watch.touch();
		return copy;
	}

	/** Returns a chat as Markdown. Throws like `duplicate`, and `newer` for a chat of a newer version. */
	exportMarkdown(id: string): Promise<string> {
		return this.copying(id, exportMarkdown);
	}

	/** Returns a chat as JSON, which `importChat` restores with the same turns. Throws like `exportMarkdown`. */
	exportJson(id: string): Promise<string> {
		return this.copying(id, exportJson);
	}

	/** Stores a JSON export as a new chat of `workspace`: all or nothing. Throws `ChatImportError` or `StoreError`. */
	async importChat(bytes: Uint8Array, workspace?: ChatWorkspace): Promise<string> {
		const { files, clock, folder } = this;
		try {
			return await importChat({ files, clock, paths: { folder } }, bytes, workspace);
		} catch (error) {
			throw error instanceof ChatImportError ? error : toStoreError(error, folder);
		} finally {
			this.watch.touch();
		}
	}

	/** Returns the ids of chats that any window has open for writing, or none if the folder can't be read. */
	async openIds(): Promise<ReadonlySet<string>> {
		// The list of chats reports an unreadable folder.
		const names = await this.files.names(this.folder).catch(() => []);
		const ids = names.map(name => chatIdOf(name, lockSuffix)).filter(id => id !== undefined);
		const held = await Promise.all(ids.map(id => this.isOpen(id)));
		return new Set(ids.filter((_, index) => held[index]));
	}

	private async isOpen(id: string): Promise<boolean> {
		try {
			return await isLeaseHeld(this.files, this.pathsOf(id).leasePath, this.clock);
		} catch (error) {
			return systemCode(error) !== "ENOENT";
		}
	}

	private async copying(
		id: string,
		copy: (dependencies: ChatCopyDependencies) => Promise<string>,
	): Promise<string> {
		const { files, clock } = this;
		const paths = this.pathsOf(id);
		return orStoreError(paths.logPath, copy({ files, clock, paths }));
	}

	private isOver({ deletedAt, updatedAt }: ChatSummary): boolean {
		return (
			deletedAt !== undefined &&
			this.clock.now() - Math.max(deletedAt, updatedAt) > deletedChatLifeMs
		);
	}

	private async removeAll(chats: readonly ChatSummary[]): Promise<void> {
		for (const { id } of chats) {
			try {
				await removeChat(this.files, this.folder, id, this.clock);
			} catch (error) {
				// The next listing tries again. The chat stays hidden until then.
				const { kind } = toStoreError(error, this.folder);
				this.log.warn("A deleted chat could not be removed", { chat: id, error: kind });
			}
		}
	}

	private async note(id: string, record: ChatMetaRecord): Promise<void> {
		const paths = this.pathsOf(id);
		await this.requireLog(paths);
		const { metaPath } = paths;
		await orStoreError(metaPath, appendMeta(this.files, this.folder, metaPath, record));
		this.watch.touch();
	}

	private pathsOf(id: string): ChatPaths {
		if (!isChatId(id)) {
			throw new StoreError("missing", this.folder);
		}
		return chatPaths(this.folder, id);
	}

	private async requireLog({ logPath }: ChatPaths): Promise<void> {
		await orStoreError(logPath, this.files.modifiedAt(logPath));
	}
}

/** How long a deleted chat can be restored, in milliseconds: 30 days. */
const deletedChatLifeMs = 30 * 24 * 60 * 60_000;

/**
 * Removes the files of a deleted chat, the log first, so that an interrupted removal leaves no chat. Does nothing if the chat was restored meanwhile.
 * Throws a `heldElsewhere` `StoreError` while a window has the chat open, and the system's error.
 */
async function removeChat(
	files: FileSystem,
	folder: string,
	id: string,
	clock: Clock,
): Promise<void> {
	const { logPath, metaPath, leasePath } = chatPaths(folder, id);
	const lease = await acquireWriterLease(files, leasePath, clock);
	try {
		if ((await readMeta(files, metaPath)).deletedAt === undefined) {
			return;
		}
		await files.remove(logPath);
		for (const name of await files.names(folder)) {
			const path = join(folder, name);
			if (isFileOfChat(name, id) && path !== leasePath) {
				await files.remove(path);
			}
		}
	} finally {
		await lease.release();
	}
}
