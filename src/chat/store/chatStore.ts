import { randomUUID } from "node:crypto";
import type { Clock } from "../../common/async.ts";
import { type Log, silentLog } from "../../common/log.ts";
import {
	type ChatPlaces,
	openStoredChat,
	type OpenedChat,
	type StoredChat,
} from "./chatOpening.ts";
import { chatPaths, isChatId } from "../log/chatPaths.ts";
import type { ChatWorkspace } from "../log/chatRecord.ts";
import { LogWriter, newLog } from "../log/chatWriter.ts";
import {
	type FileSystem,
	nodeFileSystem,
	StoreError,
	toStoreError,
} from "../../storage/fileSystem.ts";
import { isLeaseHeld, seizeLease } from "../../storage/lease.ts";
import { QueueFile } from "../queue/queueFile.ts";
import { emptyTree } from "../contract/turnTree.ts";

export type { StoredChat } from "./chatOpening.ts";

export interface ChatStoreDependencies {
	/** Absolute path of the folder with the chats; created with the first one. */
	readonly folder: string;
	readonly clock: Clock;
	readonly workspace?: () => ChatWorkspace | undefined;
	readonly log?: Log;
	readonly files?: FileSystem;
}

/** Stores chats in a folder, as one append-only log per chat. docs/faults.md, docs/security.md. */
export class ChatStore {
	private readonly dependencies: ChatStoreDependencies;
	private readonly log: Log;
	private readonly files: FileSystem;

	constructor(dependencies: ChatStoreDependencies) {
		this.dependencies = dependencies;
		this.log = dependencies.log ?? silentLog;
		this.files = dependencies.files ?? nodeFileSystem;
	}

	/** Creates an empty chat. It is written to disk with its first turn. */
	create(): StoredChat {
		return this.emptyChat(randomUUID());
	}

	/** Opens a chat without turns but with queued messages, for writing; undefined if none are queued or it is held elsewhere. */
	async openQueuedOnly(id: string): Promise<StoredChat | undefined> {
		return isChatId(id) ? holdUnasked(this.emptyChat(id)) : undefined;
	}

	/** Reads a chat and acquires the right to write, waiting up to 2 s for another window. Throws `StoreError`. */
	async open(id: string): Promise<OpenedChat> {
		return isChatId(id) ? openStoredChat(id, this.places(id), this.log) : { type: "missing" };
	}

	/** Ends the right of another window to write a chat, if one has it. Throws `StoreError`. */
	seize(id: string): Promise<void> {
		return this.orStoreError(id, ({ files, leasePath, clock }) =>
			seizeLease(files, leasePath, clock),
		);
	}

	/** Whether a window has the right to write a chat. Throws `StoreError`. */
	isHeld(id: string): Promise<boolean> {
		return this.orStoreError(id, ({ files, leasePath, clock }) =>
			isLeaseHeld(files, leasePath, clock),
		);
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

	/** Runs a step and converts errors to `StoreError`. */
	private async orStoreError<T>(id: string, step: (place: ChatPlaces) => Promise<T>): Promise<T> {
		if (!isChatId(id)) {
			throw new StoreError("missing", "");
		}
		const place = this.places(id);
		try {
			return await step(place);
		} catch (error) {
			throw toStoreError(error, place.logPath);
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
		// The messages stay queued, for the window that has the chat or for the next start.
		return undefined;
	}
	return undefined;
}
