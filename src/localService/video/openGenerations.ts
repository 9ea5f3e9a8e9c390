import { availableParallelism } from "node:os";
import type { Clock } from "../../common/async.ts";
import { type ClipLooks, plainLooks } from "../../common/clipLooks.ts";
import type { Log } from "../../common/log.ts";
import type { VideoAssets } from "./assets.ts";
import type { GenerationDesk } from "./generationDesk.ts";
import { Generations } from "./generations.ts";
import { createImageFetch, type FetchImage } from "./imageFetch.ts";
import { createThreadRenderer, type RenderClip } from "./renderThread.ts";

export interface VideoServiceOptions {
	/** Folder of records and clips, which are kept for a day, also after the service stops. */
	readonly folder: string;
	/** The bundle of `video/worker.ts`. */
	readonly workerFile: URL | string;
	readonly assets: VideoAssets;
	/** Wraps the local renderer with server engines. */
	readonly withEngines?: (local: GenerationDesk, clock: Clock, log: Log) => GenerationDesk;
	/** Returns the appearance of new clips; `plainLooks` by default. */
	readonly looks?: () => ClipLooks;
	/** Replaces the rendering thread in tests. */
	readonly render?: RenderClip;
	/** Replaces the network in tests. */
	readonly fetchImage?: FetchImage;
	/** The most generations waiting; 8 by default. */
	readonly maxWaiting?: number;
}

/** Opens the video jobs. Renders one at a time, or two on a machine with four cores or more. */
export function openGenerations(
	options: VideoServiceOptions,
	clock: Clock,
	log: Log,
): GenerationDesk {
	const { workerFile, assets } = options;
	return new Generations({
		folder: options.folder,
		render: options.render ?? createThreadRenderer({ workerFile, assets, clock }),
		fetchImage: options.fetchImage ?? createImageFetch({ clock }),
		looks: options.looks ?? (() => plainLooks),
		clock,
		log,
		concurrency: availableParallelism() >= 4 ? 2 : 1,
		maxWaiting: options.maxWaiting ?? 8,
	});
}
