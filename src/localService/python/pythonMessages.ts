import * as z from "zod/mini";

const bytesSchema = z.custom<Uint8Array<ArrayBuffer>>(value => value instanceof Uint8Array);

/** Messages between the service and a Python thread. */

const path = z.string().check(z.minLength(1));

/** Python's files as absolute paths, all compressed with Brotli. */
export const pythonFilesSchema = z.object({
	/** The script inside the sandbox: the bundle of `runtime.ts`. */
	runtime: path,
	/** `pyodide`: Python as WebAssembly. */
	wasm: path,
	/** Python's standard library, a zip file. */
	stdlib: path,
});
export type PythonFiles = z.infer<typeof pythonFilesSchema>;

const color = z.string().check(z.regex(/^#[0-9a-f]{6}$/i));

export const pythonDataSchema = z.object({
	files: pythonFilesSchema,
	/** Colors of figures, as `#rrggbb`. */
	colors: z.optional(z.object({ background: color, foreground: color })),
	/** Limit of Python's memory in bytes, a multiple of 64 KB. */
	maxMemoryBytes: z.int().check(z.minimum(64 * 1024 * 1024)),
	/** Two 32-bit numbers. The first is incremented with every message, to wake the thread. The second is 1 while the thread sleeps or is about to. */
	bell: z.instanceof(SharedArrayBuffer),
});
export type PythonData = z.infer<typeof pythonDataSchema>;

/** Request to mount missing files, install packages and run a cell, or only to find what it imports. */
export const cellRequestSchema = z.object({
	code: z.string(),
	/** Files to mount first: a safe name in the working folder, and the path of the content. */
	files: z.array(z.object({ name: path, path })),
	packages: z.array(
		z.object({ name: path, path, sha256: z.string(), target: z.enum(["site", "library"]) }),
	),
	/** The code isn't run, and the report has status `imports`. */
	isInspected: z.boolean(),
});
export type CellRequest = z.infer<typeof cellRequestSchema>;

/** Limits texts from Python. An unmodified `runner.py` never reaches the limits. */
const bounded = (max: number) => z.string().check(z.maxLength(max));

/** Value of a cell's last expression: a Markdown table, or Python's `repr`. */
const resultSchema = z.union([
	z.object({ table: bounded(200_000) }),
	z.object({ text: bounded(50_000) }),
]);

const base64Schema = bounded(400_000).check(z.regex(/^[A-Za-z0-9+/]*={0,2}$/));

/** Figures of Matplotlib as PNG. */
const figuresSchema = z.array(base64Schema).check(z.maxLength(8));

/** A file written by a cell, with its content if it is small and text or an image. */
const writtenFileSchema = z.object({
	name: bounded(400),
	/** In bytes. */
	size: z.number(),
	text: z.optional(bounded(20_000)),
	type: z.optional(z.enum(["image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"])),
	base64: z.optional(base64Schema),
});
export type WrittenFile = z.infer<typeof writtenFileSchema> & {
	/** Id of its copy, with which the user can save it. */
	readonly id?: string | undefined;
};

const writtenFilesSchema = z.object({
	count: z.int(),
	shown: z.array(writtenFileSchema).check(z.maxLength(20)),
});

/** The longest JSON report, in characters; far longer than any of `runner.py`. */
export const maxReportLength = 8 * 1024 * 1024;

/** Report of `runner.py` about a cell. Untrusted, because code can make Python report anything. */
export const cellReportSchema = z.discriminatedUnion("status", [
	/** The imported modules that aren't there. */
	z.object({
		status: z.literal("imports"),
		modules: z.array(bounded(200)).check(z.maxLength(500)),
	}),
	z.object({
		status: z.literal("done"),
		result: z.nullable(resultSchema),
		files: writtenFilesSchema,
		figures: figuresSchema,
	}),
	z.object({
		status: z.literal("error"),
		traceback: bounded(50_000),
		/** The traceback's last lines, and a hint. */
		summary: bounded(50_000),
		files: writtenFilesSchema,
		figures: figuresSchema,
	}),
]);
export type CellReport = z.infer<typeof cellReportSchema>;

export const fromPythonSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("ready") }),
	z.object({ type: z.literal("output"), text: z.string() }),
	/** The cell has ended. `report` is JSON; `heldBytes` is the thread's own memory, including files and Python. */
	z.object({
		type: z.literal("report"),
		report: z.string(),
		heldBytes: z.number(),
		written: z.array(z.object({ name: z.string(), bytes: bytesSchema })),
	}),
	/** Python crashed or couldn't start. The thread can't be used any more. */
	z.object({ type: z.literal("broken"), reason: z.string() }),
]);
export type FromPython = z.infer<typeof fromPythonSchema>;
