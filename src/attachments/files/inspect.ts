import * as fs from "node:fs/promises";
import { basename } from "node:path";
import { findHidden, revealInLine } from "../../common/hiddenText.ts";
import { distinctRoots } from "../../paths/resolveTarget.ts";
import { pathInFolder, pathPlatform } from "../../paths/pathForm.ts";
import { secretRule } from "../../paths/sensitivePaths.ts";
import { findSecrets } from "../../common/secretContent.ts";
import type { FileDecoder } from "../contract/attachmentTray.ts";
import type { Attachment, AttachmentWarning } from "../contract/attachment.ts";
import { orAttachmentError, toAttachmentError } from "../contract/failures.ts";
import {
	headBytes,
	markedEncodingOf,
	textEncodingOf,
	type FileFormat,
	fileFormatOf,
} from "./fileFormat.ts";
import { type OpenFile, openResolved, resolvePath } from "./openedFile.ts";

/** The most bytes to scan for secrets and hidden text. */
const maxLookBytes = 4 * 1024 * 1024;

/** A file and the results of inspecting it. Its content isn't sent anywhere. */
export interface InspectedFile extends Pick<
	Attachment,
	"name" | "displayPath" | "size" | "hidden" | "concerns" | "isMisread"
> {
	/** Path with links resolved. */
	readonly path: string;
	readonly format: FileFormat;
}

export type Inspected =
	| { readonly type: "file"; readonly file: InspectedFile }
	| { readonly type: "folder"; readonly path: string; readonly displayPath: string };

/** Resolves a path and inspects the file locally. `workspaceFolders` must come from `resolveFolders`. Throws `AttachmentError`. */
export async function inspectPath(
	given: string,
	workspaceFolders: readonly string[],
	decode?: FileDecoder,
): Promise<Inspected> {
	const path = await resolvePath(given, workspaceFolders);
	const displayPath = displayPathOf(path, workspaceFolders);
	if ((await orAttachmentError(fs.stat(path))).isDirectory()) {
		return { type: "folder", path, displayPath };
	}
	const file = await openResolved(path);
	try {
		const head = Buffer.alloc(headBytes);
		const { bytesRead } = await file.handle.read(head, 0, headBytes, 0);
		// Uses the link's name, which the user chose, and the target's bytes.
		const name = basename(given);
		const format = fileFormatOf(name, head.subarray(0, bytesRead), file.size);
		const place = { given, path, isHardLinked: file.isHardLinked, workspaceFolders };
		const concerns = concernsOf(place);
		const isNamed = concerns.some(({ type }) => type === "sensitive");
		// A document's text is known after its thread has read it.
		const isRead = format.uses.includes("read") && format.document === undefined;
		const text = isRead ? await beginningText(file) : "";
		const kind = isNamed ? undefined : findSecrets(text)[0]?.kind;
		const isMisread = isRead && decode !== undefined && (await isMisreadBy(decode, file));
		return {
			type: "file",
			file: {
				name,
				path,
				displayPath,
				size: file.size,
				format,
				hidden: findHidden(text),
				isMisread,
				concerns: kind === undefined ? concerns : [{ type: "sensitive", rule: kind }, ...concerns],
			},
		};
	} catch (error) {
		throw toAttachmentError(error);
	} finally {
		await file.handle.close();
	}
}

async function isMisreadBy(decode: FileDecoder, file: OpenFile): Promise<boolean> {
	const read = await beginningOf(file);
	if (textEncodingOf(read, read.length >= file.size) !== "other") {
		return false;
	}
	// The end may be cut inside a character.
	const text = await decode(file.path, read).catch(() => "");
	return text.slice(0, -1).includes("\uFFFD");
}

async function beginningText(file: OpenFile): Promise<string> {
	const bytes = await beginningOf(file);
	return new TextDecoder(markedEncodingOf(bytes) ?? "utf-8").decode(bytes);
}

async function beginningOf({ handle, size }: OpenFile): Promise<Uint8Array> {
	const bytes = Buffer.alloc(Math.min(size, maxLookBytes));
	const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
	return bytes.subarray(0, bytesRead);
}

/** Inspects the file that a text comes from. If the file is gone, judges only its path. */
export async function inspectTextPath(
	given: string,
	workspaceFolders: readonly string[],
): Promise<Pick<InspectedFile, "path" | "displayPath" | "concerns">> {
	const found = await inspectPath(given, workspaceFolders).catch(() => undefined);
	if (found?.type === "file") {
		return found.file;
	}
	const concerns = concernsOf({ given, path: given, isHardLinked: false, workspaceFolders });
	return { path: given, displayPath: displayPathOf(given, workspaceFolders), concerns };
}

/** Resolves links in workspace folders, for comparison with resolved paths. Returns missing folders unchanged. */
export async function resolveFolders(folders: readonly string[]): Promise<readonly string[]> {
	return Promise.all(folders.map(folder => resolvePath(folder, [folder]).catch(() => folder)));
}

/** Returns the warnings for a file: names in both paths, the worse one counts; location in the resolved one. docs/security.md. */
function concernsOf(found: {
	readonly given: string;
	readonly path: string;
	readonly isHardLinked: boolean;
	readonly workspaceFolders: readonly string[];
}): AttachmentWarning[] {
	const rule = secretRule(found.path) ?? secretRule(found.given);
	return [
		...(rule === undefined ? [] : [{ type: "sensitive", rule } as const]),
		...(isInside(found.path, found.workspaceFolders)
			? []
			: [{ type: "outsideWorkspace" } as const]),
		...(found.isHardLinked ? [{ type: "hardLink" } as const] : []),
	];
}

function isInside(path: string, folders: readonly string[]): boolean {
	return folders.some(folder => pathInFolder(folder, path, pathPlatform) !== undefined);
}

/** Returns a path relative to its workspace folder, starting with the folder's name if there are several, or an absolute path outside. */
function displayPathOf(path: string, folders: readonly string[]): string {
	const folder = folders.find(folder => pathInFolder(folder, path, pathPlatform) !== undefined);
	const relative = folder === undefined ? undefined : pathInFolder(folder, path, pathPlatform);
	if (folder === undefined || relative === undefined) {
		return revealInLine(path);
	}
	const roots = distinctRoots(folders.map(each => ({ name: basename(each), path: each })));
	const name = roots.find(root => root.path === folder)?.name ?? "";
	return revealInLine(folders.length > 1 ? `${name}/${relative}` : relative) || name;
}
