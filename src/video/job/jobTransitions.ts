import type { VideoDetail } from "../../client/contract/schemas.ts";
import type { FailureFacts } from "../../client/contract/serviceError.ts";
import { assertNever } from "../../common/errors.ts";
import {
	type GenerationReading,
	addressPauses,
	failureChecks,
	maxNotFoundAnswers,
	stopAfterMs,
} from "./generationReading.ts";
import {
	type CheckProblem,
	type ClipTarget,
	isUnfinished,
	isWatched,
	type Submitter,
	type VideoJob,
	type VideoJobState,
	type Watch,
} from "./videoJob.ts";

export type DownloadEnding = Extract<
	VideoJobState,
	{
		name:
			| "ready"
			| "addressRefused"
			| "linkExpired"
			| "notAVideo"
			| "tooLarge"
			| "noRoom"
			| "downloadFailed"
			| "cannotSave";
	}
>;

/** Events of a storyboard. `scenes` are the ids of the jobs whose clips are joined. */
export type StoryboardEvent =
	| { readonly type: "scenesRecorded" }
	| { readonly type: "joinStarted"; readonly scenes: readonly string[] }
	| {
			readonly type: "joinNamed";
			readonly scenes: readonly string[];
			readonly target: ClipTarget;
	  }
	| {
			readonly type: "joinEnded";
			readonly scenes: readonly string[];
			readonly ending: Extract<VideoJobState, { name: "ready" | "notJoined" }>;
	  }
	/** The user requested another attempt. */
	| { readonly type: "joinRequested" };

/** Events of a job. `round` is the watching period of the event; events of an earlier round are ignored. */
export type VideoJobEvent =
	| { readonly type: "submitStarted"; readonly submitter: Submitter }
	| {
			readonly type: "submitted";
			readonly session: string;
			readonly generationId: string;
			readonly keyMark: string;
	  }
	| { readonly type: "submitFailed"; readonly session: string; readonly failure: FailureFacts }
	/** The program that sent the request has ended without recording a reply. */
	| { readonly type: "submitterLost"; readonly session: string }
	| {
			readonly type: "polled";
			readonly round: number;
			readonly at: number;
			readonly watchedMs: number;
			readonly rawStatus: string | undefined;
			readonly reading: GenerationReading;
			readonly detail?: VideoDetail | undefined;
	  }
	| {
			readonly type: "pollFailed";
			readonly round: number;
			readonly watchedMs: number;
			readonly failure: FailureFacts;
	  }
	| {
			readonly type: "keyNeeded";
			readonly round: number;
			readonly reason: "missing" | "changed" | "refused";
	  }
	| { readonly type: "targetChosen"; readonly round: number; readonly target: ClipTarget }
	| {
			readonly type: "downloadProgressed";
			readonly round: number;
			readonly received: number;
			readonly total: number | undefined;
	  }
	| { readonly type: "downloadEnded"; readonly round: number; readonly ending: DownloadEnding }
	/** A window takes over the job of one that is gone. `from` and `by` are the follower before and after. */
	| {
			readonly type: "takenOver";
			readonly from: Submitter | undefined;
			readonly by: Submitter;
	  }
	| { readonly type: "watchStopped" }
	| { readonly type: "watchRequested"; readonly ignoresSizeLimit?: boolean }
	| StoryboardEvent
	| { readonly type: "removed"; readonly at: number }
	| { readonly type: "restored" };

/** Returns the job after an event, or the same object. Late events don't change finished jobs; only the user restarts one. */
export function transition(job: VideoJob, event: VideoJobEvent): VideoJob {
	switch (event.type) {
		case "submitStarted":
			return canSubmit(job) ? submitting(job, event.submitter) : job;
		case "submitted":
		case "submitFailed":
		case "submitterLost":
			return isFromSubmitter(job, event.session) ? afterSubmit(job, event) : job;
		case "takenOver":
			return job.follower?.window === event.from?.window ? { ...job, follower: event.by } : job;
		case "watchStopped":
			return isWatched(job) ? withState(job, { name: "watchingStopped", by: "user" }) : job;
		case "watchRequested":
			return watchAgain(job, event.ignoresSizeLimit ?? job.ignoresSizeLimit);
		case "scenesRecorded":
		case "joinStarted":
		case "joinNamed":
		case "joinEnded":
		case "joinRequested":
			return job.request.kind === "storyboard" ? afterStoryboard(job, event) : job;
		case "removed":
			return job.removedAt === undefined ? { ...job, removedAt: event.at } : job;
		case "restored":
			return job.removedAt === undefined ? job : { ...job, removedAt: undefined };
		default:
			return isCurrent(job, event.round) ? afterWatch(job, event) : job;
	}
}

/** Whether a click may send the job's request. */
export function canSubmit(job: VideoJob): boolean {
	return ["waiting", "notSubmitted", "submissionUnknown"].includes(job.state.name);
}

/** Ignores events of a join other than the last one started. */
function afterStoryboard(job: VideoJob, event: StoryboardEvent): VideoJob {
	switch (event.type) {
		case "scenesRecorded":
			return job.state.name === "recording" ? withState(job, { name: "gathering" }) : job;
		case "joinStarted":
			return { ...job, state: { name: "gathering" }, joined: event.scenes, target: undefined };
		case "joinNamed":
			return isSame(job.joined, event.scenes) ? { ...job, target: event.target } : job;
		case "joinEnded":
			return isSame(job.joined, event.scenes) ? withState(job, event.ending) : job;
		case "joinRequested":
			return job.state.name === "notJoined" ? withState(job, { name: "gathering" }) : job;
		default:
			return assertNever(event);
	}
}

function isSame(one: readonly string[] | undefined, other: readonly string[]): boolean {
	return one?.join(" ") === other.join(" ");
}

type SubmitOutcome = Extract<
	VideoJobEvent,
	{ type: "submitted" | "submitFailed" | "submitterLost" }
>;
type WatchEvent = Extract<VideoJobEvent, { round: number }>;

/** A reply also counts after the job was declared lost, so that no received id is discarded. */
function isFromSubmitter(job: VideoJob, session: string): boolean {
	return (
		job.submitter?.session === session &&
		(job.state.name === "submitting" || job.state.name === "submissionUnknown")
	);
}

function isCurrent(job: VideoJob, round: number): boolean {
	return isWatched(job) && job.watch.round === round;
}

function submitting(job: VideoJob, submitter: Submitter): VideoJob {
	return {
		...job,
		submitter,
		follower: undefined,
		keyMark: undefined,
		submissions: job.submissions + 1,
		state: { name: "submitting" },
	};
}

function afterSubmit(job: VideoJob, event: SubmitOutcome): VideoJob {
	switch (event.type) {
		case "submitted":
			return {
				...job,
				generationId: event.generationId,
				keyMark: event.keyMark,
				state: { name: "inProgress" },
				watch: { watchedMs: 0, round: job.watch.round + 1 },
			};
		case "submitFailed": {
			const { failure } = event;
			const name = failure.charge === "unknown" ? "submissionUnknown" : "notSubmitted";
			return withState(job, { name, failure });
		}
		case "submitterLost":
			return job.state.name === "submitting" ? withState(job, { name: "submissionUnknown" }) : job;
		default:
			return assertNever(event);
	}
}

function watchAgain(job: VideoJob, ignoresSizeLimit: boolean): VideoJob {
	if (job.generationId === undefined) {
		return job;
	}
	const { lastCheckedAt, rawStatus, round } = job.watch;
	return {
		...job,
		ignoresSizeLimit,
		state: { name: "inProgress" },
		watch: { watchedMs: 0, round: round + 1, lastCheckedAt, rawStatus },
	};
}

function afterWatch(job: VideoJob, event: WatchEvent): VideoJob {
	switch (event.type) {
		case "polled": {
			const watch: Watch = {
				watchedMs: event.watchedMs,
				round: event.round,
				lastCheckedAt: event.at,
				rawStatus: event.rawStatus,
			};
			const detail = event.detail ?? job.detail;
			const state = afterReading(job, event.reading);
			return stoppedByTime({ ...job, watch, state, detail });
		}
		case "pollFailed":
			return stoppedByTime({
				...job,
				watch: { ...job.watch, watchedMs: event.watchedMs },
				state: afterFailure(job.state, event.failure),
			});
		case "keyNeeded":
			return withState(job, { name: "needsKey", reason: event.reason });
		case "targetChosen":
			return { ...job, target: event.target };
		case "downloadProgressed":
			return withState(job, {
				name: "downloading",
				received: event.received,
				total: event.total,
			});
		case "downloadEnded":
			return withState(job, event.ending);
		default:
			return assertNever(event);
	}
}

function afterReading({ state }: VideoJob, reading: GenerationReading): VideoJobState {
	switch (reading.kind) {
		case "inProgress":
			return { name: "inProgress" };
		case "nothing":
			return afterNothing(state);
		case "complete":
			return state.name === "downloading"
				? state
				: { name: "downloading", received: 0, total: undefined };
		case "completeWithoutAddress":
			return withoutAddress(state);
		case "unusual":
			return afterUnusual(state, reading);
		default:
			return assertNever(reading);
	}
}

/** Keeps the last state. While waiting for an address, counts the attempt, so that waiting ends. */
function afterNothing(state: VideoJobState): VideoJobState {
	if (state.name === "awaitingAddress") {
		return withoutAddress(state);
	}
	return "problem" in state ? { ...state, problem: undefined } : state;
}

function withoutAddress(state: VideoJobState): VideoJobState {
	const checks = state.name === "awaitingAddress" ? state.checks + 1 : 0;
	return checks >= addressPauses.length
		? { name: "completeWithoutAddress" }
		: { name: "awaitingAddress", checks };
}

function afterUnusual(
	state: VideoJobState,
	{ status, readsLikeFailure, message }: Extract<GenerationReading, { kind: "unusual" }>,
): VideoJobState {
	const words = message === undefined ? {} : { message };
	const isRepeated = state.name === "unusualStatus" && state.readsLikeFailure;
	const checksLeft = isRepeated ? state.checksLeft - 1 : failureChecks;
	return readsLikeFailure && checksLeft <= 0
		? { name: "failedByService", status, ...words }
		: { name: "unusualStatus", status, readsLikeFailure, checksLeft, ...words };
}

function afterFailure(state: VideoJobState, failure: FailureFacts): VideoJobState {
	const before = "problem" in state ? state.problem : undefined;
	const isSame = before?.failure.kind === "notFound" || failure.kind !== "notFound";
	const problem: CheckProblem = { failure, count: isSame ? (before?.count ?? 0) + 1 : 1 };
	if (failure.kind === "notFound" && problem.count >= maxNotFoundAnswers) {
		return { name: "goneAtService" };
	}
	return state.name === "unusualStatus" ? { ...state, problem } : { name: "inProgress", problem };
}

function stoppedByTime(job: VideoJob): VideoJob {
	const isWaiting = isUnfinished(job) && job.state.name !== "downloading";
	return isWaiting && job.watch.watchedMs >= stopAfterMs
		? withState(job, { name: "watchingStopped", by: "time" })
		: job;
}

function withState(job: VideoJob, state: VideoJobState): VideoJob {
	return { ...job, state };
}
