import { randomUUID } from "node:crypto";
import type { Clock } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import { isAbortError } from "../../common/errors.ts";
import { type Log, silentLog } from "../../common/log.ts";
import { type ChatFollower, followChat } from "../sharing/chatFollower.ts";
import {
	answerTakeoverRequests,
	requestTakeover,
	type TakeoverResponder,
	type TakeoverOptions,
	type TakeoverResult,
} from "../sharing/takeover.ts";
import { type ChatPlaces, openStoredChat } from "./chatOpening.ts";
import { chatPaths, isChatId } from "../log/chatPaths.ts";
import type { ChatWorkspace } from "../log/chatRecord.ts";
import { LogWriter, newLog } from "../log/chatWriter.ts";
import { type FileSystem, nodeFileSystem } from "../../storage/fileSystem.ts";
import { StoreError, toStoreError } from "../../storage/storeError.ts";
import { QueueFile } from "../queue/queueFile.ts";
import type { OpenedChat, StoredChat } from "./storedChat.ts";
import { emptyTree } from "../turn/turnTree.ts";

export type { StoredChat } from "./storedChat.ts";

/** Dependencies of a store. */
export interface ChatStoreDependencies {
	/** Absolute path of the folder that holds the chats; made when the first one is written. */
	readonly folder: string;
	readonly clock: Clock;
	/** Where a chat is started that is started at this moment. */
	readonly workspace?: () => ChatWorkspace | undefined;
	readonly log?: Log;
	readonly files?: FileSystem;
}

/** Keeps chats: one append-only log per chat in one folder (fault matrix L1–L9, threat T25). */
export class ChatStore {
	private readonly dependencies: ChatStoreDependencies;
	private readonly log: Log;
	private readonly files: FileSystem;

	/** Makes a store; the disk is not touched. */
	constructor(dependencies: ChatStoreDependencies) {
		this.dependencies = dependencies;
		this.log = dependencies.log ?? silentLog;
		this.files = dependencies.files ?? nodeFileSystem;
	}

	/** A chat with nothing in it; nothing is on disk before its first turn. */
	create(): StoredChat {
		return this.emptyChat(randomUUID());
	}

	/**
	 * A chat without a question in which messages wait, with the right to write it; undefined when none do, or when another
	 * window has it.
	 */
	async openUnasked(id: string): Promise<StoredChat | undefined> {
		return isChatId(id) ? holdUnasked(this.emptyChat(id)) : undefined;
	}

	/**
	 * Reads a chat and takes the right to write it, waiting up to two seconds for another holder to let go. Throws
	 * `StoreError` when the file cannot be read at all.
	 */
	async open(id: string): Promise<OpenedChat> {
		return isChatId(id) ? openStoredChat(id, this.places(id), this.log) : { type: "missing" };
	}

	/** Follows a chat that another window writes, until disposed. Throws `StoreError` when it cannot be read. */
	follow(id: string): Promise<ChatFollower> {
		return this.orStoreError(id, place => followChat({ ...place, log: this.log }));
	}

	/**
	 * Asks the window that writes a chat to let go of it. Throws `StoreError` when the request cannot be written, and
	 * `AbortError` when the signal fires.
	 */
	takeOver(id: string, options: TakeoverOptions = {}): Promise<TakeoverResult> {
		return this.orStoreError(id, place => requestTakeover(place, options));
	}

	/** Answers the requests of other windows for a chat this window writes, until disposed. */
	answerTakeOvers(id: string, chat: TakeoverResponder): IDisposable {
		return answerTakeoverRequests(this.places(id), this.log, chat);
	}

	private places(id: string): ChatPlaces {
		const { folder, clock } = this.dependencies;
		return { files: this.files, clock, ...chatPaths(folder, id) };
	}

	private emptyChat(id: string): StoredChat {
		const { clock, workspace } = this.dependencies;
		const writer = new LogWriter({ ...this.places(id), position: newLog });
		return {
			id,
			title: undefined,
			createdAt: clock.now(),
			workspace: workspace?.(),
			deletedAt: undefined,
			options: {},
			turns: [],
			tree: emptyTree,
			nextTurn: 1,
			readOnly: undefined,
			keptAt: undefined,
			writer,
			queue: new QueueFile({ ...this.places(id), log: this.log, writer }),
		};
	}

	/** Does something with a chat; what goes wrong is a `StoreError`, or the `AbortError` that it was. */
	private async orStoreError<T>(id: string, step: (place: ChatPlaces) => Promise<T>): Promise<T> {
		if (!isChatId(id)) {
			throw new StoreError("missing", "");
		}
		const place = this.places(id);
		try {
			return await step(place);
		} catch (error) {
			throw isAbortError(error) ? error : toStoreError(error, place.logPath);
		}
	}
}

async function holdUnasked(chat: StoredChat): Promise<StoredChat | undefined> {
	try {
		if ((await chat.queue.read()).length > 0) {
			await chat.writer.whileHeld(() => Promise.resolve());
			return chat;
		}
	} catch {
		// What waits stays where it is, for the window that has it or for the next start.
		return undefined;
	}
	return undefined;
}
