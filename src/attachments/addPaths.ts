import type { Dirent } from "node:fs";
import * as fs from "node:fs/promises";
import { join, sep } from "node:path";
import type {
	AttachmentLimits,
	Exclusion,
	FileDecoder,
	FolderReport,
} from "./contract/attachmentTray.ts";
import { AttachmentError, toAttachmentError } from "./contract/failures.ts";
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
	readonly excluded: Exclusion;
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
	// The user attached an excluded folder deliberately, so exclusions are ignored inside it.
	const isOut = (await search.excluded([path])).has(path);
	const excluded: Exclusion = isOut ? () => Promise.resolve(new Set()) : search.excluded;
	const files = await findFolderFiles(path, { ...search.limits, excluded });
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
	paths: string[];
	/** The number of skipped links, excluded files and special files. */
	passedOver: number;
	/** Whether the folder contains more than was returned or examined. */
	isCut: boolean;
}

interface FolderSearch extends AttachmentLimits {
	readonly excluded: Exclusion;
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
): Promise<Readonly<FolderFiles>> {
	const found: FolderFiles = { paths: [], passedOver: 0, isCut: false };
	let looked = 0;
	// Searches level by level, because a question about many paths takes hardly longer than one about a single path.
	for (let level = [folder]; level.length > 0 && !found.isCut;) {
		const entries: Dirent[] = [];
		for (const each of level) {
			const room = search.maxFolderEntries - 1 - entries.length - looked;
			const read = await entriesOf(each, room).catch(toAttachmentError);
			if (!(read instanceof AttachmentError)) {
				entries.push(...read);
			} else if (each === folder) {
				throw read;
			} else {
				found.passedOver += 1;
			}
		}
		looked += entries.length;
		found.isCut = looked >= search.maxFolderEntries - 1;
		level = await addFiles(entries, search, found);
	}
	found.paths.sort(byFolder);
	return found;
}

/** Adds the files among entries to `found` and returns the folders. */
async function addFiles(
	entries: readonly Dirent[],
	{ excluded, maxFolderFiles }: FolderSearch,
	found: FolderFiles,
): Promise<string[]> {
	const own = entries.filter(entry =>
		entry.isDirectory() ? !skippedFolders.has(entry.name) : entry.isFile(),
	);
	const paths = own.map(({ parentPath, name }) => join(parentPath, name));
	const leftOut = await excluded(paths);
	found.passedOver += entries.length - own.length + leftOut.size;
	const isKept = (isFolder: boolean) => (path: string, index: number) =>
		own[index]?.isDirectory() === isFolder && !leftOut.has(path);
	const files = paths.filter(isKept(false));
	const room = maxFolderFiles - found.paths.length;
	found.isCut ||= files.length > room;
	found.paths.push(...files.slice(0, room));
	return paths.filter(isKept(true));
}

/** Compares by name, and the files of a folder before those of its subfolders. */
function byFolder(one: string, other: string): number {
	const [names, others] = [one.split(sep), other.split(sep)];
	const index = names.findIndex((name, at) => name !== others[at]);
	const isInFolder = (list: readonly string[]): number => Number(index < list.length - 1);
	const depth = isInFolder(names) - isInFolder(others);
	return depth || ((names[index] ?? "") < (others[index] ?? "") ? -1 : 1);
}

/** Returns up to `max` entries, sorted by name. Stops reading a large folder early. */
async function entriesOf(folder: string, max: number): Promise<Dirent[]> {
	const entries: Dirent[] = [];
	for await (const entry of await fs.opendir(folder)) {
		if (entries.length >= max) {
			break;
		}
		entries.push(entry);
	}
	return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
