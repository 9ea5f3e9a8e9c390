// @module-tag thorough
import { join } from "node:path";
import { beforeAll, describe, vi } from "vitest";
import { remoteEngineKinds } from "../../../../src/common/videoEngines.ts";
import { quickClock } from "../../../helpers/quickClock.ts";
import { clipOfBytes } from "../../../helpers/sampleClip.ts";
import { engineSetup, goodScript, withEngine } from "../../../helpers/videoEngineBench.ts";
import { startEngineServer } from "../../../helpers/videoEngineServer.ts";
import { videoRouteRules } from "../http/videoRouteRules.ts";
import { makeTestFolder, startTestService } from "../testService.ts";
import { packageAssets } from "../video/videoFixtures.ts";

vi.setConfig({ testTimeout: 60_000 });

const workerFile = new URL("../../../../src/localService/video/render/worker.ts", import.meta.url);
let clip: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
	clip = await clipOfBytes(1000);
});

describe.each(remoteEngineKinds)("%s", engine => {
	videoRouteRules(
		async ({ isStuck = false, clock = quickClock } = {}) => {
			const silent = { "*": [{ ending: "open" as const }] };
			const server = await startEngineServer(isStuck ? () => silent : goodScript(engine, clip));
			const folder = await makeTestFolder();
			const setup = await engineSetup(engine, server.url, folder);
			const videos = join(folder, "videos");
			return startTestService({
				videos: {
					folder: videos,
					workerFile,
					assets: packageAssets,
					render: async () => ({ type: "clip", bytes: clip }),
					...withEngine(videos, () => setup),
				},
				clock,
			});
		},
		() => clip,
	);
});
