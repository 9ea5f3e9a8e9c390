/**
 * Program inside the Python sandbox: a script of its own, for a V8 context that has JavaScript's own objects and nothing
 * of Node's. Invariant: nothing of the outside is ever held by an object in here but the bridge's functions, and those are
 * called in one place, which lets neither their errors nor any object of theirs in. Python that climbs out of its own
 * world finds an empty one: no process, no require, no fetch, no code from strings.
 */
// This import comes first: what Emscripten takes its surroundings for is settled as it loads.
import { ask, bytesFrom, connect, writeLine } from "./shell.ts";
import { loadPyodide, type PyodideAPI } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import type { Bridge } from "./bridge.ts";
import runnerSource from "./runner.py";

/** Where files are mounted, and where Python starts. */
const workingFolder = "/data";

/** Bytes that files may take together, those of Python itself apart. */
const maxFileBytes = 320 * 1024 * 1024;

let python: PyodideAPI | undefined;
let runCell: ((code: string) => unknown) | undefined;

/** Loads Python; tells `done` an empty text once it can run code, or what went wrong. */
export function boot(outside: Bridge, done: (failure: string) => void): void {
	connect(outside);
	void start(done);
}

async function start(done: (failure: string) => void): Promise<void> {
	let failure = "";
	try {
		await openPython();
	} catch (error) {
		failure = `Python could not start: ${String(error)}`;
	}
	ask(() => done(failure));
}

/** Puts the bytes the bridge knows under `name` into the working folder. Throws when there is no room. */
export function mount(name: string): void {
	python?.FS.writeFile(`${workingFolder}/${name}`, bytesFrom(name), { canOwn: true });
}

/** Runs code and returns JSON that says what came of it; output goes to the bridge while it runs. */
export function run(code: string): string {
	return String(runCell?.(code));
}

async function openPython(): Promise<void> {
	python = await loadPyodide({
		indexURL: "/runtime/",
		createPyodideModule,
		// No packages: nothing could fetch them.
		lockFileContents: {
			info: {
				abi_version: "2026_0",
				arch: "wasm32",
				platform: "emscripten_5_0_3",
				python: "3.14.2",
				version: "0",
			},
			packages: {},
		},
		packageBaseUrl: "/runtime/",
		jsglobals: Object.create(null),
		env: { HOME: workingFolder, PYTHONDONTWRITEBYTECODE: "1" },
		stdin: () => null,
		stdout: writeLine,
		stderr: writeLine,
	});
	limitFiles(python.FS, maxFileBytes);
	python.unregisterJsModule("js");
	python.unregisterJsModule("pyodide_js");
	runCell = python.runPython(runnerSource, { globals: python.toPy({ folder: workingFolder }) });
}

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
interface EmscriptenFileSystem {
	readonly filesystems: { readonly MEMFS: { readonly ops_table: Operations } };
	readonly ErrnoError: new (code: number) => Error;
}

/** Error number of a full disk in Emscripten's file system. */
const noSpace = 51;

/**
 * Lets all files together grow by `maxBytes`, beyond which the disk is full. They are in JavaScript's memory, outside of
 * Python's own and of what the thread's limits count.
 */
function limitFiles({ filesystems, ErrnoError }: EmscriptenFileSystem, maxBytes: number): void {
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
