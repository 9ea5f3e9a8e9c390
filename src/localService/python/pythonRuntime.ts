/**
 * Program inside the Python sandbox: a script for a V8 context with only the objects of JavaScript and none of Node. Invariant: objects in here hold
 * nothing from the outside but the bridge's functions. These are called in a single place, which blocks their errors and objects. Code that breaks
 * out of Python finds an empty environment: no process, no require, no fetch, no evaluation of strings.
 */
// Must be the first import, because Emscripten detects its environment while loading.
import { ask, bytesFrom, connect, keepFile, LineWriter, writeLine, type Bridge } from "./shell.ts";
import { loadPyodide, type PyodideAPI } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import failuresSource from "./cells/failures.py";
import figuresSource from "./cells/figures.py";
import importsSource from "./cells/imports.py";
import runnerSource from "./cells/runner.py";
import tablesSource from "./cells/tables.py";

/** The folder of mounted files and Python's working folder. */
const workingFolder = "/data";

/** Limit of all files together, in bytes, without Python's own. */
const maxFileBytes = 320 * 1024 * 1024;

let python: PyodideAPI | undefined;

/** Functions of `runner.py`. */
interface Runner {
	get(name: "run" | "missing_modules"): (code: string) => unknown;
	get(name: "install"): (path: string, target: string) => unknown;
}

let runner: Runner | undefined;

/** Loads Python and calls `done` with an empty text, or with the error. `colors` are ground and text of figures, if any, with a space. */
export function boot(outside: Bridge, colors: string, done: (failure: string) => void): void {
	connect(outside);
	void start(colors, done);
}

async function start(colors: string, done: (failure: string) => void): Promise<void> {
	let failure = "";
	try {
		await openPython(colors);
	} catch (error) {
		failure = `Python could not start: ${String(error)}`;
	}
	ask(() => done(failure));
}

/** Copies the bridge's file `name` into the working folder. Throws if there is not enough space. */
export function mount(name: string): void {
	python?.FS.writeFile(`${workingFolder}/${name}`, bytesFrom(name), { canOwn: true });
}

/** Installs the bridge's file `name`, a package. `target` is `site` or `library`. */
export function install(name: string, target: string): void {
	const path = `/tmp/${name}`;
	python?.FS.writeFile(path, bytesFrom(name), { canOwn: true });
	runner?.get("install")(path, target);
}

/** Returns the modules that code imports and that aren't there, as JSON. */
export function missingModules(code: string): string {
	return String(runner?.get("missing_modules")(code));
}

/** Runs code and returns the JSON report. Output and then the written files go to the bridge. */
export function run(code: string): string {
	const report = String(runner?.get("run")(code));
	copyWrittenFiles(report);
	return report;
}

/** The largest written file to copy out, in bytes. */
const maxWrittenBytes = 50 * 1024 * 1024;

interface CellFiles {
	readonly files?: { readonly shown?: readonly { readonly name: string; readonly size: number }[] };
}

function copyWrittenFiles(report: string): void {
	try {
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only strings and bytes leave the sandbox
		const { files } = JSON.parse(report) as CellFiles;
		for (const { name, size } of files?.shown ?? []) {
			if (python && size <= maxWrittenBytes) {
				const bytes = python.FS.readFile(`${workingFolder}/${name}`);
				keepFile(name, bytes);
			}
		}
	} catch {
		// A file that can't be copied is only named.
	}
}

async function openPython(colors: string): Promise<void> {
	python = await loadPyodide({
		indexURL: "/runtime/",
		createPyodideModule,
		// No packages, because they couldn't be fetched.
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
	python.setStdout(new LineWriter());
	python.setStderr(new LineWriter());
	limitFiles(python.FS, maxFileBytes);
	python.unregisterJsModule("js");
	python.unregisterJsModule("pyodide_js");
	const globals = python.toPy({ folder: workingFolder, colors });
	for (const source of [failuresSource, tablesSource, importsSource, figuresSource, runnerSource]) {
		runner = python.runPython(source, { globals });
	}
	// Models know the working folder of a code interpreter by this name.
	python.FS.mkdir("/mnt");
	python.FS.symlink(workingFolder, "/mnt/data");
}

/** A file of Emscripten's memory file system, with what is needed for its size. */
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

/** Operations of the memory file system, which Emscripten doesn't declare. */
interface Operations {
	readonly file: { readonly stream: { write: Write }; readonly node: { setattr: SetAttributes } };
	readonly dir: { readonly node: { unlink: Unlink } };
}

/** The part of Emscripten's `FS` used here. */
interface EmscriptenFileSystem {
	readonly filesystems: { readonly MEMFS: { readonly ops_table: Operations } };
	readonly ErrnoError: new (code: number) => Error;
}

/** `ENOSPC` in Emscripten's file system. */
const noSpace = 51;

/** Limits all files together to `maxBytes`: they are in JavaScript memory, which no other limit covers. */
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
