import type { FileSystem, LogFile } from "../../src/storage/fileSystem.ts";

/** A disk in memory: every call is done within the microtasks of its turn, so a fake clock sees its result. */
export interface MemoryFileSystem extends FileSystem {
	/** What a file holds now; nothing when there is none. */
	contentOf(path: string): Uint8Array;
	/** While set, every call that changes something fails with this code of the system. */
	failure: string | undefined;
}

/** Makes an empty disk. */
export function createMemoryFileSystem(): MemoryFileSystem {
	const contents = new Map<string, Buffer>();
	const times = new Map<string, number>();

	const fail = (code: string): never => {
		throw Object.assign(new Error(code), { code });
	};
	const change = (): void => {
		if (disk.failure !== undefined) {
			fail(disk.failure);
		}
	};
	const need = (path: string): Buffer => contents.get(path) ?? fail("ENOENT");
	const create = (path: string, bytes: Buffer): void => {
		change();
		if (contents.has(path)) {
			fail("EEXIST");
		}
		contents.set(path, bytes);
	};
	const resize = (path: string, length: number): Buffer => {
		const resized = Buffer.concat([need(path), Buffer.alloc(length)]).subarray(0, length);
		contents.set(path, resized);
		return resized;
	};
	const openFile = (path: string): LogFile => ({
		size: async () => need(path).length,
		append: async bytes => {
			change();
			contents.set(path, Buffer.concat([need(path), bytes]));
		},
		truncate: async length => {
			change();
			resize(path, length);
		},
		sync: async () => change(),
		close: async () => undefined,
	});

	const disk: MemoryFileSystem = {
		failure: undefined,
		contentOf: path => contents.get(path) ?? Buffer.alloc(0),
		makeFolder: async () => change(),
		names: async folder =>
			[...contents.keys()].map(path => path.slice(folder.length).replace(/^[\\/]/, "")),
		stamps: async (folder, concerns) =>
			(await disk.names(folder)).filter(concerns).map(name => {
				const path = [...contents.keys()].find(key => key.endsWith(name)) ?? "";
				return { name, size: need(path).length, modifiedAt: times.get(path) ?? 0 };
			}),
		read: async path => need(path),
		readEnds: async (path, length) => {
			const bytes = need(path);
			return {
				size: bytes.length,
				modifiedAt: times.get(path) ?? 0,
				head: bytes.subarray(0, length),
				tail: bytes.subarray(Math.max(0, bytes.length - length)),
			};
		},
		open: async path => {
			change();
			contents.set(path, contents.get(path) ?? Buffer.alloc(0));
			return openFile(path);
		},
		append: async (path, bytes) => {
			change();
			contents.set(path, Buffer.concat([contents.get(path) ?? Buffer.alloc(0), bytes]));
		},
		createExclusive: async (path, text) => create(path, Buffer.from(text)),
		replace: async (path, text) => {
			change();
			contents.set(path, Buffer.from(text));
		},
		copyExclusive: async (from, to) => create(to, Buffer.from(need(from))),
		rename: async (from, to) => {
			change();
			contents.set(to, need(from));
			contents.delete(from);
		},
		remove: async path => {
			change();
			need(path);
			contents.delete(path);
		},
		modifiedAt: async path => {
			need(path);
			return times.get(path) ?? 0;
		},
		touch: async (path, time) => {
			change();
			times.set(path, time);
		},
		syncFolder: async () => change(),
	};
	return disk;
}
