import { join } from "node:path";
import { systemCode } from "../../common/errors.ts";
import { type Clock, throwIfAborted } from "../../common/async.ts";
import { type DecodedLog, decodeLog } from "../log/chatLog.ts";
import { chatIdOf, type ChatPaths, chatPaths, isDraft } from "../log/chatPaths.ts";
import { keepCopyIn, replaceLog } from "../log/chatRepair.ts";
import { replayChat } from "../log/chatReplay.ts";
import { type FileSystem, StoreError, toStoreError } from "../../storage/fileSystem.ts";
import { acquireWriterLease } from "../../storage/lease.ts";

/** Findings and repairs in all chats. */
export interface HistoryReport {
	readonly chats: number;
	readonly turns: number;
	/** Chats whose incomplete last line was removed. Nothing that had been stored is lost. */
	readonly cutTails: readonly string[];
	/** Chats that were repaired without their unreadable parts. */
	readonly repaired: readonly KeptChat[];
	/** Files that are completely unreadable and no longer listed. */
	readonly unreadable: readonly KeptChat[];
	/** Chats of a newer version, which were not changed. */
	readonly newer: readonly string[];
	/** Damaged chats that another window writes, which were not changed. */
	readonly inUse: readonly string[];
	/** Chats that couldn't be read or repaired. */
	readonly failed: readonly { readonly id: string; readonly error: StoreError }[];
}

interface KeptChat {
	readonly id: string;
	readonly keptAt: string;
}

export interface HistoryCheckDependencies {
	readonly files: FileSystem;
	readonly folder: string;
	readonly clock: Clock;
}

/** Folder for unreadable files, beside the chats. Its files are never replaced or removed. */
const quarantineName = "quarantine";

/** Age at which an unfinished file counts as abandoned, in milliseconds. */
const draftLifeMs = 60 * 60_000;

/**
 * Reads and repairs every chat. Copies unreadable data to the folder `quarantine` first, so that nothing is lost, even if repeated or interrupted.
 * Throws `StoreError` if the folder can't be read, and `AbortError` between two chats if aborted.
 */
export async function checkHistory(
	dependencies: HistoryCheckDependencies,
	signal?: AbortSignal,
): Promise<HistoryReport> {
	const { files, folder } = dependencies;
	const outcomes: Outcome[] = [];
	try {
		const names = await files.names(folder);
		for (const id of names.map(name => chatIdOf(name)).filter(found => found !== undefined)) {
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

/** Reads the log again with the right to write it, because an incomplete line may just have been in progress. */
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

/** Removes unfinished files of crashes. Each was to replace a file that still exists. */
async function removeDrafts({ files, folder, clock }: HistoryCheckDependencies): Promise<void> {
	for (const { name, modifiedAt } of await files.stamps(folder, isDraft)) {
		if (clock.now() - modifiedAt > draftLifeMs) {
			// One that stays only takes space. The next check tries again.
			await files.remove(join(folder, name)).catch(() => undefined);
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
