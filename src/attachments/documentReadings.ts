import { createHash } from "node:crypto";
import * as l10n from "@vscode/l10n";
import { Limiter, throwIfAborted } from "../common/async.ts";
import { isAbortError } from "../common/errors.ts";
import { findHidden } from "../common/hiddenText.ts";
import { DocumentError, type ReadingFault, type DocumentText } from "../documents/documentText.ts";
import type { AttachmentState } from "./contract/attachment.ts";
import type { AttachmentLimits, AttachmentTrayDependencies } from "./contract/attachmentTray.ts";
import { AttachmentError, attachmentFailure } from "./contract/failures.ts";
import { readFirstBytes } from "./files/readText.ts";
import { idleState, sizeLimit, type TrayEntry, withSecrets } from "./trayEntry.ts";
import { openConfirmed } from "./trayUploads.ts";
import { assertSize } from "./upload/uploadSource.ts";

/** The number of documents read at once, each in a thread. */
const maxReadings = 2;

/** Reads the texts of documents and updates their entries. */
export class DocumentReadings {
	private readonly dependencies: Pick<AttachmentTrayDependencies, "readDocument">;
	private readonly limits: AttachmentLimits;
	private readonly setState: (entry: TrayEntry, state: AttachmentState) => void;
	private readonly limiter = new Limiter(maxReadings);

	constructor(
		dependencies: Pick<AttachmentTrayDependencies, "readDocument">,
		limits: AttachmentLimits,
		setState: (entry: TrayEntry, state: AttachmentState) => void,
	) {
		this.dependencies = dependencies;
		this.limits = limits;
		this.setState = setState;
	}

	/** Starts reading an entry if it is a document whose text isn't known and will be sent. */
	start(entry: TrayEntry): void {
		const { document, use, state } = entry.picture;
		if (!document || document.text || use !== "read" || state.type !== "ready" || entry.reading) {
			return;
		}
		const abort = new AbortController();
		const done = this.run(entry, abort.signal).finally(() => {
			if (entry.reading?.abort === abort) {
				entry.reading = undefined;
			}
		});
		entry.reading = { abort, done };
	}

	/** Ends the reading of an entry that is removed or used otherwise. */
	cancel(entry: TrayEntry): void {
		entry.reading?.abort.abort();
		entry.reading = undefined;
	}

	/** Returns an entry's text as the file now is; undefined if reading it failed, which its state explains. Throws only `AbortError`. */
	async textOf(entry: TrayEntry, signal: AbortSignal | undefined): Promise<string | undefined> {
		await entry.reading?.done;
		throwIfAborted(signal);
		await this.run(entry, signal ?? new AbortController().signal);
		throwIfAborted(signal);
		const { state, document } = entry.picture;
		// Reading may have revealed a secret, about which the user is asked first.
		return state.type === "ready" ? document?.text?.text : undefined;
	}

	private async run(entry: TrayEntry, signal: AbortSignal): Promise<void> {
		this.setState(entry, { type: "hashing", readBytes: 0 });
		try {
			await this.limiter.run(() => this.read(entry, signal), signal);
			this.setState(entry, idleState(entry, this.limits));
		} catch (error) {
			if (!isAbortError(error)) {
				this.setState(entry, { type: "failed", failure: attachmentFailure(toFailure(error)) });
			} else if (entry.picture.use === "read" && !entry.reading) {
				this.setState(entry, idleState(entry, this.limits));
			}
		}
	}

	/** Reads an entry unless it is unchanged. */
	private async read(entry: TrayEntry, signal: AbortSignal): Promise<void> {
		const bytes = await bytesOf(entry, this.limits);
		const hash = createHash("sha256").update(bytes).digest("hex");
		const { document } = entry.picture;
		if (!document || (document.text && hash === entry.readHash)) {
			return;
		}
		const { kind } = document;
		const order = { bytes, kind, part: {}, maxCharacters: this.limits.maxTextCharacters };
		const text = await this.dependencies.readDocument(order, signal);
		entry.readHash = hash;
		entry.picture = pictureWith(entry, text, bytes.length);
	}
}

function pictureWith(entry: TrayEntry, text: DocumentText, size: number): TrayEntry["picture"] {
	const { picture } = entry;
	return {
		...picture,
		size,
		document: picture.document && { ...picture.document, text },
		hidden: findHidden(text.text),
		concerns: withSecrets(picture.concerns, text.text),
	};
}

async function bytesOf(entry: TrayEntry, limits: AttachmentLimits): Promise<Uint8Array> {
	const { origin } = entry;
	if (origin.type === "bytes") {
		return origin.bytes;
	}
	const file = await openConfirmed(entry);
	try {
		assertSize(file.size, sizeLimit(entry, limits));
		return await readFirstBytes(file, file.size);
	} finally {
		await file.handle.close();
	}
}

function toFailure(error: unknown): unknown {
	return error instanceof DocumentError
		? new AttachmentError("notText", faultSentences[error.fault](), error)
		: error;
}

const damaged = (): string =>
	l10n.t("This file is damaged or incomplete, so it can't be read as text.");

const faultSentences: Readonly<Record<ReadingFault, () => string>> = {
	encrypted: () => l10n.t("This file needs a password. Save it without one and retry."),
	damaged,
	older: () =>
		l10n.t("This file is in an older Office format. Save it as DOCX, XLSX or PPTX and retry."),
	noText: () => l10n.t("This file has no text: its pages are images or empty."),
	noPart: damaged,
	tooMuch: () => l10n.t("Reading this file took too long or too much memory."),
};
