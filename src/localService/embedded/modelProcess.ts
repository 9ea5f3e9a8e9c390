import { type ChildProcess, execFile, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Clock, Mailbox } from "../../common/async.ts";
import {
	type ChildQuestion,
	type FromChild,
	fromChildSchema,
	type ToChild,
} from "./childMessages.ts";

/** The most CPU time per thread without progress, in milliseconds. Time in which other processes use the CPU doesn't count. */
const stuckMs = 60_000;
/** The longest time without any progress, in milliseconds. */
const silenceMs = 10 * 60_000;
/** The longest time in which llama.cpp is loaded, in milliseconds. */
const checkMs = 60_000;

/** A message of the process, its end, or that it makes no progress. */
export type ProcessReply =
	| Exclude<FromChild, { type: "busy" }>
	| { readonly type: "gone"; readonly how: string }
	| { readonly type: "hangs" };

/** The process's program and its llama.cpp build. */
export interface ProcessFiles {
	/** The bundle of `child.ts`. */
	readonly childFile: URL | string;
	/** The folder of llama.cpp's libraries for this machine. */
	readonly llamaFolder: string;
}

export class ModelProcess {
	readonly file: string;
	private readonly child: ChildProcess;
	private readonly clock: Clock;
	private receive: ((reply: FromChild | ProcessReply) => void) | undefined;
	private end: ProcessReply | undefined;

	/** Starts the process. It loads the file of the first request, and ends with this process. */
	constructor({ childFile, llamaFolder }: ProcessFiles, file: string, clock: Clock) {
		this.file = file;
		this.clock = clock;
		this.child = fork(pathOf(childFile), [llamaFolder], {
			...surroundings(llamaFolder),
			execArgv: [],
			stdio: ["ignore", "ignore", "ignore", "ipc"],
		});
		this.child.on("message", received => {
			const reply = fromChildSchema.safeParse(received).data;
			if (reply) {
				this.receive?.(reply);
			}
		});
		this.child.once("error", error => this.over(error.message));
		this.child.once("exit", (code, signal) => this.over(signal ?? `code ${code}`));
	}

	/** Process id, for monitoring its memory. */
	get pid(): number | undefined {
		return this.child.pid;
	}

	get isOver(): boolean {
		return this.end !== undefined;
	}

	/**
	 * Sends a request, while no other is running. The replies end with `end`, `failed`, `gone` or `hangs`. Rejects with `AbortError` if the signal
	 * aborts.
	 */
	async *ask(question: ChildQuestion, signal: AbortSignal): AsyncGenerator<ProcessReply> {
		const replies = new Mailbox<ProcessReply>(signal);
		const silence = (): { dispose(): void } =>
			this.clock.setTimer(silenceMs, () => replies.put({ type: "hangs" }));
		let timer = silence();
		let computedMs: number | undefined;
		this.receive = reply => {
			if ("id" in reply && reply.id !== question.id) {
				return;
			}
			if (reply.type === "busy") {
				computedMs ??= reply.computedMs;
				if (reply.computedMs - computedMs > stuckMs) {
					replies.put({ type: "hangs" });
				}
				return;
			}
			computedMs = undefined;
			timer.dispose();
			timer = silence();
			replies.put(reply);
		};
		let isOver = false;
		try {
			if (this.end) {
				yield this.end;
				return;
			}
			this.send(question);
			while (!isOver) {
				const reply = await replies.take();
				isOver = ["end", "failed", "gone", "hangs"].includes(reply.type);
				yield reply;
			}
		} finally {
			timer.dispose();
			replies.dispose();
			this.receive = undefined;
			if (!isOver) {
				this.send({ type: "stop", id: question.id });
			}
		}
	}

	/** Kills the process, which frees its memory. */
	dispose(): void {
		this.child.kill("SIGKILL");
	}

	private send(message: ToChild): void {
		if (this.child.connected) {
			this.child.send(message, error => {
				if (error) {
					this.over(error.message);
				}
			});
		}
	}

	private over(how: string): void {
		this.end ??= { type: "gone", how };
		this.receive?.(this.end);
	}
}

/**
 * Loads llama.cpp in a process of its own. Resolves to the reason if it doesn't run on this machine; to undefined if it runs, or if that isn't known
 * after `limitMs` milliseconds.
 */
export function whyNotRunnable(
	{ childFile, llamaFolder }: ProcessFiles,
	limitMs = checkMs,
): Promise<string | undefined> {
	const options = { ...surroundings(llamaFolder), timeout: limitMs };
	return new Promise(resolve => {
		execFile(
			process.execPath,
			[pathOf(childFile), llamaFolder, "check"],
			options,
			(error, _, stderr) =>
				resolve(
					error && error.killed !== true ? stderr || (error.signal ?? error.message) : undefined,
				),
		);
	});
}

function pathOf(childFile: ProcessFiles["childFile"]): string {
	return childFile instanceof URL ? fileURLToPath(childFile) : childFile;
}

/** Keeps keys in the environment from a process, and llama.cpp from libraries in the working directory, which it searches. */
function surroundings(cwd: string): { readonly env: NodeJS.ProcessEnv; readonly cwd: string } {
	// Node needs it on Windows.
	const root = process.env["SystemRoot"];
	const system = root === undefined ? {} : { SystemRoot: root };
	return { env: { ELECTRON_RUN_AS_NODE: "1", ...system }, cwd };
}
