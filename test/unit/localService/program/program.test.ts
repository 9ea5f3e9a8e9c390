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
import { localEngineSetup } from "../../../../src/common/videoEngines.ts";
import { startModelServer, textReply } from "../../../helpers/modelServer.ts";
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

	test("answers the interface with a real model, its key from the environment, and keeps its data", async () => {
		const model = await startModelServer([textReply("Good day")], {
			"/v1/models": { data: [{ id: "tiny" }] },
		});
		const data = await makeTestFolder();
		process.env["CUTAWAY_TEST_KEY"] = "sk-of-this-test";
		onTestFinished(() => void delete process.env["CUTAWAY_TEST_KEY"]);
		const running = await run(
			"--models",
			model.url,
			"--key-from",
			"CUTAWAY_TEST_KEY",
			"--model",
			"tiny",
			"--data",
			data,
			"--verbose",
		);
		const name = `${new URL(model.url).host.replace(":", "-")}/tiny`;
		expect(running.output()).toContain(`Ask ${name}:`);
		expect(running.output()).toContain(
			`behind that of the server: ${name.replace("tiny", "MODEL")}\n`,
		);
		const headers = {
			Authorization: `Bearer ${running.token}`,
			"Content-Type": "application/json",
		};
		for (const asked of ["llm-4-turbo", name]) {
			const messages = [{ role: "user", content: "Hi" }];
			const response = await fetch(`${running.baseUrl}/v1/chat/messages`, {
				method: "POST",
				headers,
				body: JSON.stringify({
					model: asked,
					messages,
				}),
			});
			expect(await response.json()).toMatchObject({
				messages: [{ role: "assistant", content: "Good day" }],
			});
		}
		expect(model.requests.map(request => request["model"])).toEqual(["tiny", "tiny"]);
		const video = await fetch(`${running.baseUrl}/v1/videos/text-to-video`, {
			method: "POST",
			headers,
			body: JSON.stringify({
				prompt: "Hi",
				duration: 1,
			}),
		});
		expect(video.status).toBe(200);
		await running.stop("SIGINT");
		expect(await readdir(data)).toEqual(["local-videos"]);
		expect(`${running.output()}${running.errors()}`).not.toContain("sk-of-this-test");
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
			options: {
				port: 0,
				token: undefined,
				isVerbose: false,
				model: undefined,
				dataFolder: undefined,
				models: {
					servers: [],
					contextLength: 0,
				},
				video: localEngineSetup,
			},
		});
	});

	test("give each server its own key, and no other", () => {
		const parsed = parseOptions(
			[
				"--models",
				"http://127.0.0.1:11434",
				"--models",
				"https://api.example.com/v1",
				"--key-from",
				"A",
				"--videos",
				"videos-api=http://192.168.1.20:8000/v1",
				"--video-model",
				"wan",
			],
			{ A: "secret" },
		);
		expect(parsed).toMatchObject({
			options: {
				models: {
					servers: [
						{ name: "127.0.0.1-11434", baseUrl: "http://127.0.0.1:11434", headers: {} },
						{ name: "api.example.com", headers: { authorization: "Bearer secret" } },
					],
				},
				video: {
					engine: "videos-api",
					baseUrl: "http://192.168.1.20:8000/v1",
					model: "wan",
					headers: {},
				},
			},
		});
	});

	test.each([
		[["--models", "http://models.example.com"], "https, or http in your own network"],
		[["--models", "box"], "https, or http in your own network"],
		[["--model", "tiny"], "--model needs the server"],
		[["--videos", "comfyui=http://127.0.0.1:8188"], "--videos must be"],
		[["--key-from", "A"], "--key-from comes after"],
		[["--models", "http://127.0.0.1:1", "--key-from", "NOT_SET"], "NOT_SET is empty"],
		[["--models", "http://box:1", "--key-from", "A"], "not sent to box:1 unencrypted"],
		[["--port", "65536"], "--port must be a whole number from 0 to 65535"],
		[["--port", "-1"], "--port"],
		[["--port", "http"], "--port"],
		[["--port="], "--port"],
		[["--token", "short"], "16 characters or more"],
		[["--token", "with spaces in between"], "16 characters or more"],
		[["extra"], "extra"],
	])("%j are wrong", (args, message) => {
		const parsed = parseOptions(args, { A: "secret" });
		expect(parsed).toEqual({ type: "wrong", message: expect.stringContaining(message) });
	});
});

test("the commands are quoted for the shell of the platform", () => {
	const windows = describeAddress("http://127.0.0.1:1", "t", "win32");
	expect(windows).toContain(String.raw`-d "{\"model\":\"llm-4-turbo-tools\"`);
	expect(windows).not.toContain("'");
});
