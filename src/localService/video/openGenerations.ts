import { availableParallelism } from "node:os";
import type { Clock } from "../../common/async.ts";
import { type ClipLooks, plainLooks } from "../../common/clipLooks.ts";
import type { Log } from "../../common/log.ts";
import type { VideoAssets } from "./assets.ts";
import type { GenerationDesk } from "./generationDesk.ts";
import { Generations } from "./generations.ts";
import { createImageFetch, type FetchImage } from "./imageFetch.ts";
import { createThreadRenderer, type RenderClip } from "./renderThread.ts";

/** Settings of the service's videos. */
export interface VideoServiceOptions {
	/** Folder for records and clips; they are kept for a day, also when the service stops. */
	readonly folder: string;
	/** The bundle of `video/worker.ts`. */
	readonly workerFile: URL | string;
	readonly assets: VideoAssets;
	/** Puts engines that are servers of their own before the local renderer. */
	readonly withEngines?: (local: GenerationDesk, clock: Clock, log: Log) => GenerationDesk;
	/** How a clip that is asked for now is to look; plain where it is left out. */
	readonly looks?: () => ClipLooks;
	/** Stands in for the rendering thread. */
	readonly render?: RenderClip;
	/** Stands in for the network. */
	readonly fetchImage?: FetchImage;
	/** Generations that may wait; 8 by default. */
	readonly maxWaiting?: number;
}

/** Opens the video jobs: one is rendered at a time, two where the machine has four cores or more. */
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
