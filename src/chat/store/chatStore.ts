import { randomUUID } from "node:crypto";
import type { Clock } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import { isAbortError } from "../../common/errors.ts";
import { type Log, silentLog } from "../../common/log.ts";
import {
	type ChatFollower,
	followChat,
	answerTakeoverRequests,
	requestTakeover,
	type TakeoverResponder,
	type TakeoverOptions,
	type TakeoverResult,
} from "../sharing/index.ts";
import { type ChatPlaces, openStoredChat } from "./chatOpening.ts";
import { chatPaths, isChatId, type ChatWorkspace, createChatWriter, newLog } from "../log/index.ts";
import { type FileSystem, nodeFileSystem, StoreError, toStoreError } from "../../storage/index.ts";
import { createQueueFile } from "../queue/index.ts";
import type { OpenedChat, StoredChat } from "./storedChat.ts";
import { emptyTree } from "../turn/index.ts";

export type { StoredChat } from "./storedChat.ts";

/** Keeps chats: one append-only log per chat in one folder (fault matrix L1–L9, threat T25). */
export interface ChatStore {
	/** A chat with nothing in it; nothing is on disk before its first turn. */
	create(): StoredChat;
	/**
	 * A chat without a question in which messages wait, with the right to write it; undefined when none do, or when another
	 * window has it.
	 */
	openUnasked(id: string): Promise<StoredChat | undefined>;
	/**
	 * Reads a chat and takes the right to write it, waiting up to two seconds for another holder to let go. Throws
	 * `StoreError` when the file cannot be read at all.
	 */
	open(id: string): Promise<OpenedChat>;
	/** Follows a chat that another window writes, until disposed. Throws `StoreError` when it cannot be read. */
	follow(id: string): Promise<ChatFollower>;
	/**
	 * Asks the window that writes a chat to let go of it. Throws `StoreError` when the request cannot be written, and
	 * `AbortError` when the signal fires.
	 */
	takeOver(id: string, options?: TakeoverOptions): Promise<TakeoverResult>;
	/** Answers the requests of other windows for a chat this window writes, until disposed. */
	answerTakeOvers(id: string, chat: TakeoverResponder): IDisposable;
}

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

/** Makes a store; the disk is not touched. */
export function createChatStore(dependencies: ChatStoreDependencies): ChatStore {
	const { folder, clock, log = silentLog, files = nodeFileSystem } = dependencies;
	const places = (id: string): ChatPlaces => ({ files, clock, ...chatPaths(folder, id) });
	const create = (id: string): StoredChat => {
		const writer = createChatWriter({ ...places(id), position: newLog });
		return {
			id,
			title: undefined,
			createdAt: clock.now(),
			workspace: dependencies.workspace?.(),
			deletedAt: undefined,
			options: {},
			turns: [],
			tree: emptyTree,
			nextTurn: 1,
			readOnly: undefined,
			keptAt: undefined,
			writer,
			queue: createQueueFile({ ...places(id), log, writer }),
		};
	};
	return {
		create: () => create(randomUUID()),
		openUnasked: async id => (isChatId(id) ? holdUnasked(create(id)) : undefined),
		open: async id => (isChatId(id) ? openStoredChat(id, places(id), log) : { type: "missing" }),
		follow: id => orStoreError(id, places, place => followChat({ ...place, log })),
		takeOver: (id, asking = {}) =>
			orStoreError(id, places, place => requestTakeover(place, asking)),
		answerTakeOvers: (id, chat) => answerTakeoverRequests(places(id), log, chat),
	};
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

/** Does something with a chat; what goes wrong is a `StoreError`, or the `AbortError` that it was. */
async function orStoreError<T>(
	id: string,
	places: (id: string) => ChatPlaces,
	step: (place: ChatPlaces) => Promise<T>,
): Promise<T> {
	if (!isChatId(id)) {
		throw new StoreError("missing", "");
	}
	const place = places(id);
	try {
		return await step(place);
	} catch (error) {
		throw isAbortError(error) ? error : toStoreError(error, place.logPath);
	}
}
