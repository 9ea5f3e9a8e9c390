import type { Dirent } from "node:fs";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import type {
	AttachmentLimits,
	Exclusion,
	FileDecoder,
	FolderReport,
} from "./attachment/attachmentTray.ts";
import { AttachmentError, toAttachmentError } from "./attachment/failures.ts";
import { inspectPath } from "./files/inspect.ts";
import { failedEntry, fileEntry, type TrayEntry } from "./trayEntry.ts";

const batchSize = 16;

export interface FoundEntries {
	readonly entries: readonly TrayEntry[];
	readonly folders: readonly FolderReport[];
}

export interface PathSearch {
	/** With links resolved. */
	readonly workspaceFolders: readonly string[];
	readonly limits: AttachmentLimits;
	readonly readExclusion: () => Promise<Exclusion>;
	readonly decode: FileDecoder | undefined;
}

/** Inspects paths in order and replaces folders by their files. Never throws: a failure becomes an entry with the reason. */
export async function findEntries(
	paths: readonly string[],
	search: PathSearch,
): Promise<FoundEntries> {
	const found = await inBatches(paths, path => entriesOfPath(path, search));
	return {
		entries: found.flatMap(({ entries }) => entries),
		folders: found.flatMap(({ folders }) => folders),
	};
}

export async function findEntry(
	path: string,
	search: PathSearch,
	folder?: string,
): Promise<TrayEntry> {
	try {
		const found = await inspectPath(path, search.workspaceFolders, search.decode);
		if (found.type === "file") {
			return fileEntry(path, found.file, folder);
		}
		throw new AttachmentError("notAFile", "A folder is in its place.");
	} catch (error) {
		return failedEntry(path, error, folder);
	}
}

async function entriesOfPath(path: string, search: PathSearch): Promise<FoundEntries> {
	try {
		const found = await inspectPath(path, search.workspaceFolders, search.decode);
		return found.type === "file"
			? { entries: [fileEntry(path, found.file)], folders: [] }
			: await entriesOfFolder(found, search);
	} catch (error) {
		return { entries: [failedEntry(path, error)], folders: [] };
	}
}

async function entriesOfFolder(
	{ path, displayPath }: { readonly path: string; readonly displayPath: string },
	search: PathSearch,
): Promise<FoundEntries> {
	const exclusion = await search.readExclusion();
	// The user attached an excluded folder deliberately, so exclusions are ignored inside it.
	const isExcluded: Exclusion = exclusion(path, true) ? () => false : exclusion;
	const files = await findFolderFiles(path, { ...search.limits, isExcluded });
	const entries = await inBatches(files.paths, file => findEntry(file, search, displayPath));
	const { passedOver, isCut } = files;
	return { entries, folders: [{ displayPath, taken: entries.length, passedOver, isCut }] };
}

async function inBatches<T, R>(
	items: readonly T[],
	task: (item: T) => Promise<R>,
): Promise<readonly R[]> {
	const results: R[] = [];
	for (let start = 0; start < items.length; start += batchSize) {
		results.push(...(await Promise.all(items.slice(start, start + batchSize).map(task))));
	}
	return results;
}

interface FolderFiles {
	/** Absolute paths, sorted by name. The files of a folder come before those of its subfolders. */
	readonly paths: string[];
	/** The number of skipped links, excluded files and special files. */
	passedOver: number;
	/** The number of examined entries. */
	looked: number;
	/** Whether the folder contains more than was returned or examined. */
	isCut: boolean;
}

interface FolderSearch extends AttachmentLimits {
	readonly isExcluded: Exclusion;
}

/** Folders without the user's own files. */
const skippedFolders: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules"]);

/**
 * Finds the files below a folder, given without links in its path. Doesn't follow links. Skips unreadable subfolders. Throws `AttachmentError` if the
 * folder itself can't be read.
 */
async function findFolderFiles(
	folder: string,
	search: FolderSearch,
): Promise<Readonly<Omit<FolderFiles, "looked">>> {
	const found: FolderFiles = { paths: [], passedOver: 0, looked: 0, isCut: false };
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
	return found;
}

/** Adds a folder's files to `found` and returns its subfolders. */
async function searchFolder(
	folder: string,
	search: FolderSearch,
	found: FolderFiles,
): Promise<string[]> {
	const folders: string[] = [];
	for (const entry of await entriesOf(folder, search.maxFolderEntries - found.looked)) {
		found.looked += 1;
		const path = join(folder, entry.name);
		if (found.looked >= search.maxFolderEntries) {
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
		} else if (found.paths.length >= search.maxFolderFiles) {
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
