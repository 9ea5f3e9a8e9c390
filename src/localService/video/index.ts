/**
 * The service's generations: their records, their states and the thread that draws them.
 * In: a request for a clip.
 * Out: a generation that can be asked for, and its file.
 */
export type { VideoAssets } from "./assets.ts";
export { bundledVideo } from "./bundledAssets.ts";
export { readRange } from "./byteRange.ts";
export { type ClipJob, renderDataSchema, type RenderResult } from "./clipJob.ts";
export {
	clipFormats,
	type EngineWork,
	type GenerationOutcome,
	type GenerationRecord,
	type GenerationRequest,
	type StoredFormat,
} from "./generationRecord.ts";
export type { GenerationDesk } from "./generationDesk.ts";
export { defaultOptions } from "./generations.ts";
export { GenerationStore } from "./generationStore.ts";
export { createImageFetch, type FetchImage, ImageFetchError } from "./imageFetch.ts";
export { openGenerations, type VideoServiceOptions } from "./openGenerations.ts";
export {
	type ClipFault,
	findVideoFailure,
	type GenerationChange,
	requestedFailure,
	type VideoFailureEffect,
	videoFailures,
} from "./videoFailures.ts";
