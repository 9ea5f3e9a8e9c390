import * as fs from "node:fs/promises";
import { basename } from "node:path";
import { findHidden, type HiddenText, revealInLine } from "../../common/hiddenText.ts";
import { distinctRoots } from "../../paths/resolveTarget.ts";
import { pathInFolder, pathPlatform } from "../../paths/pathForm.ts";
import { secretRule } from "../../paths/sensitivePaths.ts";
import { findSecrets } from "../../common/secretContent.ts";
import type { FileDecoder } from "../attachment/attachmentTray.ts";
import type { AttachmentWarning } from "../attachment/attachment.ts";
import { toAttachmentError } from "../attachment/attachmentError.ts";
import { headBytes, markedEncodingOf, textEncodingOf } from "./contentSignature.ts";
import { type FileFormat, fileFormatOf } from "./fileFormat.ts";
import { type OpenFile, openResolved, resolvePath } from "./openFile.ts";

/** As much of a file, in bytes, is looked at for secrets and hidden text. */
const maxLookBytes = 4 * 1024 * 1024;

/** A file as it was found; what was looked at of its content stays on this machine. */
export interface InspectedFile {
	readonly name: string;
	/** Where it really is, links resolved. */
	readonly path: string;
	readonly displayPath: string;
	/** Bytes. */
	readonly size: number;
	readonly format: FileFormat;
	/** What is hidden in its text. */
	readonly hidden: HiddenText | undefined;
	readonly concerns: readonly AttachmentWarning[];
	/** Whether the user's editor has no character for some of its bytes, so that it is in another encoding. */
	readonly isMisread: boolean;
}

/** Where a path was found to lead. */
export type Inspected =
	| { readonly type: "file"; readonly file: InspectedFile }
	| { readonly type: "folder"; readonly path: string; readonly displayPath: string };

/**
 * Looks where a path leads and at the content there, which stays on this machine. `workspaceFolders` are those of
 * `resolveFolders`. Throws `AttachmentError`.
 */
export async function inspectPath(
	given: string,
	workspaceFolders: readonly string[],
	decode?: FileDecoder,
): Promise<Inspected> {
	const path = await resolvePath(given, workspaceFolders);
	const displayPath = displayPathOf(path, workspaceFolders);
	if (await isFolder(path)) {
		return { type: "folder", path, displayPath };
	}
	const file = await openResolved(path);
	try {
		const head = Buffer.alloc(headBytes);
		const { bytesRead } = await file.handle.read(head, 0, headBytes, 0);
		// A link's own name says what the user meant; the bytes are those of the file it leads to.
		const name = basename(given);
		const format = fileFormatOf(name, head.subarray(0, bytesRead), file.size);
		const place = { given, path, isHardLinked: file.isHardLinked, workspaceFolders };
		const concerns = concernsOf(place);
		const isNamed = concerns.some(({ type }) => type === "sensitive");
		const isRead = format.uses.includes("read");
		const text = isRead ? await beginningOf(file) : "";
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

async function isMisreadBy(
	decode: FileDecoder,
	{ handle, size, path }: OpenFile,
): Promise<boolean> {
	const bytes = Buffer.alloc(Math.min(size, maxLookBytes));
	const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
	const read = bytes.subarray(0, bytesRead);
	if (textEncodingOf(read, bytesRead >= size) !== "other") {
		return false;
	}
	// What is cut off may end inside a character.
	const text = await decode(path, read).catch(() => "");
	return text.slice(0, -1).includes("\uFFFD");
}

/** The text of a file, as much of it as is looked at. */
async function beginningOf({ handle, size }: OpenFile): Promise<string> {
	const bytes = Buffer.alloc(Math.min(size, maxLookBytes));
	const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
	return new TextDecoder(markedEncodingOf(bytes) ?? "utf-8").decode(bytes.subarray(0, bytesRead));
}

/** Facts about the file a piece of text is from; where the file is gone now, its path alone is judged. */
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

/** Workspace folders with links resolved, so that they compare with resolved paths; one that is gone stays as it is. */
export async function resolveFolders(folders: readonly string[]): Promise<readonly string[]> {
	return Promise.all(folders.map(folder => resolvePath(folder, [folder]).catch(() => folder)));
}

/**
 * Returns the concerns that a user is asked about. Names are judged by the path that was given and by the one it leads to, and the worse
 * counts; the place of the file is judged by the latter alone. docs/security.md, T11, T34.
 */
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

/** Relative to its workspace folder, which is named too when there are several; absolute elsewhere. */
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

async function isFolder(path: string): Promise<boolean> {
	try {
		return (await fs.stat(path)).isDirectory();
	} catch (error) {
		throw toAttachmentError(error);
	}
}
