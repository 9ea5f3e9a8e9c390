import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** How to start a guarded process. */
export interface GuardedProcessOptions {
	/** Working folder; this process's own when left out. */
	readonly cwd?: string;
	/** Environment; this process's own when left out. */
	readonly env?: NodeJS.ProcessEnv;
	/** Hears every line the process prints, on either stream. */
	readonly onLine?: (line: string) => void;
}

/** A process with all its descendants, which end when `stop` is called or this process ends, however it ends. */
export interface GuardedProcess {
	/** Process id of the guard, which on POSIX is the id of the whole group. */
	readonly pid: number;
	/** Settles once the process has ended, for whatever reason. */
	readonly ended: Promise<void>;
	/** Ends the process and its descendants; resolves when the guard is gone. Safe to call twice. */
	stop(): Promise<void>;
}

/** Splits a stream of chunks into lines, without their line ends. */
function lineSplitter(onLine: (line: string) => void): (chunk: string) => void {
	let rest = "";
	return chunk => {
		const lines = (rest + chunk).split(/\r?\n/);
		rest = lines.pop() ?? "";
		lines.forEach(line => onLine(line));
	};
}

/** Starts `command` under the guard program; throws when the guard itself cannot start. */
export function startGuarded(
	command: string,
	args: readonly string[],
	options: GuardedProcessOptions = {},
): GuardedProcess {
	const guard = spawn(process.execPath, [join(import.meta.dirname, "guard.ts"), command, ...args], {
		cwd: options.cwd,
		env: options.env ?? process.env,
		stdio: ["pipe", "pipe", "pipe"],
		detached: process.platform !== "win32",
		windowsHide: true,
	});
	const onLine = options.onLine ?? (() => undefined);
	guard.stdout.setEncoding("utf8").on("data", lineSplitter(onLine));
	guard.stderr.setEncoding("utf8").on("data", lineSplitter(onLine));
	// Writing to a guard that is gone is the normal end of a stopped process.
	guard.stdin.on("error", () => undefined);
	const ended = once(guard, "close").then(() => undefined);
	if (guard.pid === undefined) {
		throw new Error(`Could not start ${command}`);
	}
	return {
		pid: guard.pid,
		ended,
		stop: async () => {
			guard.stdin.end();
			await ended;
		},
	};
}
