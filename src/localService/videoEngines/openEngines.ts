import type { Clock } from "../../common/async.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import {
	engineName,
	openRouterUrl,
	type RemoteEngineKind,
	type VideoEngineSetup,
	type VideoModelListing,
} from "../../common/videoEngines.ts";
import type { NetworkOptions } from "../base/publicFetch.ts";
import { GenerationStore } from "../video/generationStore.ts";
import { createImageFetch } from "../video/imageFetch.ts";
import type { GenerationDesk } from "../video/generationDesk.ts";
import { EngineFailure } from "./engineFailure.ts";
import { ComfyUi } from "./comfyUi.ts";
import { EngineGenerations } from "./engineGenerations.ts";
import { EngineServer } from "./engineServer.ts";
import { OpenRouter } from "./openRouter.ts";
import { createThreadTrim, type TrimClip } from "./trim/trimThread.ts";
import type { VideoEngine } from "./videoEngine.ts";
import { VideosApi } from "./videosApi.ts";

/** Choices for the engines. */
export interface EngineOptions {
	/** The folder of the records, the same as that of the local renderer's. */
	readonly folder: string;
	/** The bundle of `trim/worker.ts`. */
	readonly trimFile: URL | string;
	readonly setup: () => VideoEngineSetup;
	/** Stands in for the thread. */
	readonly trim?: TrimClip;
	/** Stands in for the network of images and of files at other servers. */
	readonly network?: NetworkOptions;
}

/** Puts the engines that are servers before the local renderer. */
export function openEngines(
	{ folder, trimFile, setup, network, trim }: EngineOptions,
	local: GenerationDesk,
	clock: Clock,
	log: Log,
): GenerationDesk {
	return new EngineGenerations({
		local,
		setup,
		store: new GenerationStore(folder),
		engineOf: work => engineFor(work.kind, work.baseUrl, setup(), clock, network),
		fetchImage: createImageFetch({ clock, ...network }),
		trim: trim ?? createThreadTrim(trimFile, clock),
		clock,
		log,
	});
}

const listMs = 15_000;

/** The models of the engine that is set up; a failure becomes a sentence. Rejects with `AbortError` alone. */
export async function listVideoModels(
	setup: VideoEngineSetup,
	clock: Clock,
	signal: AbortSignal,
): Promise<VideoModelListing> {
	if (setup.engine === "local") {
		return { models: [] };
	}
	try {
		const within = AbortSignal.any([signal, AbortSignal.timeout(listMs)]);
		const models = await engineFor(setup.engine, setup.baseUrl, setup, clock).list(within);
		return { models };
	} catch (error) {
		if (signal.aborted) {
			throw error;
		}
		const isKey = error instanceof EngineFailure && [401, 403].includes(error.status ?? 0);
		const failure = isAbortError(error)
			? `It did not answer within ${listMs / 1000} s.`
			: toError(error).message;
		return { models: [], failure, ...(isKey ? { wantsKey: true } : {}) };
	}
}

/** The engine of a kind at an address, with the key of that address's origin and no other (threat T1). Throws `EngineFailure` for an address that is none. */
function engineFor(
	kind: RemoteEngineKind,
	baseUrl: string,
	{ headers, workflow }: Pick<VideoEngineSetup, "headers" | "workflow">,
	clock: Clock,
	network?: NetworkOptions,
): VideoEngine {
	const address = baseUrl === "" && kind === "openrouter" ? openRouterUrl : baseUrl;
	const origin = URL.canParse(address) ? new URL(address).origin : "";
	const own = Object.hasOwn(headers, origin) ? (headers[origin] ?? {}) : {};
	const server = new EngineServer({
		name: engineName(kind, address),
		baseUrl: address,
		headers: own,
		clock,
		network,
	});
	switch (kind) {
		case "videos-api":
			return new VideosApi(server);
		case "openrouter":
			return new OpenRouter(server);
		case "comfyui":
			return new ComfyUi(server, workflow, own);
	}
}
