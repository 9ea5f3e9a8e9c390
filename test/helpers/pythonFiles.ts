import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writePythonFiles } from "../../scripts/pythonFiles.ts";
import type { CodeInterpreterOptions } from "../../src/localService/python/codeInterpreter.ts";

/** Python as the build makes it, in a folder of its own; the thread runs from source. */
export interface BuiltPython {
	/** The folder; goes with `remove`. */
	readonly folder: string;
	readonly options: CodeInterpreterOptions;
	remove(): Promise<void>;
}

/** Builds Python's files once for a test file or a benchmark. */
export async function buildPython(): Promise<BuiltPython> {
	const folder = await mkdtemp(join(tmpdir(), "cutaway-python-"));
	await writePythonFiles(folder, false);
	return {
		folder,
		options: {
			workerFile: new URL("../../src/localService/python/worker.ts", import.meta.url),
			files: {
				runtime: join(folder, "runtime.js.br"),
				wasm: join(folder, "python.wasm.br"),
				stdlib: join(folder, "stdlib.zip.br"),
			},
		},
		remove: () => rm(folder, { recursive: true, force: true }),
	};
}
