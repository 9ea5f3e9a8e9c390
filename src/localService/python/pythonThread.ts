import { Worker } from "node:worker_threads";
import { type Clock, every, untilAborted } from "../../common/async.ts";
import type { FigureColors } from "../../common/clipLooks.ts";
import type { IDisposable } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";
import { parseJson } from "../../common/json.ts";
import type { CopiedFile } from "./sandbox.ts";
import {
	type CellReport,
	cellReportSchema,
	type CellRequest,
	fromPythonSchema,
	type PythonData,
	type PythonFiles,
} from "./pythonMessages.ts";

export interface PythonThreadOptions {
	readonly workerFile: URL | string;
	readonly files: PythonFiles;
	readonly clock: Clock;
	/** Colors of figures; Matplotlib's own by default. */
	readonly colors?: FigureColors | undefined;
	/** Time limit of a cell in milliseconds, without loading Python; by default {@link defaultCellTimeoutMs}. Installing packages adds {@link installTimeoutMs}. */
	readonly cellTimeoutMs?: number;
	/** Limit of Python's memory in bytes; by default {@link defaultMemoryBytes}. */
	readonly maxMemoryBytes?: number;
	/** Limit for the growth of the whole process during a run, for any use, in bytes; by default {@link defaultGrowthBytes}. */
	readonly maxGrowthBytes?: number;
	/** Limit of the thread's memory between cells, in bytes; by default {@link defaultHeldBytes}. Beyond it, the thread is stopped. */
	readonly maxHeldBytes?: number;
}

/** Result of a cell. The thread survives only after `done` and `error`. */
export type CellOutcome = (
	| CellReport
	| { readonly status: "timeout"; readonly seconds: number }
	| { readonly status: "broken"; readonly reason: string }
) & {
	/** The cell's output, at most 40 000 characters. */
	readonly output: string;
	/** Copies of files that the cell has written. */
	readonly written?: readonly CopiedFile[];
};

const loadTimeoutMs = 60_000;
/** The most output of a cell to keep. Its thread sends less. */
const maxOutput = 100_000;

const defaultCellTimeoutMs = 20_000;
/** The most time to unpack packages and to compile them at their first import. */
const installTimeoutMs = 60_000;
const defaultMemoryBytes = 512 * 1024 * 1024;
/** More than Python's memory and files together, so only code that evades these limits reaches it. */
const defaultGrowthBytes = 1536 * 1024 * 1024;
const growthCheckMs = 200;
/** More than Python's memory, files and JavaScript together. Catches memory outside these limits that accumulates over cells. */
const defaultHeldBytes = 1280 * 1024 * 1024;
/** Time after a cell by which the thread must be asleep, or it is still running something. */
const sleepMs = 5_000;

/**
 * More memory for JavaScript than the process may grow by, because V8 ends the whole process, not the thread, where a large array exceeds the thread's
 * limit. The guard of the growth ends the thread before.
 */
const resourceLimits = { maxOldGenerationSizeMb: 3072, stackSizeMb: 4 } as const;

/** A Python instance with its variables and files, in its own thread. */
export class PythonThread {
	private readonly options: PythonThreadOptions;
	private readonly life: ThreadLife;
	/** Resolves to the error, or undefined once Python is loaded. */
	private readonly loaded: Promise<string | undefined>;

	constructor(options: PythonThreadOptions) {
		this.options = options;
		this.life = new ThreadLife(options);
		this.loaded = waitForLoading(this.life, options);
	}

	get isOver(): boolean {
		return this.life.reason !== undefined;
	}

	/** Runs a cell, one at a time. Rejects only with `AbortError`, which ends the thread, because Python can't be stopped. */
	async run(cell: CellRequest, signal: AbortSignal): Promise<CellOutcome> {
		const failure = await raceAbort(this.loaded, signal, this.life);
		if (failure !== undefined) {
			await this.life.end(failure);
			return { status: "broken", reason: failure, output: "" };
		}
		return await runCell(this.life, cell, signal, this.options);
	}

	/** Ends the thread. Resolves once its memory is free. */
	stop(): Promise<void> {
		return this.life.end("it was stopped");
	}
}

class ThreadLife {
	private readonly worker: Worker;
	private readonly bell: Int32Array;
	private overReason: string | undefined;
	private sentCells = 0;
	onMessage: (message: unknown) => void = () => undefined;
	onOver: (reason: string) => void = () => undefined;

	constructor({
		workerFile,
		files,
		colors,
		maxMemoryBytes = defaultMemoryBytes,
	}: PythonThreadOptions) {
		const bell = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
		const data: PythonData = { files, colors, maxMemoryBytes, bell };
		this.bell = new Int32Array(bell);
		this.worker = new Worker(workerFile, {
			workerData: data,
			execArgv: [],
			env: {},
			name: "cutaway-python",
			resourceLimits,
		});
		this.worker.unref();
		this.worker.on("message", (received: unknown) => this.onMessage(received));
		this.worker.on("error", (error: unknown) => this.over(toError(error).message));
		this.worker.on("exit", code => this.over(`its thread ended with code ${code}`));
	}

	get reason(): string | undefined {
		return this.overReason;
	}

	get cells(): number {
		return this.sentCells;
	}

	/** Whether the thread waits for a cell without using the CPU. */
	get isAsleep(): boolean {
		return Atomics.load(this.bell, 1) === 1;
	}

	send(cell: CellRequest): void {
		this.sentCells += 1;
		this.worker.postMessage(cell);
		Atomics.add(this.bell, 0, 1);
		Atomics.notify(this.bell, 0);
	}

	async end(reason: string): Promise<void> {
		this.over(reason);
		await this.worker.terminate();
	}

	private over(reason: string): void {
		if (this.overReason === undefined) {
			this.overReason = reason;
			this.onOver(reason);
		}
	}
}

/** Resolves to the error, or undefined once Python is loaded. */
function waitForLoading(
	life: ThreadLife,
	options: PythonThreadOptions,
): Promise<string | undefined> {
	return new Promise(resolve => {
		const settle = (failure?: string): void => {
			timer.dispose();
			guard.dispose();
			resolve(failure);
		};
		const guard = guardGrowth(options, () => void life.end("it took too much memory"));
		const timer = options.clock.setTimer(loadTimeoutMs, () =>
			settle(`Python did not load within ${loadTimeoutMs / 1000} s`),
		);
		life.onOver = settle;
		life.onMessage = received => {
			const message = fromPythonSchema.safeParse(received);
			const isReady = message.success && message.data.type === "ready";
			const reason = message.success && message.data.type === "broken" ? message.data.reason : "";
			settle(isReady ? undefined : reason || "Python's thread sent something else");
		};
	});
}

function raceAbort<T>(promise: Promise<T>, signal: AbortSignal, life: ThreadLife): Promise<T> {
	return untilAborted(promise, signal).catch((error: unknown) => {
		void life.end("it was cancelled");
		throw error;
	});
}

async function runCell(
	life: ThreadLife,
	cell: CellRequest,
	signal: AbortSignal,
	options: PythonThreadOptions,
): Promise<CellOutcome> {
	const { clock, cellTimeoutMs = defaultCellTimeoutMs } = options;
	const timeoutMs = cellTimeoutMs + (cell.packages.length > 0 ? installTimeoutMs : 0);
	const { promise, resolve } = Promise.withResolvers<CellOutcome>();
	let output = "";
	let held = 0;
	const breakDown = (reason: string): void => resolve({ status: "broken", reason, output });
	const timer = clock.setTimer(timeoutMs, () => {
		resolve({ status: "timeout", seconds: timeoutMs / 1000, output });
		void life.end("it took too long");
	});
	const guard = guardGrowth(options, () => void life.end("it took too much memory"));
	life.onOver = breakDown;
	life.onMessage = received => {
		const message = fromPythonSchema.safeParse(received);
		if (!message.success || message.data.type === "ready") {
			breakDown("its thread sent a message that is not understood");
		} else if (message.data.type === "output") {
			output = (output + message.data.text).slice(0, maxOutput);
		} else if (message.data.type === "broken") {
			breakDown(message.data.reason);
		} else {
			const report = cellReportSchema.safeParse(parseJson(message.data.report)).data;
			const { heldBytes, written } = message.data;
			held = heldBytes;
			resolve(
				report
					? { ...report, output, written }
					: { status: "broken", reason: "its report makes no sense", output },
			);
		}
	};
	try {
		if (life.reason === undefined) {
			life.send(cell);
		} else {
			breakDown(life.reason);
		}
		const outcome = await raceAbort(promise, signal, life);
		if (outcome.status === "broken") {
			await life.end(outcome.reason);
		} else {
			await watchIdle(life, held, options);
		}
		return outcome;
	} finally {
		timer.dispose();
		guard.dispose();
	}
}

/** Enforces the limits on memory and activity after a cell. */
async function watchIdle(
	life: ThreadLife,
	heldBytes: number,
	{ clock, maxHeldBytes = defaultHeldBytes }: PythonThreadOptions,
): Promise<void> {
	if (heldBytes > maxHeldBytes) {
		await life.end("it held too much memory");
		return;
	}
	const cells = life.cells;
	clock.setTimer(sleepMs, () => {
		if (life.cells === cells && !life.isAsleep) {
			void life.end("it went on after its cell");
		}
	});
}

/** Watches the memory of the whole process, because JavaScript buffers don't count towards the thread's limits. */
function guardGrowth(
	{ clock, maxGrowthBytes = defaultGrowthBytes }: PythonThreadOptions,
	onTooLarge: () => void,
): IDisposable {
	const start = process.memoryUsage.rss();
	const check = (): void => {
		if (process.memoryUsage.rss() - start > maxGrowthBytes) {
			onTooLarge();
		}
	};
	return every(growthCheckMs, check, clock);
}
