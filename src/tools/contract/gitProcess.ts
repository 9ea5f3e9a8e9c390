import { type ChildProcess, execFile, spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { type Clock, systemClock } from "../../common/async.ts";
import { AbortError, ToolFailure } from "../../common/errors.ts";

/** The longest that Git may take for one answer, in milliseconds. */
const limitMs = 20_000;
/** The most output to keep, in bytes. What is sent is truncated much earlier. */
const maxOutputBytes = 32 * 1024 * 1024;

/** Settings for a fixed output format that run no programs, regardless of the user's or the repository's settings. */
const settings = [
	"core.fsmonitor=false",
	"safe.bareRepository=explicit",
	// Git would read such a file, which may be a device without an end, into memory.
	"diff.orderFile=/dev/null",
	// Without the user's file for all repositories, too.
	"core.attributesFile=/dev/null",
	"log.mailmap=false",
	"core.quotePath=true",
	"diff.noprefix=false",
	"diff.mnemonicPrefix=false",
].flatMap(setting => ["-c", setting]);

/** Variables of a running Git command that would lead to another repository. `git rev-parse --local-env-vars` */
const localVariables =
	/^GIT_(?:DIR|COMMON_DIR|WORK_TREE|INDEX_FILE|PREFIX|NAMESPACE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|CONFIG|CONFIG_PARAMETERS|CONFIG_COUNT|SHALLOW_FILE|GRAFT_FILE)$/i;

/** Where Git runs, and how. */
export interface GitFolder {
	/** The program. */
	readonly git: string;
	/** Absolute. */
	readonly root: string;
	readonly signal?: AbortSignal | undefined;
	/** Whether Git may fetch objects that a partial clone lacks. */
	readonly mayFetch?: boolean;
	readonly clock?: Clock;
}

export class GitFailure extends ToolFailure {
	/** `exit`: Git didn't start, or ended with a failure. */
	readonly reason: "exit" | "tooLarge" | "timeout";
	/** Exit code; undefined if Git didn't start or was ended. */
	readonly code: number | undefined;
	/** Output until then. */
	readonly output: Buffer;

	constructor(reason: GitFailure["reason"], output: Buffer, code?: number) {
		super(
			reason === "timeout"
				? "Git took too long and was stopped."
				: "Git could not tell the changes.",
		);
		this.reason = reason;
		this.output = output;
		this.code = code;
	}
}

/** Runs Git in a folder and returns its output. Throws `GitFailure`. After 20 seconds or on abort, ends Git and the processes it started. */
export function runGit(
	{ git, root, signal, mayFetch = false, clock = systemClock }: GitFolder,
	what: readonly string[],
	input = "",
): Promise<Buffer> {
	if (signal?.aborted) {
		return Promise.reject(new AbortError());
	}
	const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
	// Windows looks for a program in the working directory first, so that isn't the repository.
	const child = spawn(git, ["-C", root, ...settings, ...what], {
		cwd: dirname(process.execPath),
		env: environment(what[0], mayFetch),
		stdio: ["pipe", "pipe", "ignore"],
		windowsHide: true,
		// Gives it a process group of its own, which can be ended as a whole.
		detached: process.platform !== "win32",
	});
	const parts: Buffer[] = [];
	let size = 0;
	const stop = (error: Error): void => {
		endTree(child);
		reject(error);
	};
	const timer = clock.setTimer(limitMs, () => stop(new GitFailure("timeout", Buffer.alloc(0))));
	const onAbort = (): void => stop(new AbortError());
	signal?.addEventListener("abort", onAbort, { once: true });
	child.stdout.on("data", (part: Buffer) => {
		size += part.length;
		if (size <= maxOutputBytes) {
			parts.push(part);
		} else {
			stop(new GitFailure("tooLarge", Buffer.concat(parts)));
		}
	});
	child.once("error", () => reject(new GitFailure("exit", Buffer.alloc(0))));
	child.once("close", code => {
		const output = Buffer.concat(parts);
		if (code === 0) {
			resolve(output);
		} else {
			reject(new GitFailure("exit", output, code ?? undefined));
		}
	});
	// Git may end before it has read everything.
	child.stdin.on("error", () => undefined);
	child.stdin.end(input);
	return promise.finally(() => {
		timer.dispose();
		signal?.removeEventListener("abort", onAbort);
	});
}

function environment(command: string | undefined, mayFetch: boolean): NodeJS.ProcessEnv {
	const own = Object.entries(process.env).filter(([name]) => !localVariables.test(name));
	return {
		...Object.fromEntries(own),
		GIT_OPTIONAL_LOCKS: "0",
		// `check-ignore` fails with it.
		GIT_LITERAL_PATHSPECS: command === "check-ignore" ? "0" : "1",
		GIT_TERMINAL_PROMPT: "0",
		...(mayFetch ? {} : { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" }),
	};
}

/** Ends a process and those it started, such as filters and hooks. */
function endTree(child: ChildProcess): void {
	if (child.pid === undefined) {
		return;
	}
	if (process.platform === "win32") {
		const system = join(process.env["SystemRoot"] ?? "C:\\Windows", "System32");
		execFile(join(system, "taskkill.exe"), ["/pid", `${child.pid}`, "/T", "/F"], () =>
			child.kill(),
		);
		return;
	}
	try {
		process.kill(-child.pid, "SIGKILL");
	} catch {
		// The group has just ended.
		child.kill("SIGKILL");
	}
}
