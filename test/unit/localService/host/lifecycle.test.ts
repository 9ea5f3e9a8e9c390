// @module-tag thorough
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Clock, systemClock } from "../../../../src/common/async.ts";
import type { ClipLooks } from "../../../../src/common/clipLooks.ts";
import type { ModelSetup } from "../../../../src/common/modelSetup.ts";
import { type Log, silentLog } from "../../../../src/common/log.ts";
import type { EditorModels } from "../../../../src/common/modelSetup.ts";
import {
	LocalService,
	type LocalServiceConnection,
	LocalServiceError,
	type LocalServiceState,
} from "../../../../src/localService/host/lifecycle.ts";
import { clipThemes } from "../../../pictures/clipThemes.ts";
import { createFakeClock, type FakeClock } from "../../../helpers/fakeClock.ts";
import { dyingWorker, silentWorker, tellingWorker, writeWorker } from "../fixtures.ts";
import { chatRequest, makeTestFolder } from "../testService.ts";

// Threads and processes take their time on a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

/** Logs the settings that it gets, and answers pings. */
const settingsWorker = `
	import { parentPort } from "node:worker_threads";
	parentPort.on("message", message => {
		if (message.type === "settings") {
			parentPort.postMessage({ type: "log", level: "info", line: JSON.stringify(message) });
		} else if (message.type === "ping") {
			parentPort.postMessage({ type: "reply", id: message.id });
		} else if (message.type === "stop") {
			process.exit(0);
		}
	});
	parentPort.postMessage({ type: "listening", port: 1 });
`;

/** Built once, as the extension ships it; `crashingWorker` has one path more, which throws where nothing catches it. */
let workerFile: string;
let crashingWorker: string;

async function bundleWorker(outfile: string, addition: string): Promise<string> {
	const source = fileURLToPath(
		new URL("../../../../src/localService/program/worker.ts", import.meta.url),
	);
	await build({
		stdin: { contents: `import ${JSON.stringify(source)};\n${addition}`, resolveDir: "." },
		bundle: true,
		format: "esm",
		platform: "node",
		outfile,
		logLevel: "silent",
	});
	return outfile;
}

const crashOnRequest = `
	import { Server } from "node:http";
	const emit = Server.prototype.emit;
	Server.prototype.emit = function (name, request, ...rest) {
		if (request?.url === "/crash") process.nextTick(() => { throw new Error("asked to crash"); });
		return emit.call(this, name, request, ...rest);
	};
`;

beforeAll(async () => {
	const folder = await mkdtemp(join(tmpdir(), "cutaway-test-"));
	[workerFile, crashingWorker] = await Promise.all([
		bundleWorker(join(folder, "worker.mjs"), ""),
		bundleWorker(join(folder, "crashing.mjs"), crashOnRequest),
	]);
	return () => rm(folder, { recursive: true, force: true });
});

interface Started {
	readonly service: LocalService;
	readonly states: readonly LocalServiceState[];
	readonly dataFolder: string;
}

async function create(
	options: {
		readonly workerFile?: URL | string;
		readonly clock?: Clock;
		readonly dataFolder?: string;
		readonly log?: Log;
		readonly editorModels?: EditorModels;
		readonly clipLooks?: (prompts: readonly string[]) => Promise<ClipLooks>;
		readonly models?: () => Promise<ModelSetup>;
	} = {},
): Promise<Started> {
	const dataFolder = options.dataFolder ?? (await makeTestFolder());
	const states: LocalServiceState[] = [];
	const service = new LocalService({
		workerFile,
		clock: systemClock,
		log: silentLog,
		...options,
		dataFolder,
	});
	service.onDidChangeState(state => states.push(state));
	onTestFinished(() => service.dispose());
	return { service, states, dataFolder };
}

function ask({ baseUrl, token }: LocalServiceConnection, question: string): Promise<Response> {
	return fetch(`${baseUrl}/v1/chat/messages`, {
		method: "POST",
		headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
		body: JSON.stringify(chatRequest(question)),
	});
}

/** Makes the thread of `crashingWorker` throw, and waits until that was noticed. */
async function crash(service: LocalService, connection: LocalServiceConnection): Promise<void> {
	const crashed = new Promise<void>(resolve => {
		const listener = service.onDidChangeState(() => {
			listener.dispose();
			resolve();
		});
	});
	await fetch(`${connection.baseUrl}/crash`).catch(() => undefined);
	await crashed;
}

async function until(condition: () => boolean): Promise<void> {
	while (!condition()) {
		await wait(5);
	}
}

async function isOpen(baseUrl: string): Promise<boolean> {
	return fetch(baseUrl).then(
		() => true,
		() => false,
	);
}

describe("the local service", () => {
	test("is not started before it is needed", async () => {
		const { service, states } = await create();
		await wait(50);
		expect(service.state).toEqual({ state: "stopped" });
		expect(states).toEqual([]);
	});

	test("starts on the first need and answers", async () => {
		const { service, states } = await create();
		const connection = await service.connect();
		expect(connection.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
		expect(connection.token).toMatch(/^[\w-]{43}$/);
		expect(states).toEqual([
			{ state: "starting" },
			{ state: "running", baseUrl: connection.baseUrl },
		]);
		expect((await ask(connection, "hello")).status).toBe(200);
	});

	test("is started once for all who need it at the same time", async () => {
		const { service, states } = await create();
		const connections = await Promise.all([
			service.connect(),
			service.connect(),
			service.connect(),
		]);
		expect(new Set(connections.map(connection => connection.baseUrl)).size).toBe(1);
		expect(await service.connect()).toEqual(connections[0]);
		expect(states.filter(state => state.state === "starting")).toHaveLength(1);
	});

	test("keeps with a clip how it was to look when it was asked for", async () => {
		const theme = clipThemes["Quiet Light"];
		const font = { families: ["Fira Code", "monospace"], features: { calt: false } };
		let looks: ClipLooks = { shape: "9:16", tabSize: 2, theme, font };
		const asked: (readonly string[])[] = [];
		const { service, dataFolder } = await create({
			clipLooks: async prompts => {
				asked.push(prompts);
				return looks;
			},
		});
		for (const prompt of ["one", "two"]) {
			const { baseUrl, token } = await service.connect();
			await fetch(`${baseUrl}/v1/videos/text-to-video`, {
				method: "POST",
				headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
				body: JSON.stringify({ prompt }),
			});
			looks = { shape: "1:1", tabSize: 8 };
		}
		const folder = join(dataFolder, "local-videos");
		const names = (await readdir(folder)).filter(name => name.endsWith(".json"));
		const records = await Promise.all(
			names.map(async name => JSON.parse(await readFile(join(folder, name), "utf8"))),
		);
		const looksOf = (prompt: string) =>
			records.find(({ params }) => params.prompt === prompt)?.looks;
		expect(looksOf("one")).toEqual({ shape: "9:16", tabSize: 2, theme, font });
		expect(looksOf("two")).toEqual({ shape: "1:1", tabSize: 8 });
		expect(asked).toEqual([["one"], ["two"]]);
	});

	test("sends the settings when they have changed, and all of them to a thread that was started again", async () => {
		const lines: string[] = [];
		const note = (line: string): void => void lines.push(line);
		let contextLength = 100;
		const { service } = await create({
			workerFile: await writeWorker(await makeTestFolder(), settingsWorker),
			models: async () => ({ servers: [], contextLength }),
			log: { debug: note, info: note, warn: note, error: note },
		});
		const lengths = (): unknown[] =>
			lines.flatMap(line => /"contextLength":(\d+)/.exec(line)?.[1] ?? []);
		await service.connect();
		await service.connect();
		contextLength = 200;
		await service.connect();
		await until(() => lengths().length >= 2);
		await service.restart();
		await until(() => lengths().length >= 3);
		expect(lengths()).toEqual(["100", "200", "200"]);
	});

	test("settings that cannot be read fail the connection, not the service", async () => {
		const models = vi.fn(async () => ({ servers: [], contextLength: 0 }));
		models.mockRejectedValueOnce(new Error("locked"));
		const { service } = await create({ models });
		await expect(service.connect()).rejects.toThrow("locked");
		await service.connect();
	});

	test("is gone once disposed, with what it kept, and stays so", async () => {
		const { service, states, dataFolder } = await create();
		const { baseUrl, token } = await service.connect();
		const form = new FormData();
		form.append("file", new Blob(["a"]), "a.txt");
		const headers = { Authorization: `Bearer ${token}` };
		await fetch(`${baseUrl}/v1/files`, { method: "POST", headers, body: form });
		expect(await readdir(dataFolder)).toHaveLength(1);
		service.dispose();
		expect(states.at(-1)).toEqual({ state: "stopped" });
		await expect(service.connect()).rejects.toMatchObject({ name: "AbortError" });
		while (await isOpen(baseUrl)) {
			await wait(5);
		}
		while ((await readdir(dataFolder)).length > 0) {
			await wait(5);
		}
	});

	test("disposed while it starts never runs", async () => {
		const { service, states } = await create();
		const connecting = service.connect();
		service.dispose();
		await expect(connecting).rejects.toMatchObject({ name: "AbortError" });
		await wait(300);
		expect(states.map(state => state.state)).toEqual(["starting", "stopped"]);
	});

	test("restarted has another address or token, and the earlier one is gone", async () => {
		const { service } = await create();
		const before = await service.connect();
		await service.restart();
		const after = await service.connect();
		expect(after.token).not.toBe(before.token);
		expect((await ask(after, "hello")).status).toBe(200);
		const late = await ask(before, "hello").catch(() => undefined);
		expect(late?.status ?? 0).not.toBe(200);
	});

	test("restarted while somebody waits for it is what they get", async () => {
		const { service } = await create();
		const connecting = service.connect();
		await service.restart();
		expect(await connecting).toEqual(await service.connect());
	});

	test("L15: two windows with one folder each have their own", async () => {
		const one = await create();
		const two = await create({ dataFolder: one.dataFolder });
		const [first, second] = await Promise.all([one.service.connect(), two.service.connect()]);
		expect(first.baseUrl).not.toBe(second.baseUrl);
		expect(first.token).not.toBe(second.token);
		const crossed = await ask({ baseUrl: first.baseUrl, token: second.token }, "hello");
		expect(crossed.status).toBe(401);
		one.service.dispose();
		expect((await ask(await two.service.connect(), "hello")).status).toBe(200);
	});

	test("L15: removes what a killed process left, and nothing else", async () => {
		const { service, dataFolder } = await create();
		await service.connect();
		const ended = spawn(process.execPath, ["--eval", ""]);
		await new Promise(resolve => ended.once("exit", resolve));
		const [machine = ""] = /(?<=local-service-).+(?=-\d+-)/.exec(await aFolderName()) ?? [];
		const leftOver = `local-service-${machine}-${ended.pid}-0123456789abcdef`;
		const kept = [
			`local-service-${machine}-${process.pid}-0123456789abcdef`,
			`local-service-elsewhere-${ended.pid}-0123456789abcdef`,
			"chats",
		];
		for (const name of [leftOver, ...kept]) {
			await mkdir(join(dataFolder, name));
			await writeFile(join(dataFolder, name, "a"), "a");
		}
		await service.restart();
		expect((await readdir(dataFolder)).toSorted()).toEqual(kept.toSorted());
	});
});

/** How this machine's folders are called. */
async function aFolderName(): Promise<string> {
	const { newFilesFolder } = await import("../../../../src/localService/base/fileStore.ts");
	return newFilesFolder("");
}

describe("L14: a service that ends by itself", () => {
	async function createCrashing(): Promise<Started & { readonly clock: FakeClock }> {
		const clock = createFakeClock();
		return { ...(await create({ workerFile: crashingWorker, clock })), clock };
	}

	test("is started again at once, with another token", async () => {
		const { service, states } = await createCrashing();
		const before = await service.connect();
		await crash(service, before);
		const after = await service.connect();
		expect(after.token).not.toBe(before.token);
		expect((await ask(after, "hello")).status).toBe(200);
		expect(states.map(state => state.state)).toEqual([
			"starting",
			"running",
			"starting",
			"running",
		]);
	});

	test("ends what it asked of the editor's models", async () => {
		const asked = Promise.withResolvers<void>();
		const ended = Promise.withResolvers<boolean>();
		const { service } = await create({
			workerFile: crashingWorker,
			editorModels: {
				answer: async (_request, _onPart, signal) => {
					signal.addEventListener("abort", () => ended.resolve(true));
					asked.resolve();
					return await new Promise<never>(() => {});
				},
			},
		});
		const connection = await service.connect();
		const { baseUrl, token } = connection;
		const answer = fetch(`${baseUrl}/v1/chat/messages`, {
			method: "POST",
			headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
			body: JSON.stringify(chatRequest("hello", { model: "vscode/acme/large" })),
		});
		await asked.promise;
		await Promise.all([crash(service, connection), expect(answer).rejects.toThrow()]);
		expect(await ended.promise).toBe(true);
	});

	test("T22: gives its port to nobody: whoever takes it sees no prompt and no token", async () => {
		const { service } = await createCrashing();
		const before = await service.connect();
		await crash(service, before);
		const heard: string[] = [];
		const squatter = createServer((request, response) => {
			heard.push(String(request.headers.authorization));
			response.end("{}");
		});
		onTestFinished(() => void squatter.close());
		const port = Number(new URL(before.baseUrl).port);
		await new Promise<void>(resolve => squatter.listen(port, "127.0.0.1", resolve));
		expect((squatter.address() as AddressInfo).port).toBe(port);
		const after = await service.connect();
		expect(after.baseUrl).not.toBe(before.baseUrl);
		expect((await ask(after, "hello")).status).toBe(200);
		expect(heard).toEqual([]);
	});

	test("is started again three times a minute and no more, until restarted", async () => {
		const { service, states } = await createCrashing();
		for (let round = 0; round < 3; round += 1) {
			await crash(service, await service.connect());
		}
		await crash(service, await service.connect());
		expect(service.state.state).toBe("failed");
		await expect(service.connect()).rejects.toThrow(LocalServiceError);
		await expect(service.connect()).rejects.toThrow(
			/stopped 4 times within a minute.*Trying again restarts it.*asked to crash/,
		);
		expect(states.filter(state => state.state === "starting")).toHaveLength(4);
		await service.restart();
		expect((await ask(await service.connect(), "hello")).status).toBe(200);
		// What happened before the restart counts no more.
		await crash(service, await service.connect());
		expect((await ask(await service.connect(), "hello")).status).toBe(200);
	});

	test("is forgiven what is more than a minute ago", async () => {
		const { service, clock } = await createCrashing();
		for (let round = 0; round < 6; round += 1) {
			await crash(service, await service.connect());
			await service.connect();
			await clock.advance(25_000);
		}
		expect(service.state.state).toBe("running");
	});

	test("that cannot even start fails with its last lines and without its token", async () => {
		const lines: string[] = [];
		const write = (line: string): number => lines.push(line);
		const log: Log = { debug: write, info: write, warn: write, error: write };
		const folder = await makeTestFolder();
		const { service } = await create({ workerFile: await writeWorker(folder, tellingWorker), log });
		const failure = await service.connect().catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(LocalServiceError);
		const { logLines, message } = failure as LocalServiceError;
		expect(logLines).toHaveLength(20);
		expect(logLines.at(-1)).toContain("The local service stopped: token [redacted]");
		expect([...logLines, ...lines, message].join("\n")).not.toMatch(/[\w-]{43}/);
		expect(service.state).toEqual({ state: "failed", message, logLines });
	});

	test.each(["token", "filesFolder"])("without its %s listens nowhere", async missing => {
		const folder = await makeTestFolder();
		const names = ["filesFolder", "videosFolder", "callsFolder", "modelsFolder"];
		const folders = Object.fromEntries(names.map(name => [name, join(folder, name)]));
		const worker = new Worker(workerFile, {
			workerData: { token: "t".repeat(32), ...folders, [missing]: "" },
		});
		onTestFinished(async () => void (await worker.terminate()));
		const first = await new Promise(resolve => {
			worker.once("message", resolve);
			worker.once("error", error => resolve(error.message));
		});
		expect(first).toBe("The local service starts only with a token and its folders.");
	});

	test.each([
		["that throws", async (folder: string) => writeWorker(folder, dyingWorker), "born dead"],
		["that is not there", async (folder: string) => join(folder, "none.mjs"), "Cannot find module"],
	])("a worker %s fails with the reason", async (_name, prepare, reason) => {
		const file = await prepare(await makeTestFolder());
		const { service, states } = await create({ workerFile: file });
		await expect(service.connect()).rejects.toThrow(reason);
		expect(states.map(state => state.state)).toEqual(["starting", "failed"]);
	});

	test("a worker that never listens is given up after 15 s", async () => {
		const clock = createFakeClock();
		const folder = await makeTestFolder();
		const file = await writeWorker(folder, "setInterval(() => undefined, 1000);");
		const { service } = await create({ workerFile: file, clock });
		let failure: unknown;
		service.connect().catch((error: unknown) => (failure = error));
		for (let start = 0; start < 4; start += 1) {
			await until(() => clock.pending === 1);
			await clock.advance(15_000);
		}
		await until(() => failure !== undefined);
		expect(String(failure)).toContain("silent for 15 s");
	});

	test("a thread that hangs is ended after 5 s and replaced", async () => {
		const clock = createFakeClock();
		const folder = await makeTestFolder();
		const { service, states } = await create({
			workerFile: await writeWorker(folder, silentWorker),
			clock,
		});
		const connecting = service.connect();
		connecting.catch(() => undefined);
		await until(() => service.state.state === "running");
		await until(() => clock.pending === 1);
		await clock.advance(5_000);
		await until(() => states.length >= 4);
		expect(states.map(state => state.state).slice(0, 4)).toEqual([
			"starting",
			"running",
			"starting",
			"running",
		]);
	});
});

describe("T24, L15: never an orphan", () => {
	/** A process that starts the service, prints its address, and stays. */
	async function startHost(): Promise<{ readonly host: ChildProcess; readonly baseUrl: string }> {
		const folder = await makeTestFolder();
		const script = join(folder, "host.ts");
		const module = new URL("../../../../src/localService/host/lifecycle.ts", import.meta.url).href;
		const clockModule = new URL("../../../../src/common/async.ts", import.meta.url).href;
		const logModule = new URL("../../../../src/common/log.ts", import.meta.url).href;
		await writeFile(
			script,
			`
			import { LocalService } from ${JSON.stringify(module)};
			import { systemClock } from ${JSON.stringify(clockModule)};
			import { silentLog } from ${JSON.stringify(logModule)};
			const service = new LocalService({
				workerFile: ${JSON.stringify(workerFile)},
						dataFolder: ${JSON.stringify(join(folder, "data"))},
				clock: systemClock,
				log: silentLog,
			});
			const { baseUrl } = await service.connect();
			if (!process.argv.includes("--leave")) setInterval(() => undefined, 1000);
			console.log(baseUrl);
			`,
		);
		const host = spawn(process.execPath, [script, ...hostArguments], {
			stdio: ["ignore", "pipe", "inherit"],
		});
		onTestFinished(() => void host.kill("SIGKILL"));
		const baseUrl = await new Promise<string>(resolve =>
			host.stdout?.once("data", data => resolve(String(data).trim())),
		);
		return { host, baseUrl };
	}

	let hostArguments: readonly string[] = [];

	test("a killed host takes the service with it", async () => {
		hostArguments = [];
		const { host, baseUrl } = await startHost();
		expect(await isOpen(baseUrl)).toBe(true);
		const killedAt = performance.now();
		host.kill("SIGKILL");
		while (await isOpen(baseUrl)) {
			await wait(10);
		}
		expect(performance.now() - killedAt).toBeLessThan(15_000);
	});

	test("a host with nothing left to do is not kept alive", async () => {
		hostArguments = ["--leave"];
		const { host, baseUrl } = await startHost();
		const code = await new Promise(resolve => host.once("exit", resolve));
		expect(code).toBe(0);
		expect(await isOpen(baseUrl)).toBe(false);
	});
});

test("a file that Python wrote is found by its id alone, and none while the service is stopped", async () => {
	const { service, dataFolder } = await create();
	expect(await service.writtenFile(`file-${"a".repeat(22)}`)).toBeUndefined();
	const { baseUrl, token } = await service.connect();
	const form = new FormData();
	form.append("file", new Blob(["42"]), "a.txt");
	const headers = { Authorization: `Bearer ${token}` };
	const sent = await fetch(`${baseUrl}/v1/files`, { method: "POST", headers, body: form });
	const { file_id: id } = (await sent.json()) as { file_id: string };
	expect(await readFile((await service.writtenFile(id)) ?? "", "utf8")).toBe("42");
	await writeFile(join(dataFolder, "secret"), "x");
	expect(await service.writtenFile("../secret")).toBeUndefined();
	expect(await service.writtenFile(`file-${"c".repeat(22)}`)).toBeUndefined();
});

test("the lifecycle is free of the server, as it lives in the extension's bundle", async () => {
	const result = await build({
		entryPoints: [
			fileURLToPath(new URL("../../../../src/localService/host/lifecycle.ts", import.meta.url)),
		],
		bundle: true,
		format: "esm",
		platform: "node",
		write: false,
		metafile: true,
		logLevel: "silent",
	});
	const inputs = Object.keys(result.metafile.inputs).filter(name => name.includes("src/"));
	expect(inputs.some(name => /server|route|engine|demo|worker\.ts/.test(name))).toBe(false);
});

describe("downloads of models", () => {
	/** An Ollama that has started and waits for the test. */
	async function openOllama(): Promise<{
		readonly baseUrl: string;
		readonly closed: Promise<void>;
		readonly end: () => void;
	}> {
		const closed = Promise.withResolvers<void>();
		let end = (): void => undefined;
		const server = createServer((_request, response) => {
			response.on("close", () => closed.resolve());
			response.write('{"status":"pulling a","digest":"a","total":9,"completed":3}\n');
			end = () => response.end('{"status":"success"}\n');
		});
		await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
		onTestFinished(() => {
			server.closeAllConnections();
			server.close();
		});
		const { port } = server.address() as AddressInfo;
		return { baseUrl: `http://127.0.0.1:${port}`, closed: closed.promise, end: () => end() };
	}

	test("come with progress through the thread, and Cancel reaches Ollama", async () => {
		const { service } = await create();
		const first = await openOllama();
		const progress: unknown[] = [];
		const pulled = service.pullModel(
			{ kind: "ollama", baseUrl: first.baseUrl, model: "m" },
			told => {
				progress.push(told);
				first.end();
			},
			new AbortController().signal,
		);
		expect(await pulled).toBeUndefined();
		expect(progress[0]).toEqual({ stage: "downloading", completedBytes: 3, totalBytes: 9 });
		const second = await openOllama();
		const stopper = new AbortController();
		const canceled = service.pullModel(
			{ kind: "ollama", baseUrl: second.baseUrl, model: "m" },
			() => stopper.abort(),
			stopper.signal,
		);
		await expect(canceled).rejects.toMatchObject({ name: "AbortError" });
		await second.closed;
	});

	test("end with the window, and with the service when it stops by itself", async () => {
		const { service } = await create({ workerFile: crashingWorker });
		const { baseUrl, closed } = await openOllama();
		const connection = await service.connect();
		const pulled = service.pullModel(
			{ kind: "ollama", baseUrl, model: "m" },
			() => void crash(service, connection),
			new AbortController().signal,
		);
		expect(await pulled).toMatchObject({ reason: "lost" });
		await closed;
		const other = await openOllama();
		const left = service.pullModel(
			{ kind: "ollama", baseUrl: other.baseUrl, model: "m" },
			() => service.dispose(),
			new AbortController().signal,
		);
		expect(await left).toMatchObject({ reason: "lost" });
		await other.closed;
	});
});
