import { join } from "node:path";
import { type Clock, throwIfAborted } from "../../common/async.ts";
import { type DecodedLog, decodeLog } from "../log/chatLog.ts";
import { chatIdOf, type ChatPaths, chatPaths, isDraft } from "../log/chatPaths.ts";
import { keepCopyIn, replaceLog } from "../log/chatRepair.ts";
import { replayChat } from "../log/chatReplay.ts";
import type { FileSystem } from "../../storage/fileSystem.ts";
import { systemCode } from "../../storage/atomicFile.ts";
import { StoreError, toStoreError } from "../../storage/storeError.ts";
import { acquireWriterLease } from "../../storage/lease.ts";

/** Findings in all chats, and the repairs. */
export interface HistoryReport {
	/** How many chats were read, and how many questions they hold. */
	readonly chats: number;
	readonly turns: number;
	/** Chats whose last line was cut off while it was being written, and was removed; nothing that had been kept is lost. */
	readonly cutTails: readonly string[];
	/** Chats of which parts could not be read: they go on without those. */
	readonly repaired: readonly KeptChat[];
	/** Files of which nothing could be read: they are no longer listed. */
	readonly unreadable: readonly KeptChat[];
	/** Chats of a newer version, which were left alone (L9). */
	readonly newer: readonly string[];
	/** Chats that something is wrong with and that another window writes: they were left alone. */
	readonly inUse: readonly string[];
	/** Chats that the disk refused to have read or put in order. */
	readonly failed: readonly { readonly id: string; readonly error: StoreError }[];
}

/** A chat whose file is kept as it was found. */
interface KeptChat {
	readonly id: string;
	/** Where the file is kept. */
	readonly keptAt: string;
}

/** Where the chats are. */
export interface HistoryCheckDependencies {
	readonly files: FileSystem;
	readonly folder: string;
	readonly clock: Clock;
}

/** The folder, beside the chats, that holds what could not be read. Nothing in it is ever replaced or removed. */
const quarantineName = "quarantine";

/** A file that was started so long ago and not finished, in milliseconds, is what a crash has left. */
const draftLifeMs = 60 * 60_000;

/**
 * Reads every chat and puts in order what can be: what could not be read is copied to the folder `quarantine` first, so nothing
 * is lost, however often this runs and wherever it is cut off. Throws `StoreError` when the folder cannot be read, and
 * `AbortError` between two chats when the signal fires.
 */
export async function checkHistory(
	dependencies: HistoryCheckDependencies,
	signal?: AbortSignal,
): Promise<HistoryReport> {
	const { files, folder } = dependencies;
	const outcomes: Outcome[] = [];
	try {
		const names = await files.names(folder);
		for (const id of names.map(chatIdOf).filter(found => found !== undefined)) {
			throwIfAborted(signal);
			outcomes.push(await checkChat(dependencies, id));
		}
		await removeDrafts(dependencies);
	} catch (error) {
		throw systemCode(error) === "" ? error : toStoreError(error, folder);
	}
	return reportOf(outcomes);
}

type Outcome =
	| { readonly type: "empty" }
	| {
			readonly type: "whole" | "cutTail" | "newer" | "inUse";
			readonly id: string;
			readonly turns: number;
	  }
	| {
			readonly type: "repaired" | "unreadable";
			readonly id: string;
			readonly turns: number;
			readonly keptAt: string;
	  }
	| { readonly type: "failed"; readonly id: string; readonly error: StoreError };

async function checkChat(dependencies: HistoryCheckDependencies, id: string): Promise<Outcome> {
	const paths = chatPaths(dependencies.folder, id);
	try {
		const { decoded, turns, size } = await readLog(dependencies.files, paths);
		if (size === 0) {
			return { type: "empty" };
		}
		if (decoded.condition === "whole" && turns > 0) {
			return { type: "whole", id, turns };
		}
		if (decoded.condition === "newer") {
			return { type: "newer", id, turns };
		}
		return await putInOrder(dependencies, paths, id);
	} catch (error) {
		if (systemCode(error) === "ENOENT") {
			// Removed meanwhile.
			return { type: "empty" };
		}
		const failure = toStoreError(error, paths.logPath);
		return failure.kind === "heldElsewhere"
			? { type: "inUse", id, turns: 0 }
			: { type: "failed", id, error: failure };
	}
}

/** Reads the log once more, with the right to write it: what looked torn may have been a line on its way. */
async function putInOrder(
	dependencies: HistoryCheckDependencies,
	paths: ChatPaths,
	id: string,
): Promise<Outcome> {
	const { files, folder, clock } = dependencies;
	const { logPath, leasePath } = paths;
	const lease = await acquireWriterLease(files, leasePath, clock);
	try {
		const { decoded, turns } = await readLog(files, paths);
		if (decoded.condition === "newer" || (decoded.condition === "whole" && turns > 0)) {
			return { type: decoded.condition, id, turns };
		}
		if (decoded.condition === "tornTail" && turns > 0) {
			await cutTail(files, logPath, decoded.length);
			return { type: "cutTail", id, turns };
		}
		const keptAt = await keepCopyIn(files, logPath, join(folder, quarantineName));
		if (turns === 0) {
			await files.remove(logPath);
			return { type: "unreadable", id, turns, keptAt };
		}
		await replaceLog(files, folder, logPath, decoded.records);
		return { type: "repaired", id, turns, keptAt };
	} finally {
		await lease.release();
	}
}

async function readLog(
	files: FileSystem,
	{ logPath }: ChatPaths,
): Promise<{ readonly decoded: DecodedLog; readonly turns: number; readonly size: number }> {
	const bytes = await files.read(logPath);
	const decoded = decodeLog(bytes);
	return { decoded, turns: replayChat(decoded.records).tree.placed.length, size: bytes.length };
}

async function cutTail(files: FileSystem, path: string, length: number): Promise<void> {
	const file = await files.open(path);
	try {
		await file.truncate(length);
		await file.sync();
	} finally {
		await file.close();
	}
}

/** Removes files that a crash has left unfinished; each was to take another's place, which is still there. */
async function removeDrafts({ files, folder, clock }: HistoryCheckDependencies): Promise<void> {
	for (const { name, modifiedAt } of await files.stamps(folder, isDraft)) {
		if (clock.now() - modifiedAt > draftLifeMs) {
			try {
				await files.remove(join(folder, name));
			} catch {
				// It only takes room; the next check tries again.
				continue;
			}
		}
	}
}

function reportOf(outcomes: readonly Outcome[]): HistoryReport {
	const idsOf = (type: Outcome["type"]): string[] =>
		outcomes.flatMap(outcome => (outcome.type === type && "id" in outcome ? [outcome.id] : []));
	const keptOf = (type: Outcome["type"]): KeptChat[] =>
		outcomes.flatMap(outcome =>
			outcome.type === type && "keptAt" in outcome
				? [{ id: outcome.id, keptAt: outcome.keptAt }]
				: [],
		);
	return {
		chats: outcomes.filter(({ type }) => type !== "empty").length,
		turns: outcomes.reduce((sum, outcome) => sum + ("turns" in outcome ? outcome.turns : 0), 0),
		cutTails: idsOf("cutTail"),
		repaired: keptOf("repaired"),
		unreadable: keptOf("unreadable"),
		newer: idsOf("newer"),
		inUse: idsOf("inUse"),
		failed: outcomes.flatMap(outcome =>
			outcome.type === "failed" ? [{ id: outcome.id, error: outcome.error }] : [],
		),
	};
}
