import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { makeCacheFolder, projectRoot } from "../../scripts/project.ts";
import { answered, answers, ask } from "./chatView.ts";
import { openWorkbench } from "./workbench.ts";

/** Command line of a process under Linux, empty when it has just ended. */
function commandLine(pid: string): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
	} catch {
		// It ended between the listing and the reading.
		return "";
	}
}

/** Command lines of every process of the machine; a small Linux has no `ps`, macOS no `/proc`. */
function commandLines(): string[] {
	if (process.platform !== "linux") {
		return execFileSync("ps", ["-A", "-o", "args="], { encoding: "utf8" }).split("\n");
	}
	return readdirSync("/proc")
		.filter(name => /^\d+$/.test(name))
		.map(commandLine);
}

function processesNaming(folder: string): string[] {
	return commandLines().filter(line => line.includes(folder));
}

/** Resolves with the address that `npm start` prints; throws with all it printed when it ends without one. */
async function printedAddress(npm: ChildProcess): Promise<string> {
	const output: string[] = [];
	const found = Promise.withResolvers<string>();
	const hear = (chunk: Buffer): void => {
		output.push(chunk.toString("utf8"));
		const address = /http:\/\/127\.0\.0\.1:\d+\/\S+(?=\s)/.exec(output.join(""))?.[0];
		if (address !== undefined) {
			found.resolve(address);
		}
	};
	npm.stdout?.on("data", hear);
	npm.stderr?.on("data", hear);
	npm.on("close", () => found.reject(new Error(`npm start ended early:\n${output.join("")}`)));
	return found.promise;
}

// Process groups and `ps` are POSIX; on Windows the tree is ended by taskkill, which this test cannot watch.
test.skip(process.platform === "win32", "needs process groups");

test("npm start opens the sample with the chat, answers a question, and Ctrl+C ends every process", async ({
	page,
}) => {
	const folder = await mkdtemp(join(await makeCacheFolder("runs"), "npm-start-"));
	const withoutScreen = { ...process.env, DISPLAY: "", WAYLAND_DISPLAY: "" };
	const args = ["start", "--", "--web", "--no-open", "--port", "0", "--data", folder];
	// A group of its own, so that the signal reaches npm and its script alike, as Ctrl+C in a terminal does.
	const npm = spawn("npm", args, { cwd: projectRoot, env: withoutScreen, detached: true });
	const closed = once(npm, "close");
	try {
		const address = await printedAddress(npm);
		const workbench = await openWorkbench(page, { address, folder, theme: "light" });
		const chat = await workbench.chatFrame();
		await ask(chat, "What can you do?");
		await answered(chat);
		await expect(answers(chat).first()).toContainText(/\w/);
		expect(processesNaming(folder).length).toBeGreaterThan(1);
		await workbench.screenshot("npm-start");
	} finally {
		if (npm.pid !== undefined && npm.exitCode === null) {
			process.kill(-npm.pid, "SIGINT");
		}
		await closed;
	}
	await expect.poll(() => processesNaming(folder)).toEqual([]);
	await rm(folder, { recursive: true, force: true });
});
