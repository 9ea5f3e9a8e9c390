import * as l10n from "@vscode/l10n";
import { isAbortError } from "../common/errors.ts";
import { Limiter } from "../common/async.ts";
import type { AttachmentState } from "./contract/attachment.ts";
import { AttachmentError, attachmentFailure } from "./contract/failures.ts";
import type { AttachmentLimits, AttachmentTrayDependencies } from "./contract/attachmentTray.ts";
import { type OpenFile, openResolved } from "./files/openedFile.ts";
import { warningKey, idleState, sizeLimit, type TrayEntry } from "./trayEntry.ts";
import { fileSource, memorySource } from "./upload/uploadSource.ts";
import { type HeldBytes, Uploader, type UploadSource } from "./upload/uploader.ts";
import { UploadRecords } from "./upload/uploadRecords.ts";

/** The number of files hashed and uploaded at once. */
const maxUploads = 3;

/** Uploads entries and updates their states. */
export class TrayUploads {
	readonly records: UploadRecords;
	private readonly uploader: Uploader;
	private readonly limits: AttachmentLimits;
	private readonly setState: (entry: TrayEntry, state: AttachmentState) => void;

	constructor(
		dependencies: AttachmentTrayDependencies,
		limits: AttachmentLimits,
		setState: (entry: TrayEntry, state: AttachmentState) => void,
	) {
		const { connection, clock, log, recordsFolder } = dependencies;
		this.records = new UploadRecords(recordsFolder, log, clock);
		const limiter = new Limiter(maxUploads);
		const { records } = this;
		this.uploader = new Uploader({ connection, records, limiter, clock, log });
		this.limits = limits;
		this.setState = setState;
	}

	/** Uploads an entry, or joins its running upload. Resolves to its id, or to undefined if it failed or was canceled. */
	async upload(entry: TrayEntry, signal?: AbortSignal): Promise<HeldBytes | undefined> {
		entry.upload ??= this.start(entry);
		const { abort, done } = entry.upload;
		const onAbort = (): void => abort.abort();
		signal?.addEventListener("abort", onAbort, { once: true });
		if (signal?.aborted) {
			onAbort();
		}
		return done.finally(() => signal?.removeEventListener("abort", onAbort));
	}

	/** Marks an entry as failed for another reason than its upload. */
	fail(entry: TrayEntry, error: unknown): void {
		this.setState(entry, { type: "failed", failure: attachmentFailure(error) });
	}

	/** Uploads a file of an earlier turn again if its content is unchanged. Throws like the uploader. */
	uploadAgain(
		{ path, name, mimeType }: Readonly<Record<"path" | "name" | "mimeType", string>>,
		hash: string,
		signal: AbortSignal,
	): Promise<HeldBytes> {
		const maxBytes = this.limits.maxFileBytes;
		return this.uploader.bring(
			async () => fileSource(await openResolved(path), { name, mimeType, maxBytes }),
			{ signal, onlyHash: hash, onStep: () => undefined },
		);
	}

	private start(entry: TrayEntry): NonNullable<TrayEntry["upload"]> {
		const abort = new AbortController();
		const done = Promise.resolve()
			.then(() => this.run(entry, abort.signal))
			.finally(() => {
				if (entry.upload?.abort === abort) {
					entry.upload = undefined;
				}
			});
		return { abort, done };
	}

	/** Runs an upload. Ignores its results if a newer upload of the entry has started. */
	private async run(entry: TrayEntry, signal: AbortSignal): Promise<HeldBytes | undefined> {
		const { limits } = this;
		const isCurrent = (): boolean => entry.upload?.abort.signal === signal;
		const setCurrent = (state: AttachmentState): void => {
			if (isCurrent()) {
				this.setState(entry, state);
			}
		};
		try {
			const held = await this.uploader.bring(() => openEntry(entry, limits), {
				signal,
				onStep: setCurrent,
			});
			if (!isCurrent()) {
				return undefined;
			}
			entry.sentFileId = held.isReused ? entry.sentFileId : held.fileId;
			entry.picture = { ...entry.picture, size: held.size };
			this.setState(entry, { type: "uploaded", isReused: entry.sentFileId !== held.fileId });
			return held;
		} catch (error) {
			const isCancelled = isAbortError(error);
			entry.hasUploadFailed = isCurrent() && !isCancelled;
			setCurrent(
				isCancelled
					? idleState(entry, limits)
					: { type: "failed", failure: attachmentFailure(error) },
			);
			return undefined;
		}
	}
}

/** Opens an entry's file if it is the one that the user saw and consented to. Throws `AttachmentError`. */
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
