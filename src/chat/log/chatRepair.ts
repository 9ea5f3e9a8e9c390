import { systemCode } from "../../common/errors.ts";
import { encodeRecords } from "./chatLog.ts";
import { repairedSuffix } from "./chatPaths.ts";
import type { ChatRecord } from "./chatRecord.ts";
import type { FileSystem } from "../../storage/fileSystem.ts";

/** Copies a log to the first free path `PATH.unreadable-N` and returns that path. */
export async function keepCopy(files: FileSystem, path: string): Promise<string> {
	for (let number = 1; ; number += 1) {
		const copy = `${path}.unreadable-${number}`;
		try {
			await files.copyExclusive(path, copy);
			await syncFile(files, copy);
			return copy;
		} catch (error) {
			if (systemCode(error) !== "EEXIST") {
				throw error;
			}
		}
	}
}

/** The number of bytes to encode between writes. */
const bytesPerWrite = 1024 * 1024;

function* encodedInPieces(records: readonly ChatRecord[]): Generator<Uint8Array, void> {
	let lines: Buffer[] = [];
	let size = 0;
	for (const [number, record] of records.entries()) {
		const line = encodeRecords([record], number);
		lines.push(line);
		size += line.length;
		if (size >= bytesPerWrite) {
			yield Buffer.concat(lines);
			lines = [];
			size = 0;
		}
	}
	yield Buffer.concat(lines);
}

/** Replaces a damaged log by one with `records` and returns its length in bytes. After a crash, the file is either the old or the repaired one. */
export async function replaceLog(
	files: FileSystem,
	folder: string,
	path: string,
	records: readonly ChatRecord[],
): Promise<number> {
	const repaired = `${path}${repairedSuffix}`;
	const file = await files.open(repaired);
	let length = 0;
	try {
		await file.truncate(0);
		for (const bytes of encodedInPieces(records)) {
			await file.append(bytes);
			length += bytes.length;
		}
		await file.sync();
	} finally {
		await file.close();
	}
	await files.rename(repaired, path);
	await files.syncFolder(folder);
	return length;
}

async function syncFile(files: FileSystem, path: string): Promise<void> {
	const file = await files.open(path);
	try {
		await file.sync();
	} finally {
		await file.close();
	}
}
