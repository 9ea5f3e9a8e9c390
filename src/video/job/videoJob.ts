import * as z from "zod/mini";
import { type FailureFacts, ServiceError } from "../../client/contract/serviceError.ts";
import { failureSchema, videoDetailSchema } from "../../client/contract/schemas.ts";
import { markLater, readScene, type SceneSpan, sceneSeconds } from "../../clip/clipLength.ts";
import { toError } from "../../common/errors.ts";

const time = z.number();
const size = z.number().check(z.minimum(0));
const count = z.int().check(z.minimum(0));
const text = z.string();
const maybeNumber = z.optional(z.number());
const maybeText = z.optional(text);

/** Makes every level of a record's type read-only. Only transitions make a changed job. */
type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** The most scenes of a storyboard. Each is a video that may be charged. */
export const maxScenes = 12;

/** A scene of a storyboard: a prompt of up to 4000 characters, motion 1 to 5, and 1 to 4 seconds, or 12 if the local renderer draws it in parts. */
const sceneSchema = z.object({ prompt: text, duration: z.int(), motionStrength: z.int() });
export type StoryboardScene = DeepReadonly<z.infer<typeof sceneSchema>>;

const options = {
	duration: z.optional(z.int()),
	motionStrength: z.optional(z.int()),
};

/** An option that a storyboard doesn't have, because its scenes have it. A record that has a value remains readable. */
// oxlint-disable-next-line promise/valid-params -- this `catch` is zod's
const ignored = z.catch(z.optional(z.undefined()), undefined);

/**
 * A video request. Without a duration in seconds (1 to 4) or motion (1 to 5), the service's defaults apply. docs/interface.md §4.1, §4.2. A
 * storyboard itself is never sent. Each of its scenes is sent as a separate job, and their clips are joined.
 */
const requestSchema = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("text"), prompt: text, ...options }),
	z.object({ kind: z.literal("image"), imageUrl: text, ...options }),
	z.object({
		kind: z.literal("storyboard"),
		scenes: z.array(sceneSchema),
		/** The text that was split into the scenes; absent if the user wrote the storyboard. */
		text: maybeText,
		/** Name of a storyboard that the user wrote. */
		title: maybeText,
		duration: ignored,
		motionStrength: ignored,
	}),
]);
export type VideoRequest = DeepReadonly<z.infer<typeof requestSchema>>;

/** Consecutive failed checks. From `cannotCheckAfter` on, the user is informed. */
const problemSchema = z.object({ failure: failureSchema, count });
export type CheckProblem = DeepReadonly<z.infer<typeof problemSchema>>;

/** Video formats recognized by their first bytes. */
const formatSchema = z.enum(["mp4", "mov", "webm", "matroska", "gif", "avi", "ogg"]);
export type ClipFormat = z.infer<typeof formatSchema>;

/** Why clips were not joined: codec or size differ, one is unreadable, or the disk or the thread failed. */
const notJoinedSchema = z.enum(["differ", "unreadable", "failed"]);
export type NotJoinedReason = z.infer<typeof notJoinedSchema>;

/** State of a job. Times are milliseconds since 1970, sizes bytes. docs/faults.md. */
const stateSchema = z.discriminatedUnion("name", [
	/** A scene of an accepted storyboard that was never sent. */
	z.object({ name: z.literal("waiting") }),
	/** A storyboard whose scenes may not all have records yet. None was sent. */
	z.object({ name: z.literal("recording") }),
	/** A storyboard that waits for its scenes' clips. */
	z.object({ name: z.literal("gathering") }),
	/** A storyboard whose clips could not be joined, or not without encoding them again. */
	z.object({ name: z.literal("notJoined"), reason: notJoinedSchema, detail: text }),
	/** The request is being sent. The record was written before. */
	z.object({ name: z.literal("submitting") }),
	/** Rejected or never sent; not charged. */
	z.object({ name: z.literal("notSubmitted"), failure: failureSchema }),
	/** May have been charged. Without a failure: Cutaway ended before the reply. */
	z.object({ name: z.literal("submissionUnknown"), failure: z.optional(failureSchema) }),
	z.object({ name: z.literal("inProgress"), problem: z.optional(problemSchema) }),
	/** An undocumented status. Watching continues. */
	z.object({
		name: z.literal("unusualStatus"),
		status: text,
		/** The status reads like a failure. Only `checksLeft` more checks follow, a minute apart. */
		readsLikeFailure: z.boolean(),
		checksLeft: count,
		/** The service's explanation, plain text of at most 500 characters. */
		message: maybeText,
		problem: z.optional(problemSchema),
	}),
	/** The last of those checks had the same result. */
	z.object({ name: z.literal("failedByService"), status: text, message: maybeText }),
	/** Complete, but without an address yet. */
	z.object({ name: z.literal("awaitingAddress"), checks: count }),
	z.object({ name: z.literal("completeWithoutAddress") }),
	z.object({ name: z.literal("downloading"), received: size, total: z.optional(size) }),
	/** Cutaway doesn't download from the clip's address. */
	z.object({ name: z.literal("addressRefused"), reason: text, address: text }),
	/** The address has expired, and so has a new one. */
	z.object({ name: z.literal("linkExpired"), status: z.number() }),
	z.object({ name: z.literal("notAVideo"), contentType: maybeText, size }),
	/** Larger than the limit. `size` is undefined if the service stated no length. */
	z.object({ name: z.literal("tooLarge"), size: z.optional(size), limit: size }),
	z.object({ name: z.literal("noRoom"), needed: size, free: size }),
	z.object({ name: z.literal("downloadFailed"), failure: failureSchema }),
	/** The clip could not be written. `code` is the system's error code, such as `EACCES`. */
	z.object({ name: z.literal("cannotSave"), code: text, folder: text }),
	z.object({ name: z.literal("goneAtService") }),
	/** The key of the job's account is missing, was replaced, or was rejected by the service. */
	z.object({ name: z.literal("needsKey"), reason: z.enum(["missing", "changed", "refused"]) }),
	/** Watching was stopped by the user, or after 24 hours. */
	z.object({
		name: z.literal("watchingStopped"),
		by: z.pipe(
			z.enum(["person", "user", "time"]),
			z.transform(by => (by === "person" ? "user" : by)),
		),
	}),
	/** The complete clip is on this machine's disk. `file` is an absolute path. */
	z.object({ name: z.literal("ready"), file: text, size, format: formatSchema, savedAt: time }),
]);
export type VideoJobState = DeepReadonly<z.infer<typeof stateSchema>>;
export type VideoJobStateName = VideoJobState["name"];

/**
 * A program. `session` is unique for every request that it sent; `window` is the window, and `since` the start of the request, in milliseconds since
 * 1970.
 */
const submitterSchema = z.object({
	pid: z.int(),
	host: text,
	session: text,
	since: maybeNumber,
	window: maybeText,
});

export const videoJobSchema = z.object({
	/** Cutaway's own id and the name of the record. */
	id: text,
	request: requestSchema,
	/** Origin of the request's text: the document's URI as the editor writes it, its display name, and lines, counted from 0. */
	source: z.optional(
		z.object({ uri: text, name: text, startLine: maybeNumber, endLine: maybeNumber }),
	),
	/** The chat question that the job belongs to. Its card appears below it. The chat itself doesn't store the connection. */
	chat: z.optional(z.object({ chatId: text, turnId: text })),
	/** The storyboard of a scene's job, and the index of its video from 0. `number` is the index of the scene if parts of others come before it. */
	scene: z.optional(z.object({ storyboard: text, index: count, number: z.optional(count) })),
	/** For a storyboard: the jobs of the last join. */
	joined: z.optional(z.array(text)),
	/** The service. Never changes. */
	endpoint: z.object({
		kind: z.enum(["local", "remote"]),
		/** Base URL without `/v1`; empty for the local service, whose port changes. */
		baseUrl: text,
		/** Origin of the base URL, or `local`. */
		origin: text,
		label: text,
		/** The server with a model behind the local service, if one is configured. */
		engine: maybeText,
		mayCharge: z.optional(z.boolean()),
	}),
	/** When the user requested it, in milliseconds since 1970 of the wall clock. */
	createdAt: time,
	/** The number of times the request was sent, each by a click. */
	submissions: count,
	/** Identifies the account without revealing its key. Set with the generation id. */
	keyMark: maybeText,
	/** The program that sends the request, so that other windows can tell whether it still runs. */
	submitter: z.optional(submitterSchema),
	/** The program that checks the job since the submitter is gone. */
	follower: z.optional(submitterSchema),
	generationId: maybeText,
	state: stateSchema,
	/** Further details of the local service's last report. Invalid ones don't make the job unreadable. */
	// oxlint-disable-next-line promise/valid-params -- this `catch` is zod's
	detail: z.catch(z.optional(videoDetailSchema), undefined),
	watch: z.object({
		/** Milliseconds spent watching, by a monotonic clock. */
		watchedMs: z.number(),
		/** Number of the current watching period. Every check that a user requests starts another. */
		round: count,
		/** When the service last reported the status. */
		lastCheckedAt: maybeNumber,
		/** The last status as received; at most 200 characters. */
		rawStatus: maybeText,
	}),
	/** Place of the clip: a folder, fixed before the download starts, and the name and size, set just before the file gets the name. */
	target: z.optional(z.object({ folder: text, name: maybeText, size: maybeNumber })),
	/** Whether to download the clip even if it exceeds the size limit. */
	ignoresSizeLimit: z.boolean(),
	/** When the user removed the job. The record is kept for a while, to undo this. */
	removedAt: maybeNumber,
});
export type VideoJob = DeepReadonly<z.infer<typeof videoJobSchema>>;
export type VideoSource = NonNullable<VideoJob["source"]>;
export type JobOrigin = NonNullable<VideoJob["chat"]>;
export type VideoEndpoint = VideoJob["endpoint"];
export type Submitter = NonNullable<VideoJob["submitter"]>;
export type Watch = VideoJob["watch"];
export type ClipTarget = NonNullable<VideoJob["target"]>;

/** Whether videos of an endpoint are free: made by the local service without a server that may charge. */
export function isFree({ kind, mayCharge }: Pick<VideoEndpoint, "kind" | "mayCharge">): boolean {
	return kind === "local" && mayCharge !== true;
}

/** Whether the local renderer makes an endpoint's videos. */
export function isDrawnClip({ kind, engine }: Pick<VideoEndpoint, "kind" | "engine">): boolean {
	return kind === "local" && engine === undefined;
}

/** Returns the range of a part of a longer scene, which only the local renderer can draw; undefined for other requests. */
export function partOf(request: VideoRequest): SceneSpan | undefined {
	return request.kind === "text" ? readScene(request.prompt).part : undefined;
}

/** Returns a text as it is sent. The local renderer is told which scenes of a storyboard follow another. */
export function promptOf(
	{ prompt }: Pick<Extract<VideoRequest, { kind: "text" }>, "prompt">,
	{ endpoint, scene }: Pick<VideoJob, "endpoint" | "scene">,
): string {
	const { part = { from: 0 } } = readScene(prompt);
	const isFirst = !scene || scene.index * sceneSeconds <= part.from;
	return isDrawnClip(endpoint) && !isFirst ? markLater(prompt) : prompt;
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
