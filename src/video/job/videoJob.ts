import { type FailureFacts, ServiceError } from "../../client/contract/errors.ts";
import type { VideoDetail } from "../../client/contract/schemas.ts";
import { toError } from "../../common/errors.ts";

/** One video of a storyboard: a prompt of up to 4000 characters, 1 to 4 seconds, motion 1 to 5. docs/interface.md §4.1. */
export interface StoryboardScene {
	readonly prompt: string;
	readonly duration: number;
	readonly motionStrength: number;
}

/** The most scenes of a storyboard. Each is a video that may be charged. */
export const maxScenes = 12;

/** The storyboard of a scene's job, and the scene's index from 0. */
interface SceneMembership {
	readonly storyboard: string;
	readonly index: number;
}

/**
 * A video request. Without a duration in seconds (1 to 4) or motion (1 to 5), the service's defaults apply. docs/interface.md §4.1, §4.2. A
 * storyboard itself is never sent. Each of its scenes is sent as a separate job, and their clips are joined.
 */
export type VideoRequest =
	| {
			readonly kind: "storyboard";
			readonly scenes: readonly StoryboardScene[];
			/** The text that was split into the scenes; absent if the user wrote the storyboard. */
			readonly text?: string | undefined;
			readonly duration?: undefined;
			readonly motionStrength?: undefined;
	  }
	| {
			readonly kind: "text";
			readonly prompt: string;
			readonly duration?: number | undefined;
			readonly motionStrength?: number | undefined;
	  }
	| {
			readonly kind: "image";
			readonly imageUrl: string;
			readonly duration?: number | undefined;
			readonly motionStrength?: number | undefined;
	  };

/** Origin of a request's text. */
export interface VideoSource {
	/** Document URI as the editor writes it. */
	readonly uri: string;
	/** Display name, such as `pricing.ts`. */
	readonly name: string;
	/** First and last line, counted from 0. */
	readonly startLine?: number | undefined;
	readonly endLine?: number | undefined;
}

/** The chat question that a job belongs to. The job's card appears below it. The chat itself doesn't store the connection. */
export interface JobOrigin {
	readonly chatId: string;
	readonly turnId: string;
}

/** The service of a job. Never changes. */
export interface VideoEndpoint {
	readonly kind: "local" | "remote";
	/** Base URL without `/v1`; empty for the local service, whose port changes. */
	readonly baseUrl: string;
	/** Origin of the base URL, or `local`. */
	readonly origin: string;
	/** Display name. */
	readonly label: string;
	/** The server with a model behind the local service, if one is configured. */
	readonly engine?: string | undefined;
	readonly mayCharge?: boolean | undefined;
}

/** Whether videos of an endpoint are free: made by the local service without a server that may charge. */
export function isFree({ kind, mayCharge }: Pick<VideoEndpoint, "kind" | "mayCharge">): boolean {
	return kind === "local" && mayCharge !== true;
}

/** Consecutive failed checks. From `cannotCheckAfter` on, the user is informed. */
export interface CheckProblem {
	readonly failure: FailureFacts;
	readonly count: number;
}

/** Video formats recognized by their first bytes. */
export type ClipFormat = "mp4" | "mov" | "webm" | "matroska" | "gif" | "avi" | "ogg";

/** Why clips were not joined: codec or size differ, one is unreadable, or the disk or the thread failed. */
export type NotJoinedReason = "differ" | "unreadable" | "failed";

/** State of a job. Times are milliseconds since 1970, sizes bytes. docs/faults.md. */
export type VideoJobState =
	/** A scene of an accepted storyboard that was never sent. */
	| { readonly name: "waiting" }
	/** A storyboard whose scenes may not all have records yet. None was sent. */
	| { readonly name: "recording" }
	/** A storyboard that waits for its scenes' clips. */
	| { readonly name: "gathering" }
	/** A storyboard whose clips could not be joined, or not without encoding them again. */
	| { readonly name: "notJoined"; readonly reason: NotJoinedReason; readonly detail: string }
	/** The request is being sent. The record was written before. */
	| { readonly name: "submitting" }
	/** Rejected or never sent; not charged. */
	| { readonly name: "notSubmitted"; readonly failure: FailureFacts }
	/** May have been charged. Without a failure: Cutaway ended before the reply. */
	| { readonly name: "submissionUnknown"; readonly failure?: FailureFacts | undefined }
	/** In progress, as far as is known. */
	| { readonly name: "inProgress"; readonly problem?: CheckProblem | undefined }
	/** An undocumented status. Watching continues. */
	| {
			readonly name: "unusualStatus";
			readonly status: string;
			/** The status reads like a failure. Only `checksLeft` more checks follow, a minute apart. */
			readonly readsLikeFailure: boolean;
			readonly checksLeft: number;
			/** The service's explanation, plain text of at most 500 characters. */
			readonly message?: string | undefined;
			readonly problem?: CheckProblem | undefined;
	  }
	/** The last of those checks had the same result. */
	| {
			readonly name: "failedByService";
			readonly status: string;
			readonly message?: string | undefined;
	  }
	/** Complete, but without an address yet. */
	| { readonly name: "awaitingAddress"; readonly checks: number }
	| { readonly name: "completeWithoutAddress" }
	| {
			readonly name: "downloading";
			readonly received: number;
			readonly total?: number | undefined;
	  }
	/** Cutaway doesn't download from the clip's address. */
	| { readonly name: "addressRefused"; readonly reason: string; readonly address: string }
	/** The address has expired, and so has a new one. */
	| { readonly name: "linkExpired"; readonly status: number }
	| {
			readonly name: "notAVideo";
			readonly contentType?: string | undefined;
			readonly size: number;
	  }
	/** Larger than the limit. `size` is undefined if the service stated no length. */
	| { readonly name: "tooLarge"; readonly size?: number | undefined; readonly limit: number }
	/** Not enough disk space. */
	| { readonly name: "noRoom"; readonly needed: number; readonly free: number }
	| { readonly name: "downloadFailed"; readonly failure: FailureFacts }
	/** The clip could not be written. `code` is the system's error code, such as `EACCES`. */
	| { readonly name: "cannotSave"; readonly code: string; readonly folder: string }
	| { readonly name: "goneAtService" }
	/** The key of the job's account is missing, was replaced, or was rejected by the service. */
	| { readonly name: "needsKey"; readonly reason: "missing" | "changed" | "refused" }
	/** Watching was stopped by the user, or after 24 hours. */
	| { readonly name: "watchingStopped"; readonly by: "user" | "time" }
	/** The complete clip is on this machine's disk. */
	| {
			readonly name: "ready";
			/** Absolute path. */
			readonly file: string;
			readonly size: number;
			readonly format: ClipFormat;
			readonly savedAt: number;
	  };

export type VideoJobStateName = VideoJobState["name"];

/** The program that sends a job's request, so that other windows can tell whether it still runs. */
export interface Submitter {
	readonly pid: number;
	readonly host: string;
	/** Unique for every start of the program, and for every request. */
	readonly session: string;
	/** Start of the request, in milliseconds since 1970. */
	readonly since?: number | undefined;
}

export interface Watch {
	/** Milliseconds spent watching, by a monotonic clock. */
	readonly watchedMs: number;
	/** Number of the current watching period. Every check that a user requests starts another. */
	readonly round: number;
	/** When the service last reported the status. */
	readonly lastCheckedAt?: number | undefined;
	/** The last status as received; at most 200 characters. */
	readonly rawStatus?: string | undefined;
}

export interface ClipTarget {
	/** Absolute path, fixed before the download starts. */
	readonly folder: string;
	/** The final name, set just before the file gets it. */
	readonly name?: string | undefined;
	/** Size of the complete clip, set with the name. */
	readonly size?: number | undefined;
}

export interface VideoJob {
	/** Cutaway's own id and the name of the record. */
	readonly id: string;
	readonly request: VideoRequest;
	readonly source?: VideoSource | undefined;
	readonly chat?: JobOrigin | undefined;
	readonly scene?: SceneMembership | undefined;
	/** For a storyboard: the jobs of the last join. */
	readonly joined?: readonly string[] | undefined;
	readonly endpoint: VideoEndpoint;
	/** When the user requested it, in milliseconds since 1970 of the wall clock. */
	readonly createdAt: number;
	/** The number of times the request was sent, each by a click. */
	readonly submissions: number;
	/** Identifies the account without revealing its key. Set with the generation id. */
	readonly keyMark?: string | undefined;
	readonly submitter?: Submitter | undefined;
	readonly generationId?: string | undefined;
	readonly state: VideoJobState;
	/** Further details of the local service's last report. */
	readonly detail?: VideoDetail | undefined;
	readonly watch: Watch;
	readonly target?: ClipTarget | undefined;
	/** Whether to download the clip even if it exceeds the size limit. */
	readonly ignoresSizeLimit: boolean;
	/** When the user removed the job. The record is kept for a while, to undo this. */
	readonly removedAt?: number | undefined;
}

const unfinished: ReadonlySet<VideoJobStateName> = new Set([
	"submitting",
	"inProgress",
	"unusualStatus",
	"awaitingAddress",
	"downloading",
]);

/** Whether the job's state will still change without the user. */
export function isUnfinished(job: VideoJob): boolean {
	return unfinished.has(job.state.name);
}

/** Whether to check the job's status: unfinished, submitted and not removed. */
export function isWatched(job: VideoJob): boolean {
	return (
		isUnfinished(job) &&
		job.state.name !== "submitting" &&
		job.generationId !== undefined &&
		job.removedAt === undefined
	);
}

/** Watched time after which a job counts as unusually slow, in milliseconds. */
const unusuallyLongMs = 30 * 60_000;

export function isUnusuallyLong(job: VideoJob): boolean {
	return isWatched(job) && job.watch.watchedMs >= unusuallyLongMs;
}

/** Consecutive failed checks after which the user is informed. */
export const cannotCheckAfter = 5;

/** Extracts the facts of a failed request for the record. Errors other than `ServiceError` count as possibly charged. */
export function videoFailureOf(thrown: unknown): FailureFacts {
	if (!(thrown instanceof ServiceError)) {
		return { kind: "unreadable", charge: "unknown", detail: toError(thrown).name };
	}
	return thrown.facts;
}
