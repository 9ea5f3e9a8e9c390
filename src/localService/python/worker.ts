/** Entry of the thread in which the Python of one conversation lives. */
import { readFileSync } from "node:fs";
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
import { limitWasmMemory } from "./wasmMemory.ts";

/** Characters of output that one cell may show. */
const maxOutputLength = 40_000;
/** Lines are gathered to about this many characters, so that a chatty loop does not drown the service in messages. */
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
 * Cells as they come, without end. The thread sleeps in between and never gets back to its event loop: what a cell has
 * set going, timers, tasks or promises, never has a turn after it. It ends by being terminated.
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
	{ files, maxMemoryBytes }: PythonData,
	onOutput: (line: string) => void,
): Promise<Sandbox> {
	const wasm = brotliDecompressSync(readFileSync(files.wasm));
	limitWasmMemory(wasm, maxMemoryBytes);
	return await Sandbox.open({
		runtime: brotliDecompressSync(readFileSync(files.runtime)).toString("utf8"),
		wasm,
		stdlib: brotliDecompressSync(readFileSync(files.stdlib)),
		clock: systemClock,
		onOutput,
	});
}

function runCell(sandbox: Sandbox, cell: CellRequest, flush: () => void): FromPython {
	try {
		for (const { name, path } of cell.files) {
			sandbox.mount(name, readFileSync(path));
		}
		const report = sandbox.run(cell.code);
		flush();
		return report.length > maxReportLength
			? { type: "broken", reason: "its report is too long" }
			: { type: "report", report, heldBytes: heldBytes() };
	} catch {
		// What was thrown is an object of the inside; looking at it could run its code.
		flush();
		return { type: "broken", reason: "Python itself broke down" };
	}
}

function heldBytes(): number {
	const { heapTotal, external } = process.memoryUsage();
	return heapTotal + external;
}

/** Gathers lines into messages, as they come, so that a cell which never ends still shows what it wrote. */
class CellOutput {
	private readonly post: (text: string) => void;
	private pending = "";
	private total = 0;

	constructor(post: (text: string) => void) {
		this.post = post;
	}

	/** Forgets what earlier cells wrote. */
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
	parent.postMessage(message);
}

if (!parentPort) {
	throw new Error("Python must run in a worker thread.");
}
await serve(parentPort);
