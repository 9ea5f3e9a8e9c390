/** The part of the build that makes the code interpreter's Python; tests and benchmarks use it as well. */
import { join } from "node:path";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { build } from "esbuild";
import * as z from "zod/mini";
import { storeZip } from "../src/localService/python/storedZip.ts";
import { timeZoneFiles } from "./timeZones.ts";

const root = join(import.meta.dirname, "..");

/** Parts of Python's library that are of no use where there is no terminal, no process, no network and no screen. */
const isUseless = (name: string): boolean =>
	/^(?:_pyrepl|ensurepip|idlelib|multiprocessing|pydoc_data|turtledemo|venv|wsgiref)\/|^(?:ftplib|imaplib|poplib|pty|smtplib|socketserver|tty|webbrowser)\.py$/.test(
		name,
	);

/** Writes Python, its library and the script that runs both inside the sandbox, packed with Brotli, into a folder. */
export async function writePythonFiles(folder: string, isProduction: boolean): Promise<void> {
	const from = `${root}/node_modules/pyodide`;
	const figures = "cutaway_figures.py";
	const [runtime, wasm, library, backend] = await Promise.all([
		bundleRuntime(),
		readFile(`${from}/pyodide.asm.wasm`),
		readFile(`${from}/python_stdlib.zip`),
		readFile(`${root}/src/localService/python/cells/${figures}`),
	]);
	const added = new Map([...timeZoneFiles(), [figures, backend]]);
	const files = {
		"runtime.js": runtime,
		"python.wasm": wasm,
		"stdlib.zip": storeZip(library, name => !isUseless(name), added),
	};
	await mkdir(folder, { recursive: true });
	await writeFile(`${folder}/packages.json`, await packageList(from));
	await copyFile(`${root}/src/localService/python/LICENSE.txt`, `${folder}/LICENSE.txt`);
	await Promise.all(
		Object.entries(files).map(async ([name, bytes]) =>
			writeFile(`${folder}/${name}.br`, await pack(bytes, isProduction)),
		),
	);
}

const lockSchema = z.object({
	packages: z.record(
		z.string(),
		z.object({
			file_name: z.string(),
			sha256: z.string(),
			depends: z.array(z.string()),
			imports: z.array(z.string()),
			package_type: z.enum(["package", "shared_library", "cpython_module"]),
		}),
	),
});

/** Returns Pyodide's packages without their tests, as `PackageLock` reads them. */
async function packageList(from: string): Promise<string> {
	const read = async (name: string): Promise<unknown> =>
		JSON.parse(await readFile(`${from}/${name}`, "utf8"));
	const { version } = z.object({ version: z.string() }).parse(await read("package.json"));
	const lock = lockSchema.parse(await read("pyodide-lock.json"));
	const packages = Object.entries(lock.packages)
		.filter(([name]) => !name.endsWith("-tests"))
		.map(([name, { file_name: file, package_type: type, ...each }]) => [
			name,
			{
				file,
				sha256: each.sha256,
				imports: each.imports,
				depends: each.depends.map(normalized),
				...(type === "shared_library" ? { isLibrary: true } : {}),
			},
		]);
	return JSON.stringify({ version, packages: Object.fromEntries(packages) });
}

/** Returns a package's name as the list has it. @see https://packaging.python.org/en/latest/specifications/name-normalization/ */
function normalized(name: string): string {
	return name.replaceAll(/[-_.]+/g, "-").toLowerCase();
}

async function bundleRuntime(): Promise<Uint8Array> {
	const { outputFiles } = await build({
		entryPoints: [`${root}/src/localService/python/pythonRuntime.ts`],
		bundle: true,
		minify: true,
		legalComments: "none",
		format: "iife",
		globalName: "pythonRuntime",
		platform: "neutral",
		target: "node22",
		loader: { ".py": "text" },
		// Asked for under Node alone, which the sandbox is not.
		external: ["node:*", "ws"],
		define: { "import.meta.url": '"python:runtime"' },
		logLevel: "warning",
		write: false,
	});
	return outputFiles[0]?.contents ?? new Uint8Array();
}

/** Up to this size the best ratio takes a few seconds. */
const smallBytes = 2_000_000;

/** Packs a file with Brotli. A better ratio takes ten times as long; it is worth that in a package, the best for small files. */
export function pack(bytes: Uint8Array, isProduction: boolean): Promise<Uint8Array> {
	return promisify(brotliCompress)(bytes, {
		params: {
			[constants.BROTLI_PARAM_QUALITY]: isProduction ? (bytes.length < smallBytes ? 11 : 9) : 4,
			[constants.BROTLI_PARAM_LGWIN]: 24,
			[constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
		},
	});
}
