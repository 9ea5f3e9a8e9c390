import { join } from "node:path";
import { expect, vi } from "vitest";
import type { RemoteEngineKind, VideoEngineSetup } from "../../../../src/common/videoEngines.ts";
import type { NetworkOptions } from "../../../../src/localService/base/publicFetch.ts";
import type { VideoDetail } from "../../../../src/client/contract/schemas.ts";
import { quickClock } from "../../../helpers/quickClock.ts";
import { engineSetup, goodScript, withEngine } from "../../../helpers/videoEngineBench.ts";
import {
	type EngineBench,
	type EngineScript,
	startEngineServer,
} from "../../../helpers/videoEngineServer.ts";
import {
	authorization,
	makeTestFolder,
	startTestService,
	type TestService,
} from "../testService.ts";
import { packageAssets } from "../video/videoFixtures.ts";

const workerFile = new URL("../../../../src/localService/video/render/worker.ts", import.meta.url);

/** A generation as the lookup describes it. */
export interface LookedUp {
	readonly status: string;
	readonly message?: string;
	readonly output?: { readonly video_url: string };
	readonly params: object;
}

/** A local service whose videos a scripted server makes. */
export interface EngineRig {
	readonly server: EngineBench;
	readonly service: TestService;
	readonly folder: string;
	setup: VideoEngineSetup;
	/** Asks for a video; the generation's id. */
	create(body?: object, kind?: "text" | "image"): Promise<string>;
	lookUp(id: string): Promise<LookedUp>;
	/** Looks it up until it is no longer in progress. */
	finished(id: string): Promise<LookedUp>;
	/** What is added to it where that is asked for. */
	details(id: string): Promise<VideoDetail | undefined>;
	/** Starts another service on the same folder, as after a restart. */
	restart(): Promise<EngineRig>;
}

/** Starts an engine's server and a local service that asks it. */
export async function startRig(
	engine: RemoteEngineKind,
	script:
		| ((url: string) => EngineScript)
		| { readonly clip: Uint8Array; readonly changes?: EngineScript },
	options: { readonly setup?: Partial<VideoEngineSetup>; readonly network?: NetworkOptions } = {},
): Promise<EngineRig> {
	const server = await startEngineServer(
		typeof script === "function" ? script : goodScript(engine, script.clip, script.changes),
	);
	const folder = await makeTestFolder();
	const setup = await engineSetup(engine, server.url, folder, options.setup);
	return openRig({ server, folder, setup, network: options.network });
}

/** Opens a local service on a folder, whose videos a server makes that runs already. */
export async function openRig({
	server,
	folder,
	setup,
	network,
}: Pick<EngineRig, "server" | "folder" | "setup"> & {
	readonly network: NetworkOptions | undefined;
}): Promise<EngineRig> {
	const videos = join(folder, "videos");
	const service = await startTestService({
		clock: quickClock,
		videos: {
			folder: videos,
			workerFile,
			assets: packageAssets,
			...withEngine(videos, () => rig.setup, network),
		},
	});
	const get = (path: string): Promise<Response> =>
		fetch(`${service.baseUrl}${path}`, { headers: authorization });
	const rig: EngineRig = {
		server,
		service,
		folder,
		setup,
		create: async (body = { prompt: "A paper boat" }, kind = "text") => {
			const response = await service.post(`/v1/videos/${kind}-to-video`, body);
			const reply = (await response.json()) as { success: boolean; generation_id: string };
			expect(reply).toEqual({ success: true, generation_id: expect.any(String) });
			return reply.generation_id;
		},
		lookUp: async id => {
			const response = await get(`/v1/generations/${id}`);
			expect(response.status).toBe(200);
			return ((await response.json()) as { generation: LookedUp }).generation;
		},
		finished: id =>
			vi.waitFor(
				async () => {
					const generation = await rig.lookUp(id);
					expect(generation.status).not.toBe("in_progress");
					return generation;
				},
				{ timeout: 30_000, interval: 30 },
			),
		details: async id => {
			const headers = { ...authorization, "x-cutaway-details": "1" };
			const response = await fetch(`${service.baseUrl}/v1/generations/${id}`, { headers });
			return ((await response.json()) as { details?: VideoDetail }).details;
		},
		restart: async () => {
			await service.stop();
			return openRig({ server, folder, setup: rig.setup, network });
		},
	};
	return rig;
}

/** The bytes of a finished generation's clip. */
export async function clipBytes({ output }: LookedUp): Promise<Uint8Array> {
	const response = await fetch(output?.video_url ?? "", { headers: authorization });
	expect(response.status).toBe(200);
	return new Uint8Array(await response.arrayBuffer());
}
