import { type FileSystem, type LogFile, nodeFileSystem } from "../../src/storage/fileSystem.ts";

/** A real disk that fails when the test says so. */
export interface FaultyFileSystem extends FileSystem {
	/** How many changing calls were made so far. */
	readonly callCount: number;
	/** Bytes written to open files so far. */
	readonly writtenBytes: number;
	/** Resolved syncs of open files so far. */
	readonly syncCount: number;
	/** Makes the changing calls from number `from` (counted from 1) to `to` fail with the system's `code`. */
	fail(code: string, from: number, to?: number): void;
	/** Makes every changing call succeed again. */
	heal(): void;
}

/** Wraps the machine's disk. A failing `append` first writes half of its bytes, as a disk that fills up does. */
export function createFaultyFileSystem(): FaultyFileSystem {
	let callCount = 0;
	let writtenBytes = 0;
	let syncCount = 0;
	let fault: { code: string; from: number; to: number } | undefined;

	const isFailing = (): boolean => {
		callCount += 1;
		return fault !== undefined && callCount >= fault.from && callCount <= fault.to;
	};
	const refuse = (): never => {
		const code = fault?.code ?? "EIO";
		throw Object.assign(new Error(`${code}: injected`), { code });
	};
	const guard =
		<Args extends readonly unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
		async (...args: Args): Promise<Result> =>
			isFailing() ? refuse() : call(...args);

	const wrapFile = (file: LogFile): LogFile => ({
		size: () => file.size(),
		append: async bytes => {
			if (isFailing()) {
				await file.append(bytes.subarray(0, bytes.length >> 1));
				refuse();
			}
			await file.append(bytes);
			writtenBytes += bytes.length;
		},
		truncate: guard(length => file.truncate(length)),
		sync: guard(async () => {
			await file.sync();
			syncCount += 1;
		}),
		close: () => file.close(),
	});

	return {
		...nodeFileSystem,
		get callCount() {
			return callCount;
		},
		get writtenBytes() {
			return writtenBytes;
		},
		get syncCount() {
			return syncCount;
		},
		makeFolder: guard(nodeFileSystem.makeFolder),
		open: guard(async path => wrapFile(await nodeFileSystem.open(path))),
		append: async (path, bytes) => {
			if (isFailing()) {
				await nodeFileSystem.append(path, bytes.subarray(0, bytes.length >> 1));
				refuse();
			}
			await nodeFileSystem.append(path, bytes);
		},
		createExclusive: guard(nodeFileSystem.createExclusive),
		replace: guard(nodeFileSystem.replace),
		copyExclusive: guard(nodeFileSystem.copyExclusive),
		rename: guard(nodeFileSystem.rename),
		remove: guard(nodeFileSystem.remove),
		touch: guard(nodeFileSystem.touch),
		syncFolder: guard(nodeFileSystem.syncFolder),
		fail: (code, from, to = Number.POSITIVE_INFINITY) => {
			fault = { code, from: callCount + from, to: callCount + to };
		},
		heal: () => {
			fault = undefined;
		},
	};
}
