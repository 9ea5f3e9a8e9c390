import { spawn } from "node:child_process";
import { once } from "node:events";
import { endWithThisProcess } from "./childProcess.ts";

/** The command that runs npm itself: the very npm that runs this script, or the one on the path. */
function npmCommand(): { command: string; args: string[]; isShell: boolean } {
	const cli = process.env["npm_execpath"];
	return cli?.endsWith(".js")
		? { command: process.execPath, args: [cli], isShell: false }
		: { command: "npm", args: [], isShell: process.platform === "win32" };
}

/** Environment without what an outer `npm run` says of its own folder, which would misplace an inner install. */
function cleanEnvironment(): NodeJS.ProcessEnv {
	const isOfOuterRun = (name: string): boolean =>
		/^npm_(package_|lifecycle_|command$|config_local_prefix$|config_prefix$)/i.test(name);
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOfOuterRun(name)));
}

/**
 * Runs npm in a folder with the registry and cache the user has set up. Throws with npm's own last words when it
 * fails.
 */
export async function runNpm(folder: string, args: readonly string[]): Promise<void> {
	const npm = npmCommand();
	const child = spawn(npm.command, [...npm.args, ...args], {
		cwd: folder,
		env: cleanEnvironment(),
		shell: npm.isShell,
		stdio: ["ignore", "pipe", "pipe"],
		windowsHide: true,
	});
	endWithThisProcess(child);
	let output = "";
	const collect = (chunk: Buffer): void => {
		output = (output + chunk.toString("utf8")).slice(-4_000);
	};
	child.stdout.on("data", collect);
	child.stderr.on("data", collect);
	const [code] = await once(child, "close");
	if (code !== 0) {
		throw new Error(`npm ${args.join(" ")} failed in ${folder}:\n${output.trim()}`);
	}
}
