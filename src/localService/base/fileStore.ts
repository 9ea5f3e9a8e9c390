import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm, readdir } from "node:fs/promises";
import { join } from "node:path";
import { once } from "node:events";
import { systemCode } from "../../common/errors.ts";
import { HttpFailure } from "./failureResponse.ts";
import { describeBytes, type Limits } from "./limits.ts";
import { hostname } from "node:os";

/** An uploaded file. docs/interface.md §2.3. */
export interface HeldFile {
	readonly id: string;
	/** The uploader's file name without folders. Never part of a path here. */
	readonly name: string;
	readonly type: string;
	/** In bytes. */
	readonly size: number;
	/** Path of the content while the service runs. */
	readonly path: string;
}

/** Stores uploaded files in a private folder while the service runs. */
export class FileStore {
	private readonly folder: string;
	private readonly held = new Map<string, HeldFile>();
	private readonly room: Room;

	/** Creates a store in `folder`, which it owns. The first upload creates the folder, accessible only to this user. */
	constructor(folder: string, limits: Pick<Limits, "maxFileBytes" | "maxHeldBytes">) {
		this.folder = folder;
		this.room = { limits, takenBytes: 0 };
	}

	/** Writes a stream and returns the complete file, or leaves none. Throws a 413 `HttpFailure` beyond the limits. */
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

	async remove(id: string): Promise<void> {
		const file = this.held.get(id);
		if (file) {
			this.held.delete(id);
			this.room.takenBytes -= file.size;
			await rm(file.path, { force: true });
		}
	}

	async clear(): Promise<void> {
		this.held.clear();
		this.room.takenBytes = 0;
		await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
	}
}

/** Space of all files, counted during uploads, so that simultaneous uploads share the limit. */
interface Room {
	readonly limits: Pick<Limits, "maxFileBytes" | "maxHeldBytes">;
	takenBytes: number;
}

/** Writes a file and returns its size. Removes it if the stream fails or exceeds a limit. */
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

/** Uses callbacks, because a stream pipeline costs several times as much per chunk. */
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
		// Waits, because a file that is still being opened would appear after its removal.
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

/** The folder name contains machine and process, so that abandoned folders can be detected. */
const namePattern = /^local-service-(.+)-(\d+)-[0-9a-f]{16}$/;

/** Returns the folder for uploads of one run of the service. Doesn't create it. */
export function newFilesFolder(dataFolder: string): string {
	const random = randomBytes(8).toString("hex");
	return join(dataFolder, `local-service-${machineName()}-${process.pid}-${random}`);
}

/** Removes the folders of processes of this machine that have ended, for example those that were killed. */
export async function removeStaleFolders(dataFolder: string): Promise<void> {
	const names = await readdir(dataFolder).catch((): string[] => []);
	const stale = names.filter(name => {
		const [, machine, pid] = namePattern.exec(name) ?? [];
		return machine === machineName() && !isRunning(Number(pid));
	});
	await Promise.all(
		stale.map(name => rm(join(dataFolder, name), { recursive: true, force: true })),
	);
}

/** Returns this machine's name in a form that is safe in file names. */
export function machineName(): string {
	return hostname()
		.replaceAll(/[^A-Za-z0-9.]/g, "_")
		.slice(0, 64);
}

/** Whether a process of this machine is running. */
export function isRunning(pid: number): boolean {
	try {
		// Signal 0 only checks for existence. @see https://nodejs.org/api/process.html#processkillpid-signal
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// The process exists but belongs to another user.
		return systemCode(error) === "EPERM";
	}
}
