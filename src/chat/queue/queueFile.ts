/**
 * Stores a chat's queued messages in a file beside the log: one line, replaced atomically, that starts with the CRC-32 of the rest:
 * `{"v":1,"sum":"1a2b3c4d","items":[…]}`. Only the window that writes the log writes this file. A sent message is in the log with the same id, so a
 * crash before its removal here does no harm.
 */
import * as z from "zod/mini";
import { turnAttachmentSchema } from "../../attachments/contract/turnAttachment.ts";
import type { Log } from "../../common/log.ts";
import { parseJson } from "../../common/json.ts";
import type { ChatPaths } from "../log/chatPaths.ts";
import { turnOptionsSchema } from "../log/chatRecord.ts";
import { keepCopy } from "../log/chatRepair.ts";
import type { ChatWriter } from "../log/chatWriter.ts";
import { type FileSystem, removeIfThere, toStoreError } from "../../storage/fileSystem.ts";
import { ifThere, opened, sealed } from "../../storage/atomicFile.ts";
import type { QueuedMessage } from "./messageQueue.ts";

export interface QueueFileDependencies extends Pick<ChatPaths, "folder" | "queuePath"> {
	readonly files: FileSystem;
	readonly log: Log;
	readonly writer: Pick<ChatWriter, "whileHeld">;
}

const queueVersion = 1;

const itemsSchema = z.array(
	z.object({
		id: z.string(),
		text: z.string(),
		options: turnOptionsSchema,
		attachments: z.array(turnAttachmentSchema),
	}),
);

/** Reads and writes the file. Doesn't access the disk before it is used. */
export class QueueFile {
	private readonly dependencies: QueueFileDependencies;

	constructor(dependencies: QueueFileDependencies) {
		this.dependencies = dependencies;
	}

	/** Returns the queued messages. Keeps a copy of an unreadable file and returns none. Throws `StoreError`. */
	read(): Promise<readonly QueuedMessage[]> {
		return readItems(this.dependencies);
	}

	/** Writes the queue. When it resolves, the queue would survive a power cut. Throws `StoreError`; then the old file is intact. */
	write(items: readonly QueuedMessage[]): Promise<void> {
		const { files, folder, queuePath, writer } = this.dependencies;
		return writer.whileHeld(async () => {
			try {
				if (items.length > 0) {
					await files.replace(queuePath, encode(items));
					return;
				}
				await removeIfThere(files, queuePath);
				await files.syncFolder(folder);
			} catch (error) {
				throw toStoreError(error, queuePath);
			}
		});
	}
}

async function readItems({
	files,
	queuePath,
	log,
}: QueueFileDependencies): Promise<readonly QueuedMessage[]> {
	try {
		const bytes = await ifThere(files.read(queuePath));
		const items = bytes === undefined ? [] : decode(Buffer.from(bytes).toString("utf8"));
		if (!items) {
			const keptAt = await keepCopy(files, queuePath);
			log.warn("The messages that waited in a chat could not be read", { keptAt });
		}
		return items ?? [];
	} catch (error) {
		throw toStoreError(error, queuePath);
	}
}

function encode(items: readonly QueuedMessage[]): string {
	// The schema drops every other field, such as an absolute path.
	const text = JSON.stringify(itemsSchema.safeParse(items).data ?? items);
	return `${sealed(queueVersion, "items", text)}\n`;
}

function decode(text: string): readonly QueuedMessage[] | undefined {
	const items = opened(queueVersion, "items", text.slice(0, -1));
	return items === undefined ? undefined : itemsSchema.safeParse(parseJson(items)).data;
}
