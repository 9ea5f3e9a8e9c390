import { randomUUID } from "node:crypto";
import * as fs from "node:fs/promises";
import { dirname } from "node:path";

const ownerOnly = 0o600;

/** Replaces a file as a whole: whoever reads it, also after a crash or a power cut, meets the old text or this one. */
export async function writeAtomically(path: string, text: string): Promise<void> {
	const draft = `${path}.${randomUUID()}.tmp`;
	try {
		const handle = await fs.open(draft, "wx", ownerOnly);
		try {
			await handle.writeFile(text, "utf8");
			await handle.datasync();
		} finally {
			await handle.close();
		}
		await fs.rename(draft, path);
	} catch (error) {
		await fs.rm(draft, { force: true });
		throw error;
	}
	await syncFolder(dirname(path));
}

/**
 * Makes a file by way of `draft`, so that it appears with its text in it also when the program is killed half-way; false when
 * there is a file of that name already. Other failures are the system's errors.
 */
export async function tryCreate(path: string, text: string, draft: string): Promise<boolean> {
	try {
		await fs.writeFile(draft, text, { mode: ownerOnly });
		await fs.link(draft, path);
		return true;
	} catch (error) {
		if (linklessCodes.has(systemCode(error))) {
			return await tryCreateAtPlace(path, text);
		}
		return takenOrThrow(error);
	} finally {
		await fs.rm(draft, { force: true });
	}
}

/** What file systems without hard links say, such as FAT and some network disks. */
const linklessCodes: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** Makes a file where it is to be; false when there is one of that name. Other failures are the system's errors. */
async function tryCreateAtPlace(path: string, text: string): Promise<boolean> {
	try {
		await fs.writeFile(path, text, { mode: ownerOnly, flag: "wx" });
		return true;
	} catch (error) {
		return takenOrThrow(error);
	}
}

function takenOrThrow(error: unknown): false {
	if (systemCode(error) === "EEXIST") {
		return false;
	}
	throw error;
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
