/** Entry point of the thread that runs a conversation's Python. */
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import {
	type MessagePort,
	parentPort,
	receiveMessageOnPort,
	workerData,
} from "node:worker_threads";
import { brotliDecompressSync } from "node:zlib";
import { systemClock } from "../../common/async.ts";
import { toError } from "../../common/errors.ts";
import {
	type CellRequest,
	cellRequestSchema,
	type FromPython,
	maxReportLength,
	type PythonData,
	pythonDataSchema,
} from "./pythonMessages.ts";
import { Sandbox, sealFunctionConstructors } from "./sandbox.ts";
import { hasUtf8Mark } from "./fileEncoding.ts";
import { limitWasmMemory } from "./wasmMemory.ts";

const maxOutputLength = 40_000;
/** Output is sent in chunks of about this many characters, to limit the number of messages. */
const chunkLength = 4_000;

async function serve(parent: MessagePort): Promise<void> {
	const data = pythonDataSchema.parse(workerData);
	const output = new CellOutput(text => send(parent, { type: "output", text }));
	try {
		const sandbox = await open(data, line => output.add(line));
		sealFunctionConstructors();
		send(parent, { type: "ready" });
		for (const cell of cellsFrom(parent, new Int32Array(data.bell))) {
			output.begin();
			send(
				parent,
				runCell(sandbox, cell, () => output.flush()),
			);
		}
	} catch (error) {
		send(parent, { type: "broken", reason: toError(error).message });
	}
}

/**
 * Yields cells forever. Between cells the thread sleeps without returning to its event loop, so that timers, tasks and promises of a cell never run
 * after it. The thread must be terminated.
 */
function* cellsFrom(parent: MessagePort, bell: Int32Array): Generator<CellRequest, never> {
	for (;;) {
		const rung = Atomics.load(bell, 0);
		const received = receiveMessageOnPort(parent);
		Atomics.store(bell, 1, received ? 0 : 1);
		if (received) {
			yield cellRequestSchema.parse(received.message);
		} else {
			Atomics.wait(bell, 0, rung);
		}
	}
}

async function open(
	{ files, colors, maxMemoryBytes }: PythonData,
	onOutput: (line: string) => void,
): Promise<Sandbox> {
	const wasm = brotliDecompressSync(readFileSync(files.wasm));
	limitWasmMemory(wasm, maxMemoryBytes);
	return await Sandbox.open({
		runtime: brotliDecompressSync(readFileSync(files.runtime)).toString("utf8"),
		wasm,
		stdlib: brotliDecompressSync(readFileSync(files.stdlib)),
		colors: colors ? [colors.background, colors.foreground] : [],
		clock: systemClock,
		onOutput,
	});
}

function runCell(sandbox: Sandbox, cell: CellRequest, flush: () => void): FromPython {
	try {
		for (const { name, path } of cell.files) {
			const bytes = readFileSync(path);
			// Python reads the mark as a part of the text, such as of the first column's name.
			sandbox.mount(name, hasUtf8Mark(bytes) ? bytes.subarray(3) : bytes);
		}
		for (const { name, path, sha256, target } of cell.packages) {
			const bytes = readFileSync(path);
			if (createHash("sha256").update(bytes).digest("hex") !== sha256) {
				rmSync(path, { force: true });
				return { type: "broken", reason: `the file of its package ${name} was damaged` };
			}
			sandbox.install(name, bytes, target);
		}
		const report = cell.isInspected
			? `{"status":"imports","modules":${sandbox.missingModules(cell.code)}}`
			: sandbox.run(cell.code);
		const written = sandbox.takeWrittenFiles();
		flush();
		return report.length > maxReportLength
			? { type: "broken", reason: "its report is too long" }
			: { type: "report", report, heldBytes: heldBytes(), written };
	} catch {
		// The thrown object belongs to the sandbox, and inspecting it could run its code.
		flush();
		return { type: "broken", reason: "Python itself broke down" };
	}
}

function heldBytes(): number {
	const { heapTotal, external } = process.memoryUsage();
	return heapTotal + external;
}

/** Combines lines into messages and sends them early, so that the output of an endless cell is shown. */
class CellOutput {
	private readonly post: (text: string) => void;
	private pending = "";
	private total = 0;

	constructor(post: (text: string) => void) {
		this.post = post;
	}

	begin(): void {
		this.pending = "";
		this.total = 0;
	}

	add(line: string): void {
		if (this.total >= maxOutputLength) {
			return;
		}
		const text = line.slice(0, maxOutputLength - this.total);
		this.total += text.length + 1;
		const isFull = this.total >= maxOutputLength;
		this.pending += `${text}\n${isFull ? "… the rest of the output is left out\n" : ""}`;
		if (this.pending.length >= chunkLength || isFull) {
			this.flush();
		}
	}

	flush(): void {
		if (this.pending !== "") {
			this.post(this.pending);
			this.pending = "";
		}
	}
}

function send(parent: MessagePort, message: FromPython): void {
	const written = message.type === "report" ? message.written : [];
	parent.postMessage(
		message,
		written.map(({ bytes }) => bytes.buffer),
	);
}

if (!parentPort) {
	throw new Error("Python must run in a worker thread.");
}
await serve(parentPort);
