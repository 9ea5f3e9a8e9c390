import type { Dirent } from "node:fs";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { toAttachmentError } from "../attachment/attachmentError.ts";
import type { Exclusion } from "../attachment/attachmentTray.ts";

/** The files of a folder, as far as they were taken. */
export interface FolderFiles {
	/** Absolute paths, each folder's own files before those of the folders in it, by name. */
	readonly paths: readonly string[];
	/** Links, excluded and special files that were passed over. */
	readonly passedOver: number;
	/** Whether there is more than was taken or looked at. */
	readonly isCut: boolean;
}

/** How a folder is searched. */
export interface FolderSearch {
	readonly maxFiles: number;
	readonly maxEntries: number;
	readonly isExcluded: Exclusion;
}

/** Folders that hold no work of the user's own. */
const skippedFolders: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules"]);

/**
 * Finds the files below a folder, given without links in its path. Links in it are never followed: what they lead to is not
 * in the folder. A folder in it that cannot be read counts as passed over. Throws `AttachmentError` when the folder itself
 * cannot be read.
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

/** Takes the files of one folder and returns the folders in it. */
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

/** At most `max` entries, by name; a folder of a million names is not read to its end. */
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
