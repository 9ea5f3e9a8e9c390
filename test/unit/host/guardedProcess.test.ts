// @module-tag thorough
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { startGuarded } from "../../../scripts/guardedProcess.ts";

const module = pathToFileURL(join(import.meta.dirname, "../../../scripts/guardedProcess.ts"));

/** Prints its own process id and that of a process it starts, then both stay for a minute. */
const family = `
	const { spawn } = require("node:child_process");
	const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"], { stdio: "ignore" });
	console.log("ids", process.pid, child.pid);
	setTimeout(() => {}, 60_000);
`;

/** Whether a process runs; one that has ended and was not yet collected does not. */
function isRunning(pid: number): boolean {
	try {
		return process.platform === "linux"
			? readFileSync(`/proc/${pid}/cmdline`, "utf8") !== ""
			: process.kill(pid, 0);
	} catch {
		return false;
	}
}

function idsIn(text: string): number[] | undefined {
	return /^ids (\d+) (\d+)$/m.exec(text)?.slice(1).map(Number);
}

test("stop ends the process and what it started", async () => {
	const found = Promise.withResolvers<number[]>();
	const guarded = startGuarded(process.execPath, ["-e", family], {
		onLine: line => {
			const ids = idsIn(line);
			if (ids) {
				found.resolve(ids);
			}
		},
	});
	const ids = await found.promise;
	expect(ids.map(isRunning)).toEqual([true, true]);
	await guarded.stop();
	expect([...ids, guarded.pid].map(isRunning)).toEqual([false, false, false]);
});

test("a process killed outright takes its guarded processes with it", async () => {
	const program = `
		import { startGuarded } from ${JSON.stringify(module.href)};
		const onLine = line => console.log(line);
		startGuarded(process.execPath, ["-e", ${JSON.stringify(family)}], { onLine });
	`;
	const parent = spawn(process.execPath, ["--input-type=module", "-e", program]);
	const found = Promise.withResolvers<number[]>();
	let output = "";
	parent.stdout.on("data", (chunk: Buffer) => {
		output += chunk.toString("utf8");
		const ids = idsIn(output);
		if (ids) {
			found.resolve(ids);
		}
	});
	const ids = await found.promise;
	expect(ids.map(isRunning)).toEqual([true, true]);
	parent.kill("SIGKILL");
	await expect.poll(() => ids.map(isRunning), { timeout: 5_000 }).toEqual([false, false]);
});

test("a command that does not exist is reported and ends the guard", async () => {
	const lines: string[] = [];
	const guarded = startGuarded("no-such-command-of-cutaway", [], {
		onLine: line => lines.push(line),
	});
	await guarded.ended;
	expect(lines.join("\n")).toMatch(/no-such-command-of-cutaway did not start/);
});
