// @module-tag thorough
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { type RemoteEngineKind, remoteEngineKinds } from "../../../../src/common/videoEngines.ts";
import { bundleProgram } from "../../../helpers/bundledProgram.ts";
import { createRandom } from "../../../helpers/random.ts";
import { sampleClip } from "../../../helpers/sampleClip.ts";
import { engineSetup } from "../../../helpers/videoEngineBench.ts";
import {
	type EngineBench,
	type EngineCall,
	type EngineReply,
	startEngineServer,
} from "../../../helpers/videoEngineServer.ts";
import { makeTestFolder } from "../testService.ts";
import { clipBytes, openRig } from "./engineRig.ts";

/** A few by default, to be quick; `CUTAWAY_KILLS=200` proves more. */
const kills = Number(process.env["CUTAWAY_KILLS"] ?? 4);
const videosOfOne = 3;

let program: string;
beforeAll(async () => {
	const folder = await mkdtemp(join(tmpdir(), "cutaway-test-"));
	program = await bundleProgram("videoEngineProcess", folder);
	return () => rm(folder, { recursive: true });
});

interface Order {
	readonly id: string;
	readonly mark: string;
	readonly prompt: string;
}

/** A server that takes every order, and tells of those it has as its kind does. */
function memoryOf(engine: RemoteEngineKind, clip: Uint8Array) {
	const orders: Order[] = [];
	const random = createRandom(11);
	const add = (call: EngineCall): Order => {
		const body = JSON.parse(call.body) as Record<string, unknown>;
		const order = {
			id: engine === "comfyui" ? String(body["prompt_id"]) : `id-${orders.length}`,
			mark: String(call.headers["idempotency-key"]),
			prompt: JSON.stringify(body["prompt"]),
		};
		orders.push(order);
		return order;
	};
	const reply = (call: EngineCall): EngineReply => {
		const path = call.url.split("?", 1)[0] ?? "";
		const afterMs = random.below(25);
		const known = orders.find(({ id }) => path.includes(id));
		if (call.method === "POST") {
			const { id } = add(call);
			return { afterMs, body: engine === "comfyui" ? { prompt_id: id } : { id, status: "queued" } };
		}
		if (path === "/queue") {
			const entries = orders.map(({ id }) => [0, id, {}, {}, []]);
			return { body: { queue_running: [], queue_pending: entries } };
		}
		if (path === "/history") {
			return { body: {} };
		}
		if (path.endsWith("/content") || path === "/view") {
			return { afterMs, body: clip };
		}
		if (path.endsWith("/videos")) {
			const created_at = Math.round(Date.now() / 1000);
			return {
				body: {
					data: orders.map(({ id, prompt }) => ({
						id,
						prompt: JSON.parse(prompt) as unknown,
						created_at,
					})),
				},
			};
		}
		if (!known) {
			return { status: 404, body: {} };
		}
		return engine === "comfyui"
			? {
					afterMs,
					body: {
						[known.id]: { outputs: { "1": { gifs: [{ filename: "a.mp4", type: "output" }] } } },
					},
				}
			: { afterMs, body: { id: known.id, status: "completed" } };
	};
	return { orders, reply };
}

test.each(remoteEngineKinds)(
	"%s: killed between answer and disk, no video is ordered twice and none with an id is forgotten",
	async engine => {
		const clip = await sampleClip({ seconds: 2 });
		const { orders, reply } = memoryOf(engine, clip);
		const server = await startEngineServer(() => ({ "*": reply }));
		const folder = await makeTestFolder();
		const random = createRandom(5);
		const kept: string[] = [];
		for (let kill = 0; kill < kills; kill += 1) {
			kept.push(...(await runUntilKilled(engine, folder, server, random.below(70))));
		}
		const before = orders.length;
		const setup = await engineSetup(engine, server.url, folder);
		const rig = await openRig({ server, folder, setup, network: undefined });
		const done = await Promise.all(kept.map(id => rig.finished(id)));
		expect(kept.length).toBeGreaterThan(0);
		// What was not on its way when it was killed may still be sent; what was is not sent again.
		expect(new Set(orders.map(({ mark }) => mark)).size).toBe(orders.length);
		expect(orders.length - before).toBeLessThanOrEqual(kept.length - done.filter(isLost).length);
		for (const generation of done) {
			if (generation.status === "complete") {
				expect(Buffer.from(await clipBytes(generation)).equals(Buffer.from(clip))).toBe(true);
			} else {
				expect(generation.message).toMatch(/may have been accepted, and charged/);
			}
		}
		// A server that can be asked what it was sent loses none of what it took.
		const lost = done.filter(isLost).map(({ params }) => params as { readonly prompt: string });
		if (engine !== "openrouter") {
			const taken = lost.filter(({ prompt }) =>
				orders.some(order => order.prompt.includes(prompt)),
			);
			expect(taken).toEqual([]);
		}
	},
	60_000 + kills * 10_000,
);

const isLost = ({ status }: { readonly status: string }): boolean => status === "failed";

/** Starts a service that asks for videos, and kills it so many milliseconds after the server has taken the first; the ids it was given. */
async function runUntilKilled(
	engine: RemoteEngineKind,
	folder: string,
	server: EngineBench,
	afterMs: number,
): Promise<readonly string[]> {
	const ordered = server.orders.length;
	const child = spawn(
		process.execPath,
		[program, folder, engine, server.url, String(videosOfOne)],
		{
			stdio: ["ignore", "pipe", "inherit"],
		},
	);
	let text = "";
	child.stdout.on("data", (data: Buffer) => {
		text += data.toString("utf8");
	});
	const closed = new Promise(resolve => child.once("close", resolve));
	const end = performance.now() + 20_000;
	while (server.orders.length === ordered && performance.now() < end) {
		await delay(1);
	}
	await delay(afterMs);
	child.kill("SIGKILL");
	await closed;
	return [...text.matchAll(/^kept (\S+)$/gm)].map(([, id = ""]) => id);
}
