import type { Clock } from "../../common/async.ts";
import { chatPaths, isChatId } from "../log/chatPaths.ts";
import { type FileSystem, nodeFileSystem } from "../../storage/fileSystem.ts";
import { systemCode } from "../../storage/atomicFile.ts";
import { isLeaseHeld } from "../../storage/lease.ts";

const lockSuffix = ".lock";

/** Returns the ids of chats that any window has open for writing, or none if the folder can't be read. */
export async function openChats(
	folder: string,
	clock: Clock,
	files: FileSystem = nodeFileSystem,
): Promise<ReadonlySet<string>> {
	const ids = (await namesIn(folder, files))
		.filter(name => name.endsWith(lockSuffix))
		.map(name => name.slice(0, -lockSuffix.length))
		.filter(isChatId);
	const held = await Promise.all(ids.map(id => isHeld(folder, id, files, clock)));
	return new Set(ids.filter((_, index) => held[index]));
}

async function namesIn(folder: string, files: FileSystem): Promise<readonly string[]> {
	try {
		return await files.names(folder);
	} catch {
		// The chat list itself reports an unreadable folder.
		return [];
	}
}

async function isHeld(
	folder: string,
	id: string,
	files: FileSystem,
	clock: Clock,
): Promise<boolean> {
	try {
		return await isLeaseHeld(files, chatPaths(folder, id).leasePath, clock);
	} catch (error) {
		return systemCode(error) !== "ENOENT";
	}
}
