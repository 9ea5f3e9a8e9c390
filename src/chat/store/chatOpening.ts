import { assertNever, systemCode } from "../../common/errors.ts";
import { type Clock, delay, inTurns } from "../../common/async.ts";
import type { Log } from "../../common/log.ts";
import { type DecodedLog, decodingLog } from "../log/chatLog.ts";
import { type ChatMeta, plainMeta, readMeta, type ChatOptions } from "../log/chatMeta.ts";
import type { ChatPaths } from "../log/chatPaths.ts";
import { keepCopy, replaceLog } from "../log/chatRepair.ts";
import { type ReplayedChat, replayingChat } from "../log/chatReplay.ts";
import {
	LogWriter,
	createClosedWriter,
	type LogPosition,
	type ChatWriter,
} from "../log/chatWriter.ts";
import { type FileSystem, StoreError, toStoreError } from "../../storage/fileSystem.ts";
import { ifThere } from "../../storage/atomicFile.ts";
import { acquireWriterLease, type Lease } from "../../storage/lease.ts";
import { QueueFile } from "../queue/queueFile.ts";

/** Reads a chat and acquires the right to write, waiting up to 2 s for another window. Throws `StoreError`. */
export async function openStoredChat(id: string, place: ChatPlaces, log: Log): Promise<OpenedChat> {
	const lease = await tryLease(place);
	try {
		const result = await openLog(id, { ...place, lease }, log);
		if (result.type !== "opened") {
			await release(lease);
			return result;
		}
		if (result.chat.readOnly) {
			await release(lease);
		}
		const meta = await metaOf(place, log);
		const title = meta.title ?? result.chat.title;
		const { deletedAt, options } = meta;
		const queue = new QueueFile({ ...place, log, writer: result.chat.writer });
		return { ...result, chat: { ...result.chat, title, deletedAt, options, queue } };
	} catch (error) {
		await release(lease);
		throw toStoreError(error, place.logPath);
	}
}

/** The lease, a `heldElsewhere` error, or `undefined` if the lock file couldn't be read, so the first write tries again. */
type LeaseAttempt = Lease | StoreError | undefined;

/** After a reload, the new window opens the chat while the old one is still writing. */
const leaseWaitMs = 2000;
const leasePollMs = 100;

async function tryLease({ files, leasePath, clock }: ChatPlaces): Promise<LeaseAttempt> {
	const deadline = clock.monotonic() + leaseWaitMs;
	for (;;) {
		try {
			return await acquireWriterLease(files, leasePath, clock);
		} catch (error) {
			if (!(error instanceof StoreError)) {
				return undefined;
			}
			if (clock.monotonic() >= deadline) {
				return error;
			}
		}
		await delay(leasePollMs, undefined, clock);
	}
}

function isLease(attempt: LeaseAttempt): attempt is Lease {
	return attempt !== undefined && !(attempt instanceof StoreError);
}

async function release(attempt: LeaseAttempt): Promise<void> {
	if (isLease(attempt)) {
		await attempt.release();
	}
}

export interface ChatPlaces extends ChatPaths {
	readonly files: FileSystem;
	readonly clock: Clock;
}

type LeasedPlaces = ChatPlaces & { readonly lease: LeaseAttempt };

/** A chat's log without the files beside it. */
type OpenedLog =
	| { readonly type: "opened"; readonly chat: Omit<StoredChat, "queue"> }
	| Exclude<OpenedChat, { readonly type: "opened" }>;

async function openLog(id: string, place: LeasedPlaces, log: Log): Promise<OpenedLog> {
	const bytes = await ifThere(place.files.read(place.logPath));
	if (!bytes || bytes.length === 0) {
		return { type: "missing" };
	}
	const decoded = await inTurns(decodingLog(bytes), place.clock);
	const replayed = await inTurns(replayingChat(decoded.records), place.clock);
	switch (decoded.condition) {
		case "newer":
			return readOnlyChat(id, replayed, new StoreError("newer", place.logPath));
		case "damaged":
			log.warn("A chat could not be read in full", { chat: id, turns: replayed.turns.length });
			return openDamaged(id, place, decoded, replayed);
		case "whole":
		case "tornTail":
			return writableChat(id, replayed, place, {
				length: decoded.length,
				nextNumber: decoded.nextNumber,
				// Without the lease, an incomplete line may be in progress in another window.
				hasTornTail: decoded.condition === "tornTail" && isLease(place.lease),
			});
		default:
			return assertNever(decoded.condition);
	}
}

/** Unreadable metadata doesn't make a chat unreadable. */
async function metaOf({ files, metaPath }: ChatPlaces, log: Log): Promise<ChatMeta> {
	try {
		return await readMeta(files, metaPath);
	} catch (error) {
		log.warn("A chat's metadata could not be read", { error: systemCode(error) });
		return plainMeta;
	}
}

/** Keeps a copy of the file and continues with the readable part. If that fails, opens the chat read-only. */
async function openDamaged(
	id: string,
	place: LeasedPlaces,
	decoded: DecodedLog,
	replayed: ReplayedChat,
): Promise<OpenedLog> {
	const { files, folder, logPath, lease } = place;
	const isLost = replayed.turns.length === 0;
	if (!isLease(lease)) {
		return isLost
			? { type: "unreadable", keptAt: logPath }
			: readOnlyChat(id, replayed, lease ?? new StoreError("damaged", logPath));
	}
	try {
		const keptAt = await keepCopy(files, logPath);
		if (isLost) {
			await files.remove(logPath);
			return { type: "unreadable", keptAt };
		}
		const length = await replaceLog(files, folder, logPath, decoded.records);
		const position = { length, nextNumber: decoded.records.length, hasTornTail: false };
		return writableChat(id, replayed, place, position, keptAt);
	} catch (error) {
		return isLost
			? { type: "unreadable", keptAt: logPath }
			: readOnlyChat(id, replayed, new StoreError("damaged", logPath, error));
	}
}

function writableChat(
	id: string,
	replayed: ReplayedChat,
	{ lease, ...place }: LeasedPlaces,
	position: LogPosition,
	keptAt?: string,
): OpenedLog {
	const writer = new LogWriter({ ...place, position, ...(isLease(lease) ? { lease } : {}) });
	const readOnly = lease instanceof StoreError ? lease : undefined;
	return { type: "opened", chat: { ...contentOf(id, replayed), readOnly, keptAt, writer } };
}

function readOnlyChat(id: string, replayed: ReplayedChat, readOnly: StoreError): OpenedLog {
	const writer = createClosedWriter(readOnly);
	const chat = { ...contentOf(id, replayed), readOnly, keptAt: undefined, writer };
	return { type: "opened", chat };
}

function contentOf(
	id: string,
	{ title, createdAt, workspace, turns, tree, nextTurn }: ReplayedChat,
): Omit<StoredChat, "readOnly" | "keptAt" | "writer" | "queue"> {
	return {
		id,
		title,
		createdAt: createdAt ?? 0,
		workspace,
		deletedAt: undefined,
		options: {},
		turns,
		tree,
		nextTurn,
	};
}

/** A chat read from disk, with its writer. */
export interface StoredChat extends ReplayedChat {
	readonly id: string;
	/** The user's name for it, or the title of its first message; undefined before that. */
	readonly title: string | undefined;
	readonly createdAt: number;
	/** Time of the deletion in milliseconds since 1970, or undefined. */
	readonly deletedAt: number | undefined;
	readonly options: ChatOptions;
	/**
	 * Why the chat is read-only, or undefined. For `heldElsewhere`, a write tries again and succeeds once the other window has released the chat without
	 * changing it. For other kinds, every write fails.
	 */
	readonly readOnly: StoreError | undefined;
	/** Path of the original file if parts of it were unreadable. */
	readonly keptAt: string | undefined;
	readonly writer: ChatWriter;
	readonly queue: QueueFile;
}

export type OpenedChat =
	| { readonly type: "opened"; readonly chat: StoredChat }
	/** The chat doesn't exist or is empty. */
	| { readonly type: "missing" }
	/** Nothing could be read. The file is kept at `keptAt`. */
	| { readonly type: "unreadable"; readonly keptAt: string };
