import { throwIfAborted } from "../common/async.ts";
import type { AttachmentLimits, FileDecoder, Preparation } from "./contract/attachmentTray.ts";
import { type CutText, cutText, hashText, readText, textOfBytes } from "./files/readText.ts";
import type { DocumentReadings } from "./documentReadings.ts";
import { type TrayEntry, withSecrets } from "./trayEntry.ts";
import { openConfirmed, type TrayUploads } from "./trayUploads.ts";
import type { TurnAttachment } from "./contract/turnAttachment.ts";

export interface PreparationDependencies {
	readonly limits: AttachmentLimits;
	readonly unsavedText: ((path: string) => string | undefined) | undefined;
	readonly decode: FileDecoder | undefined;
	readonly uploads: TrayUploads;
	readonly documents: Pick<DocumentReadings, "textOf">;
	readonly signal: AbortSignal | undefined;
	readonly isAttached: (entry: TrayEntry) => boolean;
}

/**
 * Reads all texts, then uploads all files. A failure, or a secret that the user wasn't asked about, blocks the message, and the entry's state
 * explains why. Uploads nothing if a text has blocked the message. Throws only `AbortError`.
 */
export async function prepareEntries(
	entries: readonly TrayEntry[],
	dependencies: PreparationDependencies,
): Promise<Preparation> {
	throwIfAborted(dependencies.signal);
	const texts = await readEntries(entries, dependencies);
	throwIfAborted(dependencies.signal);
	const unread = missingOf(texts, dependencies);
	if (unread.length > 0) {
		return { type: "blocked", ids: unread };
	}
	const files = await Promise.all(
		entries
			.filter(({ picture }) => picture.use === "codeInterpreter")
			.map(async entry => [entry, await uploadEntry(entry, dependencies)] as const),
	);
	throwIfAborted(dependencies.signal);
	const missing = missingOf(files, dependencies);
	const found = new Map([...texts, ...files]);
	const attached = entries.filter(dependencies.isAttached);
	return missing.length > 0
		? { type: "blocked", ids: missing }
		: { type: "prepared", attachments: attached.flatMap(entry => found.get(entry) ?? []) };
}

type Prepared = readonly [TrayEntry, TurnAttachment | undefined];

function missingOf(
	prepared: readonly Prepared[],
	{ isAttached }: PreparationDependencies,
): string[] {
	return prepared
		.filter(([entry, attachment]) => attachment === undefined && isAttached(entry))
		.map(([{ id }]) => id);
}

/** Reads sequentially, because the entries share a limit. */
async function readEntries(
	entries: readonly TrayEntry[],
	dependencies: PreparationDependencies,
): Promise<readonly Prepared[]> {
	const { limits } = dependencies;
	const prepared: Prepared[] = [];
	let room = limits.maxAllTextCharacters;
	for (const entry of entries.filter(({ picture }) => picture.use === "read")) {
		throwIfAborted(dependencies.signal);
		const cut = await readEntry(entry, Math.min(room, limits.maxTextCharacters), dependencies);
		room -= cut?.text.length ?? 0;
		const isReady = cut !== undefined && !asksForSecrets(entry, cut.text);
		prepared.push([entry, isReady ? textAttachment(entry, cut) : undefined]);
	}
	return prepared;
}

/**
 * Whether a text contains a secret that the user wasn't asked about, because it is unsaved, was pasted, or has changed since it was attached. The
 * entry then waits for the user's consent.
 */
function asksForSecrets(entry: TrayEntry, text: string): boolean {
	const concerns = withSecrets(entry.picture.concerns, text);
	if (concerns === entry.picture.concerns) {
		return false;
	}
	entry.picture = { ...entry.picture, concerns, state: { type: "needsConfirmation" } };
	return true;
}

async function readEntry(
	entry: TrayEntry,
	maxCharacters: number,
	{ unsavedText, decode, uploads, documents, signal }: PreparationDependencies,
): Promise<CutText | undefined> {
	const { origin } = entry;
	if (entry.picture.document) {
		const text = await documents.textOf(entry, signal);
		return text === undefined ? undefined : cutText(text, maxCharacters);
	}
	if (origin.type === "text") {
		return cutText(origin.text, maxCharacters);
	}
	try {
		if (origin.type === "bytes") {
			return await textOfBytes(
				origin.bytes,
				{ maxCharacters, decode },
				{ size: origin.bytes.length, path: entry.picture.name },
			);
		}
		const file = await openConfirmed(entry);
		try {
			const unsaved = unsavedText?.(file.path);
			// The file may have changed since it was attached.
			const size = unsaved === undefined ? file.size : Buffer.byteLength(unsaved);
			entry.picture = { ...entry.picture, size };
			return unsaved === undefined
				? await readText(file, { maxCharacters, decode })
				: cutText(unsaved, maxCharacters);
		} finally {
			await file.handle.close();
		}
	} catch (error) {
		uploads.fail(entry, error);
		return undefined;
	}
}

function textAttachment({ picture }: TrayEntry, cut: CutText): TurnAttachment {
	const { name, displayPath, lines, size, source, document } = picture;
	const language = document ? "markdown" : picture.language;
	return {
		kind: "text",
		name,
		path: displayPath,
		size,
		...cut,
		hash: hashText(cut.text),
		language,
		...(lines === undefined ? {} : { lines: { ...lines } }),
		...(source === undefined ? {} : { source }),
	};
}

async function uploadEntry(
	entry: TrayEntry,
	{ uploads, signal }: PreparationDependencies,
): Promise<TurnAttachment | undefined> {
	const held = await uploads.upload(entry, signal);
	const { name, displayPath, mimeType } = entry.picture;
	const { origin } = entry;
	return (
		held && {
			kind: "file",
			name,
			path: displayPath,
			mimeType,
			size: held.size,
			hash: held.hash,
			fileId: held.fileId,
			account: held.account,
			...(origin.type === "path" && origin.resolved !== undefined
				? { resolvedPath: origin.resolved }
				: {}),
		}
	);
}
