/**
 * A program: `node guard.ts COMMAND ARGUMENTS…` runs the command and outlives neither it nor its own parent. The parent
 * holds the other end of standard input; when that end closes, by `stop` or because the parent was killed, the whole
 * process group (on Windows: the process tree) ends. So no crash of a test run leaves an editor server behind.
 */
import { spawn, spawnSync } from "node:child_process";

/** Milliseconds between asking the group to end and ending it by force. */
const gracePeriod = 2_000;

/** Milliseconds the rest of the group has once the command itself has ended. */
const lastMoment = 300;

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
	throw new Error("guard.ts needs a command to run");
}

const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });
let isEnding = false;

function endByForce(): void {
	if (process.platform === "win32") {
		spawnSync("taskkill", ["/pid", String(child.pid), "/T", "/F"], { stdio: "ignore" });
		process.exit(1);
	}
	process.kill(-process.pid, "SIGKILL");
}

function end(): void {
	if (isEnding) {
		return;
	}
	isEnding = true;
	if (process.platform === "win32") {
		endByForce();
		return;
	}
	setTimeout(endByForce, gracePeriod);
	process.kill(-process.pid, "SIGTERM");
}

process.on("SIGTERM", end);
process.on("SIGINT", end);
process.stdin.on("end", end);
process.stdin.on("error", end);
process.stdin.resume();
child.on("error", error => {
	process.stderr.write(`${command} did not start: ${error.message}\n`);
	process.exit(127);
});
child.on("exit", code => {
	process.exitCode = code ?? 1;
	if (process.platform === "win32") {
		process.exit();
	}
	// Grandchildren such as extension hosts have heard of the end too and get a moment to finish what they write.
	setTimeout(endByForce, lastMoment);
});
