import { join } from "node:path";
import type { Clock } from "../../common/async.ts";
import { readMeta, chatPaths, isFileOfChat } from "../log/index.ts";
import { type FileSystem, acquireWriterLease } from "../../storage/index.ts";

/** How long a deleted chat can be restored, in milliseconds: 30 days. */
export const deletedChatLifeMs = 30 * 24 * 60 * 60_000;

/**
 * Removes the files of a deleted chat for good, its log first: what is left of a removal that was cut off is no chat. Leaves a
 * chat alone that was restored meanwhile. Throws `StoreError` `heldElsewhere` while a window has the chat open, and the
 * system's error.
 */
export async function removeChat(
	files: FileSystem,
	folder: string,
	id: string,
	clock: Clock,
): Promise<void> {
	const { logPath, metaPath, leasePath } = chatPaths(folder, id);
	const lease = await acquireWriterLease(files, leasePath, clock);
	try {
		if ((await readMeta(files, metaPath)).deletedAt === undefined) {
			return;
		}
		await files.remove(logPath);
		for (const name of await files.names(folder)) {
			const path = join(folder, name);
			if (isFileOfChat(name, id) && path !== leasePath) {
				await files.remove(path);
			}
		}
	} finally {
		await lease.release();
	}
}
