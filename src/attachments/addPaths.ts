import type {
	AttachmentLimits,
	FileDecoder,
	Exclusion,
	FolderReport,
} from "./attachment/attachmentTray.ts";
import { AttachmentError } from "./attachment/failures.ts";
import { findFolderFiles } from "./files/folderFiles.ts";
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
	const { limits } = search;
	const exclusion = await search.readExclusion();
	// The user attached an excluded folder deliberately, so exclusions are ignored inside it.
	const isExcluded: Exclusion = exclusion(path, true) ? () => false : exclusion;
	const files = await findFolderFiles(path, {
		maxFiles: limits.maxFolderFiles,
		maxEntries: limits.maxFolderEntries,
		isExcluded,
	});
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
