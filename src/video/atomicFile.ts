import { randomUUID } from "node:crypto";
import * as fs from "node:fs/promises";
import { dirname } from "node:path";

const ownerOnly = 0o600;

/** Replaces a file as a whole: whoever reads it, also after a crash or a power cut, meets the old text or this one. */
export async function writeAtomically(path: string, text: string): Promise<void> {
	const part = `${path}.${randomUUID()}.tmp`;
	try {
		const handle = await fs.open(part, "wx", ownerOnly);
		try {
			await handle.writeFile(text, "utf8");
			await handle.datasync();
		} finally {
			await handle.close();
		}
		await fs.rename(part, path);
	} catch (error) {
		await fs.rm(part, { force: true });
		throw error;
	}
	await syncFolder(dirname(path));
}

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
