import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { findHidden, revealInLine } from "../common/hiddenText.ts";
import { findSecrets } from "../common/secretContent.ts";
import type { Attachment, AttachmentWarning, AttachmentState } from "./attachment/attachment.ts";
import type { AttachmentLimits } from "./attachment/attachmentLimits.ts";
import { headBytes } from "./files/contentSignature.ts";
import type { AttachedBytes, AttachedText } from "./attachment/attachmentTray.ts";
import { failureOf } from "./attachment/failures.ts";
import { fileFormatOf } from "./files/fileFormat.ts";
import { formatOfName } from "./files/fileNames.ts";
import type { InspectedFile } from "./files/inspect.ts";
import { assertSize } from "./upload/uploadSource.ts";
import type { HeldBytes } from "./upload/uploader.ts";

/** Source of an attachment. */
export type Origin =
	/** `path` as it was given; `resolved` once it was found. */
	| { readonly type: "path"; readonly path: string; readonly resolved: string | undefined }
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "bytes"; readonly bytes: Uint8Array };

/** One attachment with what only the tray knows of it. */
export interface TrayEntry {
	readonly id: string;
	origin: Origin;
	picture: Attachment;
	/** The concerns a user has consented to, by `warningKey`, for the resolved path it has. */
	confirmed: ReadonlySet<string>;
	/** Whether it failed while it was uploaded, so that a retry uploads it. */
	hasUploadFailed: boolean;
	upload: RunningUpload | undefined;
	/** The id its bytes got when they were sent for it, and not for something else before. */
	sentFileId: string | undefined;
}

/** An upload under way; `done` never rejects and brings nothing when it failed or was ended. */
export interface RunningUpload {
	readonly abort: AbortController;
	readonly done: Promise<HeldBytes | undefined>;
}

/** An entry of a file that was found. */
export function fileEntry(path: string, file: InspectedFile, folder?: string): TrayEntry {
	const { name, displayPath, size, format, hidden, concerns, isMisread } = file;
	return entryOf(
		{ type: "path", path, resolved: file.path },
		{
			...{ name, displayPath, size, hidden, concerns, folder, isMisread },
			resolvedPath: revealInLine(file.path),
			mimeType: format.mimeType,
			language: format.language,
			lines: undefined,
			use: format.uses[0] ?? "codeInterpreter",
			possibleUses: format.uses,
		},
	);
}

/** An entry of a path that could not be attached. */
export function failedEntry(path: string, error: unknown, folder?: string): TrayEntry {
	const entry = entryOf(
		{ type: "path", path, resolved: undefined },
		{
			...{ name: basename(path) || path, displayPath: revealInLine(path), folder },
			...{ size: 0, concerns: [], resolvedPath: undefined, language: undefined, lines: undefined },
			hidden: undefined,
			mimeType: "application/octet-stream",
			use: "codeInterpreter",
			possibleUses: ["codeInterpreter"],
		},
	);
	entry.picture = { ...entry.picture, state: { type: "failed", failure: failureOf(error) } };
	return entry;
}

/** An entry of a piece of text, with what is known of the file it is from. */
export function textEntry(
	given: AttachedText,
	file: Pick<InspectedFile, "path" | "displayPath" | "concerns"> | undefined,
): TrayEntry {
	const named = formatOfName(given.name);
	return entryOf(
		{ type: "text", text: given.text },
		{
			name: given.name,
			displayPath: file?.displayPath ?? revealInLine(given.path ?? given.name),
			resolvedPath: file === undefined ? undefined : revealInLine(file.path),
			folder: undefined,
			size: Buffer.byteLength(given.text),
			mimeType: named?.mimeType ?? "text/plain",
			language: given.language ?? named?.language,
			lines: given.lines,
			use: "read",
			possibleUses: ["read"],
			hidden: findHidden(given.text),
			concerns: withSecrets(file?.concerns ?? [], given.text),
		},
	);
}

/** Concerns about a text, with the first secret in it unless they say already that it may hold some. */
export function withSecrets(
	concerns: readonly AttachmentWarning[],
	text: string,
): readonly AttachmentWarning[] {
	const [secret] = concerns.some(({ type }) => type === "sensitive") ? [] : findSecrets(text);
	return secret ? [{ type: "sensitive", rule: secret.kind }, ...concerns] : concerns;
}

const textDecoder = new TextDecoder();

/** An entry of bytes without a file. */
export function bytesEntry({ name, bytes }: AttachedBytes): TrayEntry {
	const head = bytes.subarray(0, headBytes);
	const { mimeType, language, uses } = fileFormatOf(name, head, bytes.length);
	// Whoever may read it as text may find a secret in it, also where Python is to read it.
	const text = uses.includes("read") ? textDecoder.decode(bytes) : "";
	return entryOf(
		{ type: "bytes", bytes },
		{
			...{ name, mimeType, language, size: bytes.length },
			displayPath: revealInLine(name),
			...{ resolvedPath: undefined, folder: undefined, lines: undefined },
			hidden: findHidden(text),
			concerns: withSecrets([], text),
			use: uses[0] ?? "codeInterpreter",
			possibleUses: uses,
		},
	);
}

function entryOf(
	origin: Origin,
	picture: Omit<Attachment, "id" | "state" | "isMisread"> & Partial<Attachment>,
): TrayEntry {
	const id = randomUUID();
	return {
		id,
		origin,
		picture: { isMisread: false, ...picture, id, state: { type: "ready" } },
		confirmed: new Set(),
		hasUploadFailed: false,
		upload: undefined,
		sentFileId: undefined,
	};
}

/** Name of a concern where consents are kept. */
export function warningKey(concern: AttachmentWarning): string {
	return concern.type === "sensitive" ? `sensitive ${concern.rule}` : concern.type;
}

/** The state of an entry that nothing happens to: whether it waits for a user, cannot go at all, or is ready. */
export function idleState(entry: TrayEntry, limits: AttachmentLimits): AttachmentState {
	const { concerns, size } = entry.picture;
	try {
		assertSize(size, sizeLimit(entry, limits));
	} catch (error) {
		return { type: "failed", failure: failureOf(error) };
	}
	const isConfirmed = concerns.every(concern => entry.confirmed.has(warningKey(concern)));
	return isConfirmed ? { type: "ready" } : { type: "needsConfirmation" };
}

/** The most bytes an entry may have: what is read is cut instead. */
export function sizeLimit({ origin, picture }: TrayEntry, limits: AttachmentLimits): number {
	if (picture.use === "read") {
		return Infinity;
	}
	return origin.type === "bytes" ? limits.maxMemoryBytes : limits.maxFileBytes;
}
