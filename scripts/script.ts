import { spawn } from "node:child_process";
import { once } from "node:events";
import { endWithThisProcess } from "./childProcess.ts";
import { projectRoot } from "./project.ts";

/** How a script ended and what it printed on both streams. */
export interface ScriptResult {
	/** Exit code; 1 when a signal ended the script. */
	readonly code: number;
	readonly output: string;
}

/** How to run a script. */
export interface ScriptOptions {
	/** Working folder; the project's root when left out. */
	readonly cwd?: string;
	/** Environment on top of this process's own. */
	readonly env?: Readonly<Record<string, string>>;
	/** Hears what the script prints while it prints it, in pieces of any length. */
	readonly onOutput?: (text: string) => void;
}

/** Runs a JavaScript or TypeScript file with this process's own Node and waits for its end; never rejects. */
export async function runScript(
	args: readonly string[],
	options: ScriptOptions = {},
): Promise<ScriptResult> {
	const child = spawn(process.execPath, args, {
		cwd: options.cwd ?? projectRoot,
		env: { ...process.env, ...options.env },
		stdio: ["ignore", "pipe", "pipe"],
		windowsHide: true,
	});
	endWithThisProcess(child);
	let output = "";
	const collect = (chunk: string): void => {
		output += chunk;
		options.onOutput?.(chunk);
	};
	child.stdout.setEncoding("utf8").on("data", collect);
	child.stderr.setEncoding("utf8").on("data", collect);
	const [code] = await once(child, "close");
	return { code: typeof code === "number" ? code : 1, output };
}
