import type { ChargeState, ServiceErrorKind } from "../../client/contract/errors.ts";
import type { VideoDetail } from "../../client/contract/details.ts";

/** One video of a storyboard: a prompt of at most 4000 characters, seconds from 1 to 4, motion from 1 to 5. Interface §4.1. */
export interface StoryboardScene {
	readonly prompt: string;
	readonly duration: number;
	readonly motionStrength: number;
}

/** The most scenes of a storyboard, each of which is a video that may be charged. */
export const maxScenes = 12;

/** The storyboard that a job is a scene of, and its place there, counted from 0. */
export interface SceneMembership {
	readonly storyboard: string;
	readonly index: number;
}

/**
 * Request for a video. Duration in seconds (1 to 4) and motion (1 to 5) are the service's own when left out. Interface §4.1, §4.2.
 * A storyboard is never sent: its scenes are, each as a job of its own, and its clip is made of theirs.
 */
export type VideoRequest =
	| {
			readonly kind: "storyboard";
			readonly scenes: readonly StoryboardScene[];
			/** The text that the scenes are one clip of; absent for a storyboard that a user wrote. */
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

/** Where the text of a request came from. */
export interface VideoSource {
	/** Address of the document, as the editor writes it. */
	readonly uri: string;
	/** Name to show, such as `pricing.ts`. */
	readonly name: string;
	/** First and last line of the text, counted from 0. */
	readonly startLine?: number | undefined;
	readonly endLine?: number | undefined;
}

/**
 * The question of a chat that a job belongs to: its card is below that question for as long as both are there. Whatever
 * begins a job on behalf of a chat says so here; nothing about it is written into the chat itself.
 */
export interface JobOrigin {
	readonly chatId: string;
	readonly turnId: string;
}

/** The service a job belongs to for all its life (row J22). */
export interface VideoEndpoint {
	readonly kind: "local" | "remote";
	/** Base address without `/v1`; empty for the local service, whose port changes. */
	readonly baseUrl: string;
	/** Origin of the base address, or `local`. */
	readonly origin: string;
	/** Name to show. */
	readonly label: string;
	/** The server with a model that makes the local service's videos, where one was chosen. */
	readonly engine?: string | undefined;
	/** That server may charge for each video. */
	readonly mayCharge?: boolean | undefined;
}

/** Whether a video there is never charged: the local service made it, with no server behind it that may charge. */
export function isFree({ kind, mayCharge }: Pick<VideoEndpoint, "kind" | "mayCharge">): boolean {
	return kind === "local" && mayCharge !== true;
}

/** Failure of an exchange: raw facts, without key, headers or prompt. */
export interface VideoFailure {
	readonly kind: ServiceErrorKind;
	readonly charge: ChargeState;
	readonly status?: number | undefined;
	readonly serviceMessage?: string | undefined;
	readonly detail?: string | undefined;
	readonly host?: string | undefined;
	/** How long the service asked to wait, in milliseconds. */
	readonly retryAfterMs?: number | undefined;
}

/** Checks that failed in a row (row J5). From the fifth on the job «cannot be checked». */
export interface CheckProblem {
	readonly failure: VideoFailure;
	readonly count: number;
}

/** The forms of video that are recognized by their first bytes (row J14). */
export type ClipFormat = "mp4" | "mov" | "webm" | "matroska" | "gif" | "avi" | "ogg";

/** Why clips were not joined: they differ in codec or size, one cannot be read, or the disk or the machine failed. */
export type NotJoinedReason = "differ" | "unreadable" | "failed";

/** A job's state; a closed list. Times are milliseconds since 1970, sizes bytes. Rows J1–J21. */
export type VideoJobState =
	/** A scene whose storyboard was accepted; it was never sent. */
	| { readonly name: "waiting" }
	/** A storyboard whose scenes may not all have a record yet; none was sent by its click so far. */
	| { readonly name: "recording" }
	/** A storyboard whose clip is to be made of its scenes. */
	| { readonly name: "gathering" }
	/** A storyboard whose scenes are all there, and cannot be one clip without encoding them again, or could not be joined. */
	| { readonly name: "notJoined"; readonly reason: NotJoinedReason; readonly detail: string }
	/** The request is on its way; the record was written before it. */
	| { readonly name: "submitting" }
	/** J1: turned away or never sent; nothing was charged. */
	| { readonly name: "notSubmitted"; readonly failure: VideoFailure }
	/** J2, J3, and without a failure J4 (Cutaway ended before the reply): it may have been charged. */
	| { readonly name: "submissionUnknown"; readonly failure?: VideoFailure | undefined }
	/** J5, J6, J8, J10: the service works on it, as far as is known. */
	| { readonly name: "inProgress"; readonly problem?: CheckProblem | undefined }
	/** J7: a status that the interface does not name; still watched. */
	| {
			readonly name: "unusualStatus";
			readonly status: string;
			/** The status reads like an end without a video, so only `checksLeft` more checks follow, a minute apart. */
			readonly readsLikeFailure: boolean;
			readonly checksLeft: number;
			/** Why, in the service's own words; plain text of at most 500 characters. */
			readonly message?: string | undefined;
			readonly problem?: CheckProblem | undefined;
	  }
	/** J7: the last of those checks found the same. */
	| {
			readonly name: "failedByService";
			readonly status: string;
			readonly message?: string | undefined;
	  }
	/** J11: complete, but no address yet. */
	| { readonly name: "awaitingAddress"; readonly checks: number }
	/** J11: complete, and the service gave no address. */
	| { readonly name: "completeWithoutAddress" }
	/** J15, J16: the clip is being fetched. */
	| {
			readonly name: "downloading";
			readonly received: number;
			readonly total?: number | undefined;
	  }
	/** J12, T27: the clip's address is not one that is fetched. */
	| { readonly name: "addressRefused"; readonly reason: string; readonly address: string }
	/** J13: the address is no longer good, and neither was a fresh one. */
	| { readonly name: "linkExpired"; readonly status: number }
	/** J14: what came is no video. */
	| {
			readonly name: "notAVideo";
			readonly contentType?: string | undefined;
			readonly size: number;
	  }
	/** J17: larger than the limit; `size` is missing when the clip has no stated length. */
	| { readonly name: "tooLarge"; readonly size?: number | undefined; readonly limit: number }
	/** J17: not enough room on the disk. */
	| { readonly name: "noRoom"; readonly needed: number; readonly free: number }
	/** The clip could not be fetched although its address was good (row J15, repeats spent). */
	| { readonly name: "downloadFailed"; readonly failure: VideoFailure }
	/** L6, L7: the clip could not be written; `code` is the system's own, such as `EACCES`. */
	| { readonly name: "cannotSave"; readonly code: string; readonly folder: string }
	/** J10: the service no longer knows the job. */
	| { readonly name: "goneAtService" }
	/** J21, H2: the key of the job's account is missing, another one is set, or the service does not accept it. */
	| { readonly name: "needsKey"; readonly reason: "missing" | "changed" | "refused" }
	/** J5, J6: nobody looks any more, because a user stopped it or after 24 hours. */
	| { readonly name: "watchingStopped"; readonly by: "user" | "time" }
	/** The clip is whole and on this machine's disk. */
	| {
			readonly name: "ready";
			/** Absolute path. */
			readonly file: string;
			readonly size: number;
			readonly format: ClipFormat;
			readonly savedAt: number;
	  };

/** The name of a state. */
export type VideoJobStateName = VideoJobState["name"];

/** Who sends a job's request, so that another window can tell whether it still does (rows J4, J20). */
export interface Submitter {
	readonly pid: number;
	readonly host: string;
	/** Differs for every start of the program, and of a submitter for every request. */
	readonly session: string;
	/** When the request was started, in milliseconds since 1970. */
	readonly since?: number | undefined;
}

/** Cost of following a job so far. */
export interface Watch {
	/** Milliseconds spent watching, by a clock that nobody can set (row J24). */
	readonly watchedMs: number;
	/** Number of the present period of watching; every request of a user to check begins another. */
	readonly round: number;
	/** When the service last reported the job's state. */
	readonly lastCheckedAt?: number | undefined;
	/** The status as it last came, whatever it was; at most 200 characters. */
	readonly rawStatus?: string | undefined;
}

/** Where a job's clip goes. */
export interface ClipTarget {
	/** Absolute path, fixed before the first byte is written. */
	readonly folder: string;
	/** The name that the whole clip is being given, or has. */
	readonly name?: string | undefined;
	/** Bytes of the whole clip, once it has a name. */
	readonly size?: number | undefined;
}

/** One video, from the click to the file. */
export interface VideoJob {
	/** Cutaway's own id; also the name of the record. */
	readonly id: string;
	readonly request: VideoRequest;
	readonly source?: VideoSource | undefined;
	readonly chat?: JobOrigin | undefined;
	readonly scene?: SceneMembership | undefined;
	/** Of a storyboard: the scenes' jobs that its clip was made of, or could not be. */
	readonly joined?: readonly string[] | undefined;
	readonly endpoint: VideoEndpoint;
	/** When the user asked, in milliseconds since 1970; approximate when the clock was changed (row J24). */
	readonly createdAt: number;
	/** How often the request was sent, each time by a click. */
	readonly submissions: number;
	/** Stands for the account without telling its key (row J21); set with the generation id. */
	readonly keyMark?: string | undefined;
	readonly submitter?: Submitter | undefined;
	readonly generationId?: string | undefined;
	readonly state: VideoJobState;
	/** What the local service last told beyond the state. */
	readonly detail?: VideoDetail | undefined;
	readonly watch: Watch;
	readonly target?: ClipTarget | undefined;
	/** The user wants the clip although it is larger than the limit (row J17). */
	readonly ignoresSizeLimit: boolean;
	/** When the user removed the job; it is kept a while for undo. */
	readonly removedAt?: number | undefined;
}

const unfinished: ReadonlySet<VideoJobStateName> = new Set([
	"submitting",
	"inProgress",
	"unusualStatus",
	"awaitingAddress",
	"downloading",
]);

/** Whether something still happens by itself. */
export function isUnfinished(job: VideoJob): boolean {
	return unfinished.has(job.state.name);
}

/** Whether the service is to be asked about the job: unfinished, submitted and not removed. */
export function isWatched(job: VideoJob): boolean {
	return (
		isUnfinished(job) &&
		job.state.name !== "submitting" &&
		job.generationId !== undefined &&
		job.removedAt === undefined
	);
}

/** How long watching may take before the job counts as unusually slow, in milliseconds. Row J6. */
export const unusuallyLongMs = 30 * 60_000;

/** Whether the job is watched for so long that it may never finish. Row J6. */
export function isUnusuallyLong(job: VideoJob): boolean {
	return isWatched(job) && job.watch.watchedMs >= unusuallyLongMs;
}

/** Failed checks in a row from which on a job «cannot be checked». Row J5. */
export const cannotCheckAfter = 5;
