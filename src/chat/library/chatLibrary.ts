import { type Clock, throwIfAborted } from "../../common/async.ts";
import { Disposable } from "../../common/disposable.ts";
import type { Event } from "../../common/emitter.ts";
import { type Log, silentLog } from "../../common/log.ts";
import type { ChatOptions } from "../log/chatOptions.ts";
import { appendMeta, type ChatMetaRecord, readMeta } from "../log/chatMeta.ts";
import {
	type ChatPaths,
	chatPaths,
	isChatId,
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
import { type ChatSummary, summarizeChat } from "./chatSummary.ts";
import { foldTitle } from "./chatTitle.ts";
import { type FileSystem, nodeFileSystem } from "../../storage/fileSystem.ts";
import { FolderWatch } from "../../storage/folderWatch.ts";
import { StoreError, toStoreError } from "../../storage/storeError.ts";
import { acquireWriterLease } from "../../storage/lease.ts";
import { checkHistory, type HistoryReport } from "./historyCheck.ts";
import { join } from "node:path";

/** Which chats are listed, and until when. */
export interface ListOptions {
	readonly signal?: AbortSignal;
	/** Lists the deleted chats that are still there. */
	readonly deleted?: boolean;
}

/** Dependencies of a library. */
export interface ChatLibraryDependencies {
	/** Absolute path of the folder that holds the chats. */
	readonly folder: string;
	readonly clock: Clock;
	readonly log?: Log;
	readonly files?: FileSystem;
}

export type { ChatFound, DuplicateOptions, HistoryReport, SearchOptions };

/**
 * All chats of all windows. What is done here to a chat is kept beside its log, so it needs no right to write the log and works
 * while another window writes it. Every method that changes something resolves once that would survive a power cut, and throws
 * `StoreError`: `missing` when there is no such chat.
 */
export class ChatLibrary extends Disposable {
	/** Something in a list changed, in this window or another one. */
	readonly onDidChange: Event<void>;
	private readonly folder: string;
	private readonly clock: Clock;
	private readonly log: Log;
	private readonly files: FileSystem;
	private readonly index: ChatIndex;
	private readonly watch: FolderWatch;

	/** Makes a library; nothing is read before it is asked to. */
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

	/**
	 * The chats, the one changed last first; those that were deleted are listed with `deleted` instead, and alone. Throws
	 * `StoreError`, and `AbortError` when the signal fires.
	 */
	async list({ signal, deleted = false }: ListOptions = {}): Promise<readonly ChatSummary[]> {
		const all = await this.index.list();
		throwIfAborted(signal);
		const isOver = (chat: ChatSummary): boolean => this.isOver(chat);
		void this.removeAll(all.filter(isOver));
		return all.filter(chat => (chat.deletedAt !== undefined) === deleted && !isOver(chat));
	}

	/**
	 * Finds where all words of a query occur, in the chats that `list` lists and in their order; one after the other, while
	 * the search goes on. Throws `StoreError`, and `AbortError` when the signal fires.
	 */
	async *search(query: string, options: SearchOptions = {}): AsyncGenerator<ChatFound> {
		const { files, folder, clock } = this;
		const chats = await this.list(options);
		yield* searchChats({ files, folder, clock, chats }, query, options);
	}

	/** One chat, deleted or not; undefined when there is none. */
	async get(id: string): Promise<ChatSummary | undefined> {
		return isChatId(id) ? summarizeChat(this.files, this.folder, id) : undefined;
	}

	/** Names a chat; a name without a visible character gives it that of its first question again. At most 200 characters. */
	rename(id: string, title: string): Promise<void> {
		return this.note(id, { type: "renamed", at: this.clock.now(), title: foldTitle(title) });
	}

	setPinned(id: string, isPinned: boolean): Promise<void> {
		return this.note(id, { type: "pinned", at: this.clock.now(), isPinned });
	}

	setArchived(id: string, isArchived: boolean): Promise<void> {
		return this.note(id, { type: "archived", at: this.clock.now(), isArchived });
	}

	/** Keeps what was chosen for a chat's questions, in place of what was chosen before. */
	setOptions(id: string, options: ChatOptions): Promise<void> {
		return this.note(id, { type: "options", at: this.clock.now(), options });
	}

	/** Hides a chat. Its files are removed by a listing 30 days after that, or after its last message. */
	delete(id: string): Promise<void> {
		return this.note(id, { type: "deleted", at: this.clock.now() });
	}

	/** Takes a deletion back. */
	async restore(id: string): Promise<void> {
		await this.note(id, { type: "restored", at: this.clock.now() });
		// It may have been removed for good while this was being written.
		await this.requireLog(this.pathsOf(id));
	}

	/**
	 * Copies a chat, up to and with `throughTurnId` if given, to one of its own under the same name and returns the copy's id.
	 * Throws `StoreError` `damaged` when nothing of it can be read.
	 */
	async duplicate(id: string, options: DuplicateOptions = {}): Promise<string> {
		const copy = await this.copying(id, place => duplicateChat(place, options));
		this.watch.touch();
		return copy;
	}

	/** A chat as Markdown for people. Throws as `duplicate` does, and `newer` for a chat of a newer version. */
	exportMarkdown(id: string): Promise<string> {
		return this.copying(id, exportMarkdown);
	}

	/** A chat as JSON, which `importChat` reads back with the same turns. Throws as `exportMarkdown` does. */
	exportJson(id: string): Promise<string> {
		return this.copying(id, exportJson);
	}

	/**
	 * Keeps the bytes of a JSON export as a chat of its own, started in `workspace`, and returns its id. Throws `ChatImportError`,
	 * whose message is a sentence for the user, and `StoreError`; then nothing was kept.
	 */
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

	/**
	 * Reads every chat and puts in order what can be; nothing is lost by it, however often it runs and wherever it is cut off.
	 * Throws `StoreError` when the folder cannot be read, and `AbortError` when the signal fires.
	 */
	async verify(signal?: AbortSignal): Promise<HistoryReport> {
		const { files, folder, clock } = this;
		const report = await checkHistory({ files, folder, clock }, signal);
		await this.index.forget();
		this.watch.touch();
		return report;
	}

	private async copying(
		id: string,
		copy: (dependencies: ChatCopyDependencies) => Promise<string>,
	): Promise<string> {
		const paths = this.pathsOf(id);
		try {
			return await copy({ files: this.files, clock: this.clock, paths });
		} catch (error) {
			throw toStoreError(error, paths.logPath);
		}
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
				// The next listing tries again; until then it stays hidden.
				const { kind } = toStoreError(error, this.folder);
				this.log.warn("A deleted chat could not be removed", { chat: id, error: kind });
			}
		}
	}

	private async note(id: string, record: ChatMetaRecord): Promise<void> {
		const paths = this.pathsOf(id);
		await this.requireLog(paths);
		try {
			await appendMeta(this.files, this.folder, paths.metaPath, record);
		} catch (error) {
			throw toStoreError(error, paths.metaPath);
		}
		this.watch.touch();
	}

	private pathsOf(id: string): ChatPaths {
		if (!isChatId(id)) {
			throw new StoreError("missing", this.folder);
		}
		return chatPaths(this.folder, id);
	}

	private async requireLog({ logPath }: ChatPaths): Promise<void> {
		try {
			await this.files.modifiedAt(logPath);
		} catch (error) {
			throw toStoreError(error, logPath);
		}
	}
}

/** How long a deleted chat can be restored, in milliseconds: 30 days. */
const deletedChatLifeMs = 30 * 24 * 60 * 60_000;

/**
 * Removes the files of a deleted chat for good, its log first: what is left of a removal that was cut off is no chat. Leaves a
 * chat alone that was restored meanwhile. Throws `StoreError` `heldElsewhere` while a window has the chat open, and the
 * system's error.
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
