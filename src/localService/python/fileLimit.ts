/** A file of Emscripten's memory file system, as far as its size goes. */
interface MemoryFile {
	readonly contents?: { readonly length?: number };
}

type Write = (
	stream: { readonly node: MemoryFile },
	buffer: Uint8Array,
	offset: number,
	length: number,
	position: number,
	canOwn?: boolean,
) => number;

type SetAttributes = (node: MemoryFile, attributes: { readonly size?: number }) => void;

type Unlink = (
	parent: { readonly contents: Readonly<Record<string, MemoryFile>> },
	name: string,
) => void;

/** Where the memory file system keeps what it does; Emscripten has no types for it. */
interface Operations {
	readonly file: { readonly stream: { write: Write }; readonly node: { setattr: SetAttributes } };
	readonly dir: { readonly node: { unlink: Unlink } };
}

/** The part of Emscripten's `FS` that is needed here. */
interface FileSystem {
	readonly filesystems: { readonly MEMFS: { readonly ops_table: Operations } };
	readonly ErrnoError: new (code: number) => Error;
}

/** Error number of a full disk in Emscripten's file system. */
const noSpace = 51;

/**
 * Lets all files together grow by `maxBytes`, beyond which the disk is full. They lie in JavaScript's memory, outside of
 * Python's own and of what the thread's limits count.
 */
export function limitFiles({ filesystems, ErrnoError }: FileSystem, maxBytes: number): void {
	const { file, dir } = filesystems.MEMFS.ops_table;
	const { write } = file.stream;
	const { setattr } = file.node;
	const { unlink } = dir.node;
	let taken = 0;
	const grow = <T>(node: MemoryFile, size: number, change: () => T): T => {
		const before = sizeOf(node);
		if (size > before && taken + size - before > maxBytes) {
			throw new ErrnoError(noSpace);
		}
		const result = change();
		taken += sizeOf(node) - before;
		return result;
	};
	file.stream.write = (stream, buffer, offset, length, position, canOwn) =>
		grow(stream.node, position + length, () =>
			write(stream, buffer, offset, length, position, canOwn),
		);
	file.node.setattr = (node, attributes) =>
		grow(node, attributes.size ?? 0, () => setattr(node, attributes));
	dir.node.unlink = (parent, name) => {
		taken -= sizeOf(parent.contents[name]);
		unlink(parent, name);
	};
}

function sizeOf(node: MemoryFile | undefined): number {
	return node?.contents?.length ?? 0;
}
