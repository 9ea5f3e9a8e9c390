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
	const output = createOutput(text => send(parent, { type: "output", text }));
	try {
		const sandbox = await open(data, output.add);
		sealFunctionConstructors();
		send(parent, { type: "ready" });
		for (const cell of cellsFrom(parent, new Int32Array(data.bell))) {
			output.begin();
			send(parent, runCell(sandbox, cell, output.flush));
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

interface Output {
	/** Forgets what earlier cells wrote. */
	begin(): void;
	readonly add: (line: string) => void;
	readonly flush: () => void;
}

/** Gathers lines into messages, as they come, so that a cell which never ends still shows what it wrote. */
function createOutput(post: (text: string) => void): Output {
	let pending = "";
	let total = 0;
	const flush = (): void => {
		if (pending !== "") {
			post(pending);
			pending = "";
		}
	};
	return {
		begin: () => {
			pending = "";
			total = 0;
		},
		add: line => {
			if (total >= maxOutputLength) {
				return;
			}
			const text = line.slice(0, maxOutputLength - total);
			total += text.length + 1;
			pending += `${text}\n${total >= maxOutputLength ? "… the rest of the output is left out\n" : ""}`;
			if (pending.length >= chunkLength || total >= maxOutputLength) {
				flush();
			}
		},
		flush,
	};
}

function send(parent: MessagePort, message: FromPython): void {
	parent.postMessage(message);
}

if (!parentPort) {
	throw new Error("Python must run in a worker thread.");
}
await serve(parentPort);
