import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { once } from "node:events";
import { HttpFailure } from "./httpFailure.ts";
import { describeBytes, type Limits } from "./limits.ts";

/** A file the service holds. Interface §2.3. */
export interface HeldFile {
	readonly id: string;
	/** As the uploader named it, without folders; never part of a path here. */
	readonly name: string;
	/** MIME type. */
	readonly type: string;
	/** Bytes. */
	readonly size: number;
	/** Where its bytes are while the service runs. */
	readonly path: string;
}

/** Keeps uploaded files in one private folder for as long as the service runs. */
export class FileStore {
	private readonly folder: string;
	private readonly held = new Map<string, HeldFile>();
	private readonly room: Room;

	/** Makes a store in `folder`, which is created for this user alone on the first upload and belongs to the store. */
	constructor(folder: string, limits: Pick<Limits, "maxFileBytes" | "maxHeldBytes">) {
		this.folder = folder;
		this.room = { limits, takenBytes: 0 };
	}

	/**
	 * Writes the bytes as they come and returns the file once they are all on disk. Leaves nothing behind when the
	 * bytes fail, and throws `HttpFailure` 413 past the limits.
	 */
	async add(
		description: Pick<HeldFile, "name" | "type">,
		bytes: AsyncIterable<Uint8Array>,
	): Promise<HeldFile> {
		await mkdir(this.folder, { recursive: true, mode: 0o700 });
		const id = `file-${randomBytes(16).toString("base64url")}`;
		const path = join(this.folder, id);
		const size = await writeWithin(this.room, path, bytes);
		const file: HeldFile = { id, path, size, name: description.name, type: description.type };
		this.held.set(id, file);
		return file;
	}

	get(id: string): HeldFile | undefined {
		return this.held.get(id);
	}

	/** Removes a file; does nothing when there is none. */
	async remove(id: string): Promise<void> {
		const file = this.held.get(id);
		if (file) {
			this.held.delete(id);
			this.room.takenBytes -= file.size;
			await rm(file.path, { force: true });
		}
	}

	/** Removes the folder with all files in it. */
	async clear(): Promise<void> {
		this.held.clear();
		this.room.takenBytes = 0;
		await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
	}
}

/** Room for all files together; counted while they come, so that uploads at the same time share it. */
interface Room {
	readonly limits: Pick<Limits, "maxFileBytes" | "maxHeldBytes">;
	takenBytes: number;
}

/** Writes a file and returns its size; removes it again when the bytes fail or pass a limit. */
async function writeWithin(
	room: Room,
	path: string,
	bytes: AsyncIterable<Uint8Array>,
): Promise<number> {
	const { maxFileBytes, maxHeldBytes } = room.limits;
	let size = 0;
	const counted = async function* (): AsyncGenerator<Uint8Array> {
		for await (const chunk of bytes) {
			size += chunk.length;
			room.takenBytes += chunk.length;
			if (size > maxFileBytes) {
				throw tooLarge(`A file may have at most ${describeBytes(maxFileBytes)}.`);
			}
			if (room.takenBytes > maxHeldBytes) {
				throw tooLarge(`The service holds at most ${describeBytes(maxHeldBytes)} of files in all.`);
			}
			yield chunk;
		}
	};
	try {
		await writeFile(path, counted());
		return size;
	} catch (error) {
		room.takenBytes -= size;
		await rm(path, { force: true });
		throw error;
	}
}

/** Callbacks rather than a stream pipeline, which costs several times as much per chunk. */
async function writeFile(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
	const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
	const failed = new Promise<never>((_, reject) => file.once("error", reject));
	failed.catch(() => file.destroy());
	try {
		for await (const chunk of bytes) {
			if (!file.write(chunk)) {
				await Promise.race([once(file, "drain"), failed]);
			}
		}
		file.end();
		await Promise.race([once(file, "close"), failed]);
	} catch (error) {
		// A file that is still being opened appears after its removal, unless that is waited for.
		const closed = new Promise<void>(resolve => file.once("close", resolve));
		file.destroy();
		if (!file.closed) {
			await closed;
		}
		throw error;
	}
}

function tooLarge(message: string): HttpFailure {
	return new HttpFailure(413, "too_large", message);
}
