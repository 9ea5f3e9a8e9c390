import { systemCode } from "../../common/errors.ts";
import type { Clock } from "../../common/async.ts";
import { type FileSystem, nodeFileSystem } from "../../storage/fileSystem.ts";
import { isLeaseHeld } from "../../storage/lease.ts";
import { chatIdOf, chatPaths, lockSuffix } from "../log/chatPaths.ts";

/** Returns the ids of chats that any window has open for writing, or none if the folder can't be read. */
export async function openChats(
	folder: string,
	clock: Clock,
	files: FileSystem = nodeFileSystem,
): Promise<ReadonlySet<string>> {
	// The chat list itself reports an unreadable folder.
	const names = await files.names(folder).catch(() => []);
	const ids = names.map(name => chatIdOf(name, lockSuffix)).filter(id => id !== undefined);
	const held = await Promise.all(ids.map(id => isHeld(folder, id, files, clock)));
	return new Set(ids.filter((_, index) => held[index]));
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
