import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { machineName } from "../../../../src/localService/base/fileStore.ts";
import { engineKey } from "../../../helpers/videoEngineBench.ts";
import { sampleClip } from "../../../helpers/sampleClip.ts";
import { openRig, startRig } from "./engineRig.ts";

vi.setConfig({ testTimeout: 30_000 });

let clip: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
	clip = await sampleClip({ seconds: 2 });
});

/** Writes the record of a video whose program ended before it sent anything, and gives its id. */
async function abandoned(
	folder: string,
	baseUrl: string,
	engine: object = {},
	fields: object = {},
): Promise<string> {
	const id = `gen-${"a".repeat(22)}`;
	await mkdir(join(folder, "videos"), { recursive: true });
	const record = {
		id,
		type: "text-to-video",
		params: { prompt: "A fox", duration: 2 },
		createdAt: Date.now(),
		owner: { machine: machineName(), pid: 2 ** 22 + 1, run: "gone" },
		engine: {
			kind: "openrouter",
			baseUrl,
			model: "wan",
			prompt: "A fox",
			seconds: 2,
			mark: randomUUID(),
			seed: 1,
			...engine,
		},
		...fields,
	};
	await writeFile(join(folder, "videos", `${id}.json`), JSON.stringify(record));
	return id;
}

test("two windows that take over one video at the same moment send it once", async () => {
	const rig = await startRig("openrouter", { clip });
	const other = await openRig({ ...rig, network: undefined });
	const id = await abandoned(rig.folder, rig.server.url);
	await Promise.all([rig.lookUp(id), other.lookUp(id)]);
	await vi.waitFor(() => expect(rig.server.orders).toHaveLength(1));
	await new Promise(resolve => setTimeout(resolve, 300));
	expect(rig.server.orders).toHaveLength(1);
});

test("a video whose request was sent and not answered is not sent again, and says what that may mean", async () => {
	const rig = await startRig("openrouter", { clip });
	const id = await abandoned(rig.folder, rig.server.url, { sentAt: Date.now() });
	const done = await rig.finished(id);
	expect(done).toMatchObject({
		status: "failed",
		message: expect.stringMatching(/closed before the answer.*may have been accepted, and charged/),
	});
	expect(rig.server.orders).toEqual([]);
});

test("a video whose id is on disk goes on with it, without a request for another", async () => {
	const rig = await startRig("openrouter", { clip });
	const remote = { id: "job-1" };
	const id = await abandoned(rig.folder, rig.server.url, { sentAt: Date.now(), remote });
	expect((await rig.finished(id)).status).toBe("complete");
	expect(rig.server.orders).toEqual([]);
});

test("a video of hours is left to the window that works on it, until that window is silent", async () => {
	const rig = await startRig("openrouter", { clip });
	const owner = { machine: machineName(), pid: process.ppid, run: "other" };
	const minutesAgo = (count: number): number => Date.now() - count * 60_000;
	const engine = { sentAt: minutesAgo(180), remote: { id: "job-1" } };
	const fields = { owner, createdAt: minutesAgo(180), aliveAt: minutesAgo(6) };
	const id = await abandoned(rig.folder, rig.server.url, engine, fields);
	expect((await rig.lookUp(id)).status).toBe("in_progress");
	expect(await rig.details(id)).not.toHaveProperty("stage");
	await abandoned(rig.folder, rig.server.url, engine, { ...fields, aliveAt: minutesAgo(60) });
	expect((await rig.finished(id)).status).toBe("complete");
});

test("a window that closes waits for the answer of a request on its way, so that its id is kept", async () => {
	const rig = await startRig("openrouter", {
		clip,
		changes: {
			"POST /api/v1/videos": [
				{ afterMs: 300, body: { id: "job-1", polling_url: "/api/v1/videos/job-1" } },
			],
		},
	});
	const id = await rig.create();
	await vi.waitFor(() => expect(rig.server.orders).toHaveLength(1));
	const stopping = rig.service.stop();
	await new Promise(resolve => setTimeout(resolve, 600));
	await stopping;
	const later = await openRig({ ...rig, network: undefined });
	expect((await later.finished(id)).status).toBe("complete");
	expect(rig.server.orders).toHaveLength(1);
});

test("T1: a key that is another server's goes nowhere", async () => {
	const rig = await startRig("openrouter", { clip });
	rig.setup = {
		...rig.setup,
		headers: { "https://other.example.com": { authorization: `Bearer ${engineKey}` } },
	};
	expect((await rig.finished(await rig.create())).status).toBe("complete");
	expect(rig.server.calls.length).toBeGreaterThan(2);
	expect(rig.server.calls.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
});

test("a key that is set while a video is made counts from the next look on", async () => {
	const rig = await startRig("openrouter", {
		clip,
		changes: {
			"GET /api/v1/videos/job-1": call =>
				call.headers.authorization?.includes("new-key")
					? { body: { id: "job-1", status: "completed" } }
					: { status: 401, body: { error: { message: "Expired" } } },
		},
	});
	const id = await rig.create();
	await vi.waitFor(async () =>
		expect(await rig.details(id)).toMatchObject({
			note: expect.stringMatching(/didn't accept the key/),
		}),
	);
	expect((await rig.lookUp(id)).status).toBe("in_progress");
	const origin = new URL(rig.server.url).origin;
	rig.setup = { ...rig.setup, headers: { [origin]: { authorization: "Bearer new-key" } } };
	expect((await rig.finished(id)).status).toBe("complete");
});

test("more videos than a server should have at once are asked to wait", async () => {
	const rig = await startRig("openrouter", () => ({ "*": [{ ending: "open" }] }));
	const ask = () => rig.service.post("/v1/videos/text-to-video", { prompt: "A fox" });
	const answers = await Promise.all(Array.from({ length: 40 }, ask));
	const later = await ask();
	expect(
		answers.map(({ status }) => status).filter(status => status === 200).length,
	).toBeGreaterThanOrEqual(32);
	expect(later.status).toBe(429);
	expect(later.headers.get("retry-after")).toBe("10");
});
