import * as fs from "node:fs/promises";
import { join } from "node:path";

/** How many records are kept, and for how long. */
export interface RecordLimits {
	/** Of all services together; the ones used longest ago go first. */
	readonly maxRecords: number;
	/** Since a record was last used, in milliseconds. */
	readonly maxAgeMs: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** What is kept: a forgotten record costs one more upload of those bytes some day. */
export const defaultRecordLimits: RecordLimits = { maxRecords: 5_000, maxAgeMs: 180 * dayMs };

/** A record that was begun so long ago, in milliseconds, was left by a window that crashed. */
const unfinishedMs = dayMs;

interface KeptFile {
	readonly path: string;
	/** When it was last used, in milliseconds since 1970. */
	readonly usedAt: number;
	readonly isWhole: boolean;
}

/**
 * Removes the records below `folder` that nobody used for long, those beyond the count, and what crashes left. Another window
 * may do the same at the same time. Throws what the disk throws.
 */
export async function pruneRecords(
	folder: string,
	{ maxRecords, maxAgeMs }: RecordLimits,
	nowMs: number,
): Promise<void> {
	const files = await keptFiles(folder);
	const isOld = ({ usedAt, isWhole }: KeptFile): boolean =>
		nowMs - usedAt > (isWhole ? maxAgeMs : unfinishedMs);
	const old = files.filter(isOld);
	const beyond = files
		.filter(file => file.isWhole && !isOld(file))
		.toSorted((one, other) => other.usedAt - one.usedAt)
		.slice(maxRecords);
	for (const { path } of [...old, ...beyond]) {
		await fs.rm(path, { force: true });
	}
}

async function keptFiles(folder: string): Promise<readonly KeptFile[]> {
	const files: KeptFile[] = [];
	for (const account of await fs.readdir(folder)) {
		for (const name of await fs.readdir(join(folder, account)).catch(() => [])) {
			const path = join(folder, account, name);
			const found = await fs.lstat(path).catch(() => undefined);
			if (found?.isFile()) {
				files.push({ path, usedAt: found.mtimeMs, isWhole: name.endsWith(".json") });
			}
		}
	}
	return files;
}
