import { randomUUID } from "node:crypto";
import * as fs from "node:fs/promises";
import { dirname } from "node:path";

const ownerOnly = 0o600;

/**
 * Replaces a file as a whole, for its owner alone: whoever reads it, also after a crash or a power cut, meets the old content or
 * this one. When it resolves, the new content is on the medium under its name. Its draft ends in `.tmp`.
 */
export async function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
	await replaceFile(path, content, handle => handle.datasync());
	await syncFolder(dirname(path));
}

/**
 * Replaces a file as a whole, as `writeAtomically` does, without waiting for the medium: for what costs little to make again. A power
 * cut soon after may leave the old content, none or a broken one.
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

/**
 * Makes a file that must not be there yet (`EEXIST`). It appears with its text in it, so that a program killed half-way leaves no
 * file that nobody can read.
 */
export async function createWhole(path: string, text: string): Promise<void> {
	const draft = `${path}.${randomUUID()}.tmp`;
	try {
		await fs.writeFile(draft, text, { mode: ownerOnly });
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

/** Error codes of file systems without hard links, such as FAT and some network disks. */
const linklessCodes: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** Makes the names in a folder last. Windows cannot, and some network disks refuse; there the system decides. */
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

/** The system's name for what went wrong, such as `ENOSPC`; empty when the error has none. */
export function systemCode(thrown: unknown): string {
	return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string"
		? thrown.code
		: "";
}
