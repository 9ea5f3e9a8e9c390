import { randomUUID } from "node:crypto";
import * as fs from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { systemCode } from "../common/errors.ts";

const ownerOnly = 0o600;

/**
 * Replaces a file atomically, readable only by its owner. After a crash or a power cut the file has either the old or the new content. When the
 * promise resolves, the new content is on disk under its name. Uses a temporary file that ends in `.tmp`.
 */
export async function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
	await replaceFile(path, content, handle => handle.datasync());
	await syncFolder(dirname(path));
}

/**
 * Replaces a file like `writeAtomically`, but without waiting for the disk. Use it for content that is cheap to recreate: a power cut soon after may
 * leave the old content, none or a broken file.
 */
export async function writeReplaceable(path: string, content: string | Uint8Array): Promise<void> {
	await replaceFile(path, content);
}

async function replaceFile(
	path: string,
	content: string | Uint8Array,
	sync?: (draft: fs.FileHandle) => Promise<void>,
): Promise<void> {
	const draft = `${path}.${randomUUID()}.tmp`;
	try {
		const handle = await fs.open(draft, "wx", ownerOnly);
		try {
			await handle.writeFile(content);
			await sync?.(handle);
		} finally {
			await handle.close();
		}
		await fs.rename(draft, path);
	} catch (error) {
		await fs.rm(draft, { force: true });
		throw error;
	}
}

/** Creates a file and fails with `EEXIST` if it exists. The file appears with its content, so that a killed process can't leave an unreadable one. */
export async function createWhole(path: string, text: string): Promise<void> {
	const draft = `${path}.${randomUUID()}.tmp`;
	try {
		await fs.writeFile(draft, text, { mode: ownerOnly, flag: "wx" });
		await fs.link(draft, path);
		await fs.unlink(draft);
	} catch (error) {
		await fs.rm(draft, { force: true });
		if (!linklessCodes.has(systemCode(error))) {
			throw error;
		}
		await fs.writeFile(path, text, { mode: ownerOnly, flag: "wx" });
	}
}

/** Error codes of file systems without hard links, such as FAT and some network drives. */
const linklessCodes: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** Flushes a folder's entries to disk. Does nothing on Windows and some network drives, which don't support it. */
export async function syncFolder(folder: string): Promise<void> {
	try {
		const handle = await fs.open(folder, "r");
		try {
			await handle.sync();
		} finally {
			await handle.close();
		}
	} catch (error) {
		if (!unsupportedSync.has(systemCode(error))) {
			throw error;
		}
	}
}

const unsupportedSync: ReadonlySet<string> = new Set([
	"EPERM",
	"EACCES",
	"EISDIR",
	"EINVAL",
	"ENOTSUP",
]);

/** Resolves like `step`, or to undefined if the file or folder doesn't exist. Rejects with other errors. */
export async function ifThere<T>(step: Promise<T>): Promise<T | undefined> {
	try {
		return await step;
	} catch (error) {
		if (systemCode(error) === "ENOENT") {
			return undefined;
		}
		throw error;
	}
}

/** Returns the checksum of stored data, eight hexadecimal digits. It detects damage, not forgery. */
export function checksum(data: string | Uint8Array, start = 0): string {
	return crc32(data, start).toString(16).padStart(8, "0");
}

/** Returns stored JSON as one line, after its format's version and its checksum: `{"v":1,"sum":"1a2b3c4d","items":[…]}`. */
export function sealed(version: number, name: string, json: string): string {
	return `{"v":${version},"sum":"${checksum(json)}","${name}":${json}}`;
}

/** Returns the JSON of a line from `sealed`, or undefined if the line is damaged or has another version. */
export function opened(version: number, name: string, line: string): string | undefined {
	const json = line.slice(sealed(version, name, "").length - 1, -1);
	return line === sealed(version, name, json) ? json : undefined;
}
