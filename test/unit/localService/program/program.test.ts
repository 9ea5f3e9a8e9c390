// @module-tag thorough
import { execFile, spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import {
	describeAddress,
	parseOptions,
} from "../../../../src/localService/program/programOptions.ts";
import { makeTestFolder } from "../testService.ts";

// Processes take their time on a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let program: string;

beforeAll(async () => {
	const folder = await mkdtemp(join(tmpdir(), "cutaway-test-"));
	program = join(folder, "service.mjs");
	await build({
		entryPoints: [
			fileURLToPath(new URL("../../../../src/localService/program/program.ts", import.meta.url)),
		],
		bundle: true,
		format: "esm",
		platform: "node",
		outfile: program,
		logLevel: "silent",
	});
	return () => rm(folder, { recursive: true, force: true });
});

interface Running {
	readonly baseUrl: string;
	readonly token: string;
	readonly output: () => string;
	readonly errors: () => string;
	readonly folder: string;
	stop(signal: NodeJS.Signals): Promise<number | null>;
}

async function run(...args: readonly string[]): Promise<Running> {
	const folder = await makeTestFolder();
	const child = spawn(process.execPath, [program, ...args], {
		env: { ...process.env, TMPDIR: folder, TEMP: folder },
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	let output = "";
	let errors = "";
	child.stderr.on("data", data => (errors += String(data)));
	await new Promise<void>((resolve, reject) => {
		child.stdout.on("data", data => {
			output += String(data);
			if (output.includes("Press Ctrl+C")) {
				resolve();
			}
		});
		child.once("exit", code => reject(new Error(`Ended with ${code}: ${errors}`)));
	});
	return {
		baseUrl: /Address +(\S+)/.exec(output)?.[1] ?? "",
		token: /Token +(\S+)/.exec(output)?.[1] ?? "",
		output: () => output,
		errors: () => errors,
		folder,
		stop: signal =>
			new Promise(resolve => {
				child.once("exit", resolve);
				child.kill(signal);
			}),
	};
}

/** Runs a line of the output as a user would paste it. */
function paste(line: string): Promise<string> {
	return new Promise((resolve, reject) => {
		execFile(
			"sh",
			["-c", line],
			{ cwd: join(import.meta.dirname, "../../../..") },
			(error, stdout) => (error ? reject(error) : resolve(stdout)),
		);
	});
}

function lineAfter(output: string, title: string): string {
	const lines = output.split("\n");
	return lines[lines.indexOf(title) + 1]?.trim() ?? "";
}

describe("npm run service", () => {
	test.each(["SIGINT", "SIGTERM"] as const)("serves until %s and leaves nothing", async signal => {
		const { baseUrl, token, stop, output, folder } = await run();
		expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
		expect(token).toMatch(/^[\w-]{43}$/);
		const headers = { Authorization: `Bearer ${token}` };
		const form = new FormData();
		form.append("file", new Blob(["a"]), "a.txt");
		const upload = await fetch(`${baseUrl}/v1/files`, { method: "POST", headers, body: form });
		expect(upload.status).toBe(200);
		expect(await readdir(folder)).toHaveLength(1);
		// A request that is under way must not keep it.
		const open = request(`${baseUrl}/v1/chat/messages`, {
			method: "POST",
			headers: { ...headers, "Content-Type": "application/json", Expect: "100-continue" },
		});
		open.on("error", () => undefined);
		open.flushHeaders();
		await once(open, "continue");
		expect(await stop(signal)).toBe(0);
		expect(output().endsWith("Stopped.\n")).toBe(true);
		expect(await readdir(folder)).toEqual([]);
		await expect(fetch(baseUrl)).rejects.toThrow();
	});

	test.skipIf(process.platform === "win32")("prints commands that work when pasted", async () => {
		const { output, stop } = await run();
		const question = lineAfter(output(), "Ask the built-in demo, which is no language model:");
		const answer = await paste(`${question} -s`);
		expect(answer).toContain("No model is set up");
		expect(answer.endsWith("data: [DONE]\n\ndata: [END]\n\n")).toBe(true);
		const upload = lineAfter(output(), "Upload a file:").replace("README.md", "package.json");
		expect(JSON.parse(await paste(`${upload} -s`))).toMatchObject({ success: true });
		await stop("SIGTERM");
	});

	test("takes a port and a token, and tells its requests without the token", async () => {
		const token = "a-token-of-my-own-choice";
		const port = await freePort();
		const running = await run("--port", String(port), "--token", token, "--verbose");
		expect(running.baseUrl).toBe(`http://127.0.0.1:${port}`);
		const url = `${running.baseUrl}/v1/generations/none`;
		const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
		expect(response.status).toBe(404);
		await running.stop("SIGINT");
		expect(running.errors()).toContain("Request refused status=404");
		expect(running.errors()).not.toContain(token);
	});

	test("L14: says that a port is taken", async () => {
		const { baseUrl } = await run();
		await expect(run("--port", new URL(baseUrl).port)).rejects.toThrow(
			/Ended with 1: The local service could not start: .*EADDRINUSE/,
		);
	});

	test("says which option is wrong", async () => {
		await expect(run("--prot", "1")).rejects.toThrow(/Ended with 2: .*--prot[\s\S]*Usage:/);
	});

	test("--help explains itself", async () => {
		const help = await new Promise<string>(resolve => {
			execFile(process.execPath, [program, "--help"], (_error, stdout) => resolve(stdout));
		});
		for (const option of ["--port", "--token", "--verbose"]) {
			expect(help).toContain(option);
		}
	});
});

async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise(resolve => server.close(resolve));
	return port;
}

describe("the options", () => {
	test("have defaults", () => {
		expect(parseOptions([])).toEqual({
			type: "serve",
			options: { port: 0, token: undefined, isVerbose: false },
		});
	});

	test.each([
		[["--port", "65536"], "--port must be a whole number from 0 to 65535"],
		[["--port", "-1"], "--port"],
		[["--port", "http"], "--port"],
		[["--port="], "--port"],
		[["--token", "short"], "16 characters or more"],
		[["--token", "with spaces in between"], "16 characters or more"],
		[["extra"], "extra"],
	])("%j are wrong", (args, message) => {
		const parsed = parseOptions(args);
		expect(parsed).toEqual({ type: "wrong", message: expect.stringContaining(message) });
	});
});

test("the commands are quoted for the shell of the platform", () => {
	const windows = describeAddress("http://127.0.0.1:1", "t", "win32");
	expect(windows).toContain(String.raw`-d "{\"model\":\"llm-4-turbo-tools\"`);
	expect(windows).not.toContain("'");
});
