import type { Dirent } from "node:fs";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { toAttachmentError } from "../attachment/failures.ts";
import type { Exclusion } from "../attachment/attachmentTray.ts";

export interface FolderFiles {
	/** Absolute paths, sorted by name. The files of a folder come before those of its subfolders. */
	readonly paths: readonly string[];
	/** The number of skipped links, excluded files and special files. */
	readonly passedOver: number;
	/** Whether the folder contains more than was returned or examined. */
	readonly isCut: boolean;
}

export interface FolderSearch {
	readonly maxFiles: number;
	readonly maxEntries: number;
	readonly isExcluded: Exclusion;
}

/** Folders without the user's own files. */
const skippedFolders: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules"]);

/**
 * Finds the files below a folder, given without links in its path. Doesn't follow links. Skips unreadable subfolders. Throws `AttachmentError` if the
 * folder itself can't be read.
 */
export async function findFolderFiles(folder: string, search: FolderSearch): Promise<FolderFiles> {
	const found: FoundFiles = { paths: [], passedOver: 0, looked: 0, isCut: false };
	const waiting = [folder];
	for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
		try {
			waiting.unshift(...(await searchFolder(next, search, found)));
		} catch (error) {
			if (next === folder) {
				throw toAttachmentError(error);
			}
			found.passedOver += 1;
		}
		if (found.isCut) {
			break;
		}
	}
	const { paths, passedOver, isCut } = found;
	return { paths, passedOver, isCut };
}

interface FoundFiles {
	readonly paths: string[];
	passedOver: number;
	looked: number;
	isCut: boolean;
}

/** Adds a folder's files to `found` and returns its subfolders. */
async function searchFolder(
	folder: string,
	search: FolderSearch,
	found: FoundFiles,
): Promise<string[]> {
	const folders: string[] = [];
	for (const entry of await entriesOf(folder, search.maxEntries - found.looked)) {
		found.looked += 1;
		const path = join(folder, entry.name);
		if (found.looked >= search.maxEntries) {
			found.isCut = true;
			break;
		}
		const isFolder = entry.isDirectory();
		if (search.isExcluded(path, isFolder) || (isFolder && skippedFolders.has(entry.name))) {
			found.passedOver += 1;
		} else if (isFolder) {
			folders.push(path);
		} else if (!entry.isFile()) {
			found.passedOver += 1;
		} else if (found.paths.length >= search.maxFiles) {
			found.isCut = true;
			break;
		} else {
			found.paths.push(path);
		}
	}
	return folders;
}

/** Returns up to `max` entries, sorted by name. Stops reading a large folder early. */
async function entriesOf(folder: string, max: number): Promise<Dirent[]> {
	const entries: Dirent[] = [];
	for await (const entry of await fs.opendir(folder)) {
		entries.push(entry);
		if (entries.length >= max) {
			break;
		}
	}
	return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
