import * as z from "zod/mini";
import { failureSchema, videoDetailSchema } from "../../client/contract/schemas.ts";
import type { NotJoinedReason, VideoJob } from "../job/videoJob.ts";

/** Format version of records. Records of a newer version are shown if possible, and never written. */
const recordFormat = 1;

const time = z.number();
const size = z.number().check(z.minimum(0));
const count = z.int().check(z.minimum(0));
const text = z.string();
const maybeNumber = z.optional(z.number());
const maybeText = z.optional(text);

const problemSchema = z.optional(z.object({ failure: failureSchema, count }));

const options = {
	duration: z.optional(z.int()),
	motionStrength: z.optional(z.int()),
};

const requestSchema = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("text"), prompt: text, ...options }),
	z.object({ kind: z.literal("image"), imageUrl: text, ...options }),
	z.object({
		kind: z.literal("storyboard"),
		scenes: z.array(z.object({ prompt: text, duration: z.int(), motionStrength: z.int() })),
		text: maybeText,
	}),
]);

const stateSchema = z.discriminatedUnion("name", [
	z.object({ name: z.literal("waiting") }),
	z.object({ name: z.literal("recording") }),
	z.object({ name: z.literal("gathering") }),
	z.object({
		name: z.literal("notJoined"),
		reason: z.enum(["differ", "unreadable", "failed"] satisfies NotJoinedReason[]),
		detail: text,
	}),
	z.object({ name: z.literal("submitting") }),
	z.object({ name: z.literal("notSubmitted"), failure: failureSchema }),
	z.object({ name: z.literal("submissionUnknown"), failure: z.optional(failureSchema) }),
	z.object({ name: z.literal("inProgress"), problem: problemSchema }),
	z.object({
		name: z.literal("unusualStatus"),
		status: text,
		readsLikeFailure: z.boolean(),
		checksLeft: count,
		message: maybeText,
		problem: problemSchema,
	}),
	z.object({ name: z.literal("failedByService"), status: text, message: maybeText }),
	z.object({ name: z.literal("awaitingAddress"), checks: count }),
	z.object({ name: z.literal("completeWithoutAddress") }),
	z.object({ name: z.literal("downloading"), received: size, total: z.optional(size) }),
	z.object({ name: z.literal("addressRefused"), reason: text, address: text }),
	z.object({ name: z.literal("linkExpired"), status: z.number() }),
	z.object({ name: z.literal("notAVideo"), contentType: maybeText, size }),
	z.object({ name: z.literal("tooLarge"), size: z.optional(size), limit: size }),
	z.object({ name: z.literal("noRoom"), needed: size, free: size }),
	z.object({ name: z.literal("downloadFailed"), failure: failureSchema }),
	z.object({ name: z.literal("cannotSave"), code: text, folder: text }),
	z.object({ name: z.literal("goneAtService") }),
	z.object({ name: z.literal("needsKey"), reason: z.enum(["missing", "changed", "refused"]) }),
	z.object({
		name: z.literal("watchingStopped"),
		by: z.pipe(
			z.enum(["person", "user", "time"]),
			z.transform(by => (by === "person" ? "user" : by)),
		),
	}),
	z.object({
		name: z.literal("ready"),
		file: text,
		size,
		format: z.enum(["mp4", "mov", "webm", "matroska", "gif", "avi", "ogg"]),
		savedAt: time,
	}),
]);

const jobSchema = z.object({
	id: text,
	request: requestSchema,
	source: z.optional(
		z.object({ uri: text, name: text, startLine: maybeNumber, endLine: maybeNumber }),
	),
	chat: z.optional(z.object({ chatId: text, turnId: text })),
	scene: z.optional(z.object({ storyboard: text, index: count })),
	joined: z.optional(z.array(text)),
	endpoint: z.object({
		kind: z.enum(["local", "remote"]),
		baseUrl: text,
		origin: text,
		label: text,
		engine: maybeText,
		mayCharge: z.optional(z.boolean()),
	}),
	createdAt: time,
	submissions: count,
	keyMark: maybeText,
	submitter: z.optional(z.object({ pid: z.int(), host: text, session: text, since: maybeNumber })),
	generationId: maybeText,
	state: stateSchema,
	// Invalid details don't make the job unreadable.
	// oxlint-disable-next-line promise/valid-params -- this `catch` is zod's
	detail: z.catch(z.optional(videoDetailSchema), undefined),
	watch: z.object({
		watchedMs: z.number(),
		round: count,
		lastCheckedAt: maybeNumber,
		rawStatus: maybeText,
	}),
	target: z.optional(z.object({ folder: text, name: maybeText, size: maybeNumber })),
	ignoresSizeLimit: z.boolean(),
	removedAt: maybeNumber,
}) satisfies z.ZodMiniType<VideoJob>;

const recordSchema = z.object({ format: z.int(), job: jobSchema });
const versionSchema = z.object({ format: z.int() });

export type ReadRecord =
	| { readonly kind: "job"; readonly job: VideoJob; readonly isNewer: boolean }
	/** Written by a newer version, and this version can't show it. */
	| { readonly kind: "newer" }
	| { readonly kind: "damaged" };

export function encodeRecord(job: VideoJob): string {
	return `${JSON.stringify({ format: recordFormat, job })}\n`;
}

/** Parses a record. `id` is the id in the file name, which the job's own id must match. */
export function decodeRecord(record: string, id: string): ReadRecord {
	let body: unknown;
	try {
		body = JSON.parse(record);
	} catch {
		return { kind: "damaged" };
	}
	const version = z.safeParse(versionSchema, body);
	const isNewer = version.success && version.data.format > recordFormat;
	const parsed = z.safeParse(recordSchema, body);
	if (parsed.success && parsed.data.job.id === id) {
		return { kind: "job", job: parsed.data.job, isNewer };
	}
	return { kind: isNewer ? "newer" : "damaged" };
}
