import * as l10n from "@vscode/l10n";
import { isAbortError } from "../common/errors.ts";
import { createLimiter } from "../common/limiter.ts";
import type { AttachmentState } from "./attachment/attachment.ts";
import { AttachmentError } from "./attachment/attachmentError.ts";
import type { AttachmentLimits } from "./attachment/attachmentLimits.ts";
import type { AttachmentTrayDependencies } from "./attachment/attachmentTray.ts";
import { failureOf } from "./attachment/failures.ts";
import { type OpenFile, openResolved } from "./files/openFile.ts";
import { warningKey, idleState, sizeLimit, type TrayEntry } from "./trayEntry.ts";
import { fileSource, memorySource } from "./upload/uploadSource.ts";
import { createUploader, type HeldBytes, type UploadSource } from "./upload/uploader.ts";
import { createUploadRecords, type UploadRecords } from "./upload/uploadRecords.ts";

/** How many files are hashed and uploaded at once. */
const maxUploads = 3;

/** Brings entries of a tray to the service, each with its states. */
export interface TrayUploads {
	readonly records: UploadRecords;
	/**
	 * Brings an entry's bytes to the service of now and returns how they are named there; nothing when that failed or was
	 * ended, which the entry's state tells. Joins an upload of it that is under way.
	 */
	upload(entry: TrayEntry, signal?: AbortSignal): Promise<HeldBytes | undefined>;
	/** Says that an entry cannot go, for a reason that is not its upload's. */
	fail(entry: TrayEntry, error: unknown): void;
	/** Sends a file of an earlier turn again if its bytes are still those. Throws as the uploader does. */
	uploadAgain(
		file: { readonly path: string; readonly name: string; readonly mimeType: string },
		hash: string,
		signal: AbortSignal,
	): Promise<HeldBytes>;
}

/** Makes the uploads of one tray; `setState` hears an entry's state. */
export function createTrayUploads(
	dependencies: AttachmentTrayDependencies,
	limits: AttachmentLimits,
	setState: (entry: TrayEntry, state: AttachmentState) => void,
): TrayUploads {
	const { connection, clock, log, recordsFolder } = dependencies;
	const maxBytes = limits.maxFileBytes;
	const records = createUploadRecords(recordsFolder, log, clock);
	const limiter = createLimiter(maxUploads);
	const bring = createUploader({ connection, records, limiter, clock, log });
	const run: UploadRun = (entry, signal) => runUpload(entry, signal, { bring, limits, setState });
	return {
		records,
		upload: async (entry, signal) => {
			entry.upload ??= start(entry, run);
			const { abort, done } = entry.upload;
			const onAbort = (): void => abort.abort();
			signal?.addEventListener("abort", onAbort, { once: true });
			if (signal?.aborted) {
				onAbort();
			}
			return done.finally(() => signal?.removeEventListener("abort", onAbort));
		},
		fail: (entry, error) => setState(entry, { type: "failed", failure: failureOf(error) }),
		uploadAgain: ({ path, name, mimeType }, hash, signal) =>
			bring(async () => fileSource(await openResolved(path), { name, mimeType, maxBytes }), {
				signal,
				onlyHash: hash,
				onStep: () => undefined,
			}),
	};
}

interface TrayUploadDependencies {
	readonly bring: ReturnType<typeof createUploader>;
	readonly limits: AttachmentLimits;
	readonly setState: (entry: TrayEntry, state: AttachmentState) => void;
}

/** One upload of an entry. What it says counts only while it is the entry's own: a newer one may have started. */
async function runUpload(
	entry: TrayEntry,
	signal: AbortSignal,
	{ bring, limits, setState }: TrayUploadDependencies,
): Promise<HeldBytes | undefined> {
	const isCurrent = (): boolean => entry.upload?.abort.signal === signal;
	const setCurrent = (state: AttachmentState): void => {
		if (isCurrent()) {
			setState(entry, state);
		}
	};
	try {
		const held = await bring(() => openEntry(entry, limits), { signal, onStep: setCurrent });
		if (!isCurrent()) {
			return undefined;
		}
		entry.sentFileId = held.isReused ? entry.sentFileId : held.fileId;
		entry.picture = { ...entry.picture, size: held.size };
		setState(entry, { type: "uploaded", isReused: entry.sentFileId !== held.fileId });
		return held;
	} catch (error) {
		const isCancelled = isAbortError(error);
		entry.hasUploadFailed = isCurrent() && !isCancelled;
		setCurrent(
			isCancelled ? idleState(entry, limits) : { type: "failed", failure: failureOf(error) },
		);
		return undefined;
	}
}

/** Opens the file of an entry to read it, if it is the one a user saw and consented to. Throws `AttachmentError`. */
export async function openConfirmed(entry: TrayEntry): Promise<OpenFile> {
	const { origin } = entry;
	if (origin.type !== "path" || origin.resolved === undefined) {
		throw new RangeError("Only what was found as a file can be opened");
	}
	const isConsented = entry.picture.concerns.every(concern =>
		entry.confirmed.has(warningKey(concern)),
	);
	if (!isConsented) {
		throw new RangeError("Nothing is read before a user has consented");
	}
	const file = await openResolved(origin.resolved);
	if (file.isHardLinked && !entry.confirmed.has("hardLink")) {
		await file.handle.close();
		throw new AttachmentError(
			"changed",
			l10n.t("Nothing was sent: the file got another name on disk. Retry to check it again."),
		);
	}
	return file;
}

async function openEntry(entry: TrayEntry, limits: AttachmentLimits): Promise<UploadSource> {
	const { name, mimeType } = entry.picture;
	const description = { name, mimeType, maxBytes: sizeLimit(entry, limits) };
	const { origin } = entry;
	if (origin.type === "bytes") {
		return memorySource(origin.bytes, description);
	}
	return fileSource(await openConfirmed(entry), description);
}

type UploadRun = (entry: TrayEntry, signal: AbortSignal) => Promise<HeldBytes | undefined>;

function start(entry: TrayEntry, run: UploadRun): NonNullable<TrayEntry["upload"]> {
	const abort = new AbortController();
	const done = Promise.resolve()
		.then(() => run(entry, abort.signal))
		.finally(() => {
			if (entry.upload?.abort === abort) {
				entry.upload = undefined;
			}
		});
	return { abort, done };
}
