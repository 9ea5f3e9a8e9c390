import * as z from "zod/mini";

/** Messages between the service and a Python thread, in memory. */

const path = z.string().check(z.minLength(1));

/** The files Python is made of, as absolute paths; all packed with Brotli. */
export const pythonFilesSchema = z.object({
	/** The script that runs inside the sandbox: the bundle of `runtime.ts`. */
	runtime: path,
	/** `pyodide`: Python as WebAssembly. */
	wasm: path,
	/** Python's standard library, a zip file. */
	stdlib: path,
});
export type PythonFiles = z.infer<typeof pythonFilesSchema>;

/** Data that a thread is started with. */
export const pythonDataSchema = z.object({
	files: pythonFilesSchema,
	/** Bytes Python's own memory may grow to; a multiple of 64 KB. */
	maxMemoryBytes: z.int().check(z.minimum(64 * 1024 * 1024)),
	/**
	 * Two 32-bit numbers: one that grows with every message to the thread, which sleeps on it; and 1 while the thread sleeps or is
	 * about to.
	 */
	bell: z.instanceof(SharedArrayBuffer),
});
export type PythonData = z.infer<typeof pythonDataSchema>;

/** To the thread: run a cell, after the files it lacks have been mounted. */
export const cellRequestSchema = z.object({
	code: z.string(),
	/** Files to mount first: a safe name in the working folder, and where the bytes are. */
	files: z.array(z.object({ name: path, path })),
});
export type CellRequest = z.infer<typeof cellRequestSchema>;

/** A text of Python; no bound is met by what `runner.py` says when it is left as it is. */
const bounded = (max: number) => z.string().check(z.maxLength(max));

/** Value of the last expression of a cell: a Markdown table, or Python's own `repr`. */
const resultSchema = z.union([
	z.object({ table: bounded(200_000) }),
	z.object({ text: bounded(50_000) }),
]);

/** A file that a cell wrote; its content where it is small and a text or an image. */
const writtenFileSchema = z.object({
	name: bounded(400),
	/** Bytes. */
	size: z.number(),
	text: z.optional(bounded(20_000)),
	type: z.optional(z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"])),
	base64: z.optional(bounded(400_000).check(z.regex(/^[A-Za-z0-9+/]*={0,2}$/))),
});
export type WrittenFile = z.infer<typeof writtenFileSchema>;

const writtenFilesSchema = z.object({
	count: z.int(),
	shown: z.array(writtenFileSchema).check(z.maxLength(8)),
});

/** Characters of a report, which is JSON; far more than `runner.py` comes to at the very most. */
export const maxReportLength = 8 * 1024 * 1024;

/** Report of `runner.py` about a cell. Python may have been made to say anything, so it is read like any other border. */
export const cellReportSchema = z.discriminatedUnion("status", [
	z.object({
		status: z.literal("done"),
		result: z.nullable(resultSchema),
		files: writtenFilesSchema,
	}),
	z.object({ status: z.literal("error"), traceback: bounded(50_000), files: writtenFilesSchema }),
]);
export type CellReport = z.infer<typeof cellReportSchema>;

/** From the thread. */
export const fromPythonSchema = z.discriminatedUnion("type", [
	/** Python is loaded. */
	z.object({ type: z.literal("ready") }),
	/** Lines that the running cell has written. */
	z.object({ type: z.literal("output"), text: z.string() }),
	/** The cell is over; `report` is JSON. `heldBytes` is the memory of the thread alone, files and Python's own included. */
	z.object({ type: z.literal("report"), report: z.string(), heldBytes: z.number() }),
	/** Python itself broke down, or could not start. The thread is of no more use. */
	z.object({ type: z.literal("broken"), reason: z.string() }),
]);
export type FromPython = z.infer<typeof fromPythonSchema>;
