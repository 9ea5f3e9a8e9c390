/**
 * A video job as plain values: its states, the pure steps between them, when to ask again, what a failure means.
 * In: what the service answered.
 * Out: the next state of the job.
 */
export { clipName, type ClipName } from "./clipName.ts";
export { Account, type AccountDependencies, keyNeededReason } from "./account.ts";
export { rawStatusOf, readGeneration } from "./generationReading.ts";
export {
	type DownloadEnding,
	type StoryboardEvent,
	transition,
	type VideoJobEvent,
} from "./jobTransitions.ts";
export { maxPollsAtOnce, nextPollMs, staggerMs } from "./pollSchedule.ts";
export { videoFailureOf } from "./videoFailure.ts";
export {
	cannotCheckAfter,
	type JobOrigin,
	type CheckProblem,
	type ClipFormat,
	type ClipTarget,
	isFree,
	isUnfinished,
	isUnusuallyLong,
	isWatched,
	maxScenes,
	type NotJoinedReason,
	type StoryboardScene,
	type Submitter,
	type VideoEndpoint,
	type VideoFailure,
	type VideoJob,
	type VideoJobState,
	type VideoJobStateName,
	type VideoRequest,
	type VideoSource,
} from "./videoJob.ts";
