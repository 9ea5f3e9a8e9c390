import type { Clock } from "../../common/async.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import {
	engineName,
	remoteEngines,
	type RemoteEngineKind,
	type VideoEngineSetup,
	type VideoModelListing,
} from "../../common/videoEngines.ts";
import { type NetworkOptions, createImageFetch } from "../base/publicFetch.ts";
import { GenerationStore } from "../video/generationStore.ts";
import type { GenerationService } from "../video/generationRecord.ts";
import { EngineFailure, EngineServer } from "./engineServer.ts";
import { ComfyUi } from "./comfyUi.ts";
import { EngineGenerations } from "./engineGenerations.ts";
import { OpenRouter } from "./openRouter.ts";
import { createThreadTrim, type TrimClip } from "./trim/trimThread.ts";
import type { VideoEngine } from "./videoEngine.ts";
import { VideosApi } from "./videosApi.ts";

export interface EngineOptions {
	/** The folder of the records, shared with the local renderer. */
	readonly folder: string;
	readonly trimFile: URL | string;
	readonly setup: () => VideoEngineSetup;
	/** Replaces the thread in tests. */
	readonly trim?: TrimClip;
	/** Replaces the network of images and of files on other servers in tests. */
	readonly network?: NetworkOptions;
}

/** Wraps the local renderer so that server engines are used if configured. */
export function openEngines(
	{ folder, trimFile, setup, network, trim }: EngineOptions,
	local: GenerationService,
	clock: Clock,
	log: Log,
): GenerationService {
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

/** Lists the models of the configured engine. A failure becomes a message. Rejects only with `AbortError`. */
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

/** Creates an engine with the key of its origin and no other. Throws `EngineFailure` for an invalid URL. docs/security.md. */
function engineFor(
	kind: RemoteEngineKind,
	baseUrl: string,
	{ headers, workflow }: Pick<VideoEngineSetup, "headers" | "workflow">,
	clock: Clock,
	network?: NetworkOptions,
): VideoEngine {
	const address = baseUrl === "" ? remoteEngines[kind].defaultUrl : baseUrl;
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
