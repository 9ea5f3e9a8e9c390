import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { findHidden, revealInLine } from "../common/hiddenText.ts";
import { maxDocumentBytes } from "../documents/documentText.ts";
import { findSecrets } from "../common/secretContent.ts";
import type { Attachment, AttachmentWarning, AttachmentState } from "./contract/attachment.ts";
import type { AttachmentLimits, AttachedBytes, AttachedText } from "./contract/attachmentTray.ts";
import { headBytes, fileFormatOf } from "./files/fileFormat.ts";
import { attachmentFailure } from "./contract/failures.ts";
import { formatOfName } from "./files/fileNames.ts";
import type { InspectedFile } from "./files/inspect.ts";
import { assertSize } from "./upload/uploadSource.ts";
import type { HeldBytes } from "./upload/uploader.ts";

export type Origin =
	/** `path` as given, `resolved` once it was found. */
	| { readonly type: "path"; readonly path: string; readonly resolved: string | undefined }
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "bytes"; readonly bytes: Uint8Array };

/** An attachment and the tray's internal data. */
export interface TrayEntry {
	readonly id: string;
	origin: Origin;
	picture: Attachment;
	/** Keys (`warningKey`) of the warnings that the user has consented to, for the current resolved path. */
	confirmed: ReadonlySet<string>;
	/** Whether the upload failed. A retry then uploads again. */
	hasUploadFailed: boolean;
	upload: RunningUpload | undefined;
	/** A running reading of a document. */
	reading: RunningReading | undefined;
	/** SHA-256 of the document that `picture` has the text of. */
	readHash: string | undefined;
	/** The file id if the content was uploaded for this entry, rather than earlier. */
	sentFileId: string | undefined;
}

/** A running reading. `done` never rejects. */
export interface RunningReading {
	readonly abort: AbortController;
	readonly done: Promise<void>;
}

/** A running upload. `done` never rejects and resolves to undefined if it failed or was canceled. */
export interface RunningUpload {
	readonly abort: AbortController;
	readonly done: Promise<HeldBytes | undefined>;
}

export function fileEntry(path: string, file: InspectedFile, folder?: string): TrayEntry {
	const { name, displayPath, size, format, hidden, concerns, isMisread } = file;
	return entryOf(
		{ type: "path", path, resolved: file.path },
		{
			name,
			displayPath,
			size,
			hidden,
			concerns,
			folder,
			isMisread,
			resolvedPath: revealInLine(file.path),
			mimeType: format.mimeType,
			language: format.language,
			lines: undefined,
			document: format.document && {
				kind: format.document,
				text: undefined,
			},
			use: format.uses[0] ?? "codeInterpreter",
			possibleUses: format.uses,
		},
	);
}

/** Creates an entry for a path that couldn't be attached. */
export function failedEntry(path: string, error: unknown, folder?: string): TrayEntry {
	const entry = entryOf(
		{ type: "path", path, resolved: undefined },
		{
			name: basename(path) || path,
			displayPath: revealInLine(path),
			folder,
			size: 0,
			concerns: [],
			resolvedPath: undefined,
			language: undefined,
			lines: undefined,
			hidden: undefined,
			mimeType: "application/octet-stream",
			use: "codeInterpreter",
			possibleUses: ["codeInterpreter"],
		},
	);
	entry.picture = {
		...entry.picture,
		state: { type: "failed", failure: attachmentFailure(error) },
	};
	return entry;
}

export function textEntry(
	given: AttachedText,
	file: Pick<InspectedFile, "path" | "displayPath" | "concerns"> | undefined,
): TrayEntry {
	const named = formatOfName(given.name);
	return entryOf(
		{ type: "text", text: given.text },
		{
			name: given.name,
			displayPath: file?.displayPath ?? revealInLine(given.address ?? given.path ?? given.name),
			resolvedPath: file === undefined ? undefined : revealInLine(file.path),
			folder: undefined,
			size: Buffer.byteLength(given.text),
			mimeType: named?.mimeType ?? "text/plain",
			language: given.language ?? named?.language,
			lines: given.lines,
			source: given.source,
			use: "read",
			possibleUses: ["read"],
			hidden: findHidden(given.text),
			concerns: withSecrets(file?.concerns ?? [], given.text),
		},
	);
}

/** Adds a warning for the first secret in a text, unless there is one already. */
export function withSecrets(
	concerns: readonly AttachmentWarning[],
	text: string,
): readonly AttachmentWarning[] {
	const [secret] = concerns.some(({ type }) => type === "sensitive") ? [] : findSecrets(text);
	return secret ? [{ type: "sensitive", rule: secret.kind }, ...concerns] : concerns;
}

const textDecoder = new TextDecoder();

export function bytesEntry({ name, bytes }: AttachedBytes): TrayEntry {
	const head = bytes.subarray(0, headBytes);
	const { mimeType, language, uses, document } = fileFormatOf(name, head, bytes.length);
	// The text may be read by the model, so it is scanned for secrets even if Python is to read it.
	const text = uses.includes("read") && document === undefined ? textDecoder.decode(bytes) : "";
	return entryOf(
		{ type: "bytes", bytes },
		{
			name,
			mimeType,
			language,
			size: bytes.length,
			displayPath: revealInLine(name),
			resolvedPath: undefined,
			folder: undefined,
			lines: undefined,
			hidden: findHidden(text),
			concerns: withSecrets([], text),
			document: document && {
				kind: document,
				text: undefined,
			},
			use: uses[0] ?? "codeInterpreter",
			possibleUses: uses,
		},
	);
}

function entryOf(
	origin: Origin,
	picture: Omit<Attachment, "id" | "state" | "isMisread" | "source" | "document"> &
		Partial<Attachment>,
): TrayEntry {
	const id = randomUUID();
	return {
		id,
		origin,
		picture: {
			isMisread: false,
			source: undefined,
			document: undefined,
			...picture,
			id,
			state: { type: "ready" },
		},
		confirmed: new Set(),
		hasUploadFailed: false,
		upload: undefined,
		reading: undefined,
		readHash: undefined,
		sentFileId: undefined,
	};
}

/** Key of a warning for recording consent. */
export function warningKey(concern: AttachmentWarning): string {
	return concern.type === "sensitive" ? `sensitive ${concern.rule}` : concern.type;
}

/** Returns the state of an inactive entry: waiting for the user, failed or ready. */
export function idleState(entry: TrayEntry, limits: AttachmentLimits): AttachmentState {
	const { concerns, size } = entry.picture;
	try {
		assertSize(size, sizeLimit(entry, limits));
	} catch (error) {
		return { type: "failed", failure: attachmentFailure(error) };
	}
	const isConfirmed = concerns.every(concern => entry.confirmed.has(warningKey(concern)));
	return isConfirmed ? { type: "ready" } : { type: "needsConfirmation" };
}

/** Returns the size limit in bytes. Text that is read has none, because it is cut; a document is read as a whole. */
export function sizeLimit({ origin, picture }: TrayEntry, limits: AttachmentLimits): number {
	if (picture.use === "read") {
		return picture.document ? maxDocumentBytes : Infinity;
	}
	return origin.type === "bytes" ? limits.maxMemoryBytes : limits.maxFileBytes;
}
