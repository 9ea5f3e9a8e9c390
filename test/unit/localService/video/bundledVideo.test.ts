// @module-tag thorough
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { silentLog } from "../../../../src/common/log.ts";
import { plainLooks } from "../../../../src/common/clipLooks.ts";
import { LocalWork } from "../../../../src/localService/host/localWork.ts";
import { LocalService } from "../../../../src/localService/host/lifecycle.ts";
import { callReply, startModelServer, textReply } from "../../../helpers/modelServer.ts";
import { readWebm } from "../../../helpers/webm.ts";
import { chatRequest, makeTestFolder } from "../testService.ts";

const root = resolve(import.meta.dirname, "../../../..");
let folder = "";
let out = "";

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cutaway-bundled-"));
	out = join(folder, "dist");
	execFileSync(process.execPath, ["esbuild.js", "--production", "--out", out], { cwd: root });
}, 180_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

test("J19: as packaged, a video outlives the service that made it, and even the window", async () => {
	const dataFolder = await makeTestFolder();
	const openWindow = () => {
		const service = new LocalService({
			workerFile: join(out, "localService.js"),
			dataFolder,
			clock: systemClock,
			log: silentLog,
		});
		onTestFinished(() => service.dispose());
		const request = async (path: string, body?: object): Promise<Response> => {
			const { baseUrl, token } = await service.connect();
			return fetch(path.startsWith("/") ? `${baseUrl}${path}` : path, {
				headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
				...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
			});
		};
		return { service, request };
	};
	const lookUp = async (
		{ request }: ReturnType<typeof openWindow>,
		id: string,
	): Promise<{ status: string; output?: { video_url: string } }> =>
		((await (await request(`/v1/generations/${id}`)).json()) as { generation: never }).generation;

	const first = openWindow();
	const created = await first.request("/v1/videos/text-to-video", { prompt: "A cat", duration: 1 });
	const { generation_id: id } = (await created.json()) as { generation_id: string };
	// Half-way: the service ends while it renders.
	await first.service.restart();
	const generation = await vi.waitFor(
		async () => {
			const found = await lookUp(first, id);
			expect(found.status).toBe("complete");
			return found;
		},
		{ timeout: 50_000, interval: 100 },
	);
	const clip = await first.request(generation.output?.video_url ?? "");
	expect(readWebm(new Uint8Array(await clip.arrayBuffer())).duration).toBeCloseTo(1, 1);

	first.service.dispose();
	const second = openWindow();
	const later = await lookUp(second, id);
	expect(later.status).toBe("complete");
	expect((await second.request(later.output?.video_url ?? "")).status).toBe(200);
}, 90_000);

test("as packaged, a clip's last frame is drawn without the service, and one of damaged looks isn't", async () => {
	const work = new LocalWork({
		workerFile: join(out, "localService.js"),
		dataFolder: await makeTestFolder(),
		clipLooks: () => Promise.resolve(plainLooks),
		clock: systemClock,
	});
	const order = { scenes: [{ prompt: "A cat" }], hasGround: true };
	const { signal } = new AbortController();
	const looks = JSON.stringify({ shape: "1:1", tabSize: 4 });
	const drawn = Buffer.from(await work.drawFrames({ ...order, looks }, signal));
	const header = drawn.toString("utf8", 4, 4 + drawn.readUInt32LE(0));
	expect(JSON.parse(header)).toMatchObject({ width: 1440, height: 1440, durationMs: 2000 });
	await expect(work.drawFrames({ ...order, looks: "{}" }, signal)).rejects.toThrow();
}, 60_000);

test("as packaged, Python runs and pages are asked for", async () => {
	const code = "import csv, json, sqlite3, statistics, zipfile\nstatistics.mean([1, 2])";
	const { url } = await startModelServer([
		callReply("code_interpreter", { code }),
		textReply("Good day"),
	]);
	const servers = [{ name: "lm", baseUrl: `${url}/v1`, headers: {} }];
	const service = new LocalService({
		workerFile: join(out, "localService.js"),
		models: async () => await Promise.resolve({ servers, contextLength: 0 }),
		dataFolder: await makeTestFolder(),
		clock: systemClock,
		log: silentLog,
	});
	onTestFinished(() => service.dispose());
	const { baseUrl, token } = await service.connect();
	const ask = async (tool: string): Promise<string> => {
		const response = await fetch(`${baseUrl}/v1/chat/messages`, {
			method: "POST",
			headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
			body: JSON.stringify(chatRequest("?", { model: "lm/tiny", tools: [tool] })),
		});
		return response.text();
	};
	expect(await ask("code_interpreter")).toContain("```text\\n1.5\\n```");
	expect(await ask("browsing")).toContain("started without browsing");
}, 60_000);
