/**
 * The service's generations: their records, their states and the thread that draws them.
 * In: a request for a clip.
 * Out: a generation that can be asked for, and its file.
 */
export type { VideoAssets } from "./assets.ts";
export { bundledVideo } from "./bundledAssets.ts";
export { readRange } from "./byteRange.ts";
export { type ClipJob, renderDataSchema, type RenderResult } from "./clipJob.ts";
export type { GenerationRecord, GenerationRequest } from "./generationRecord.ts";
export type { Generations } from "./generations.ts";
export { openGenerations, type VideoServiceOptions } from "./openGenerations.ts";
export {
	type ClipFault,
	findVideoFailure,
	type GenerationChange,
	requestedFailure,
	type VideoFailureEffect,
	videoFailures,
} from "./videoFailures.ts";
