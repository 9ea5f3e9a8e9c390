import * as z from "zod/mini";
import { lenient } from "../openai/plainText.ts";
import { wordsIn } from "../openai/serverFailure.ts";
import {
	EngineFailure,
	type EngineAnswer,
	type EngineServer,
	lookupSilentMs,
} from "./engineServer.ts";
import type { RemoteState } from "./videoEngine.ts";
import { isRecord, parseJson } from "../../common/json.ts";
import { randomBytes } from "node:crypto";

const text = lenient(z.string().check(z.minLength(1)));
const id = lenient(z.union([z.string().check(z.minLength(1), z.maxLength(512)), z.int()]));

const fieldsSchema = z.looseObject({
	id,
	task_id: id,
	status: text,
	task_status: text,
	state: text,
	progress: lenient(z.number()),
	fail_reason: z.optional(z.unknown()),
	failure_reason: z.optional(z.unknown()),
	failure: z.optional(z.unknown()),
	polling_url: text,
	unsigned_urls: lenient(z.array(z.string())),
	urls: lenient(z.array(z.string())),
	prompt: text,
	created_at: lenient(z.number()),
	usage: lenient(z.looseObject({ cost: lenient(z.number().check(z.minimum(0))) })),
	error: z.optional(z.unknown()),
});

/** A video in the format of OpenAI's API and compatible servers. Gateways wrap it in `data`, Alibaba's server in `output`. */
export const videoSchema = z.pipe(z.transform(unwrapped), fieldsSchema);
type VideoAnswer = z.infer<typeof videoSchema>;

function unwrapped(value: unknown): unknown {
	if (!isRecord(value) || isVideo(value)) {
		return value;
	}
	return [value["data"], value["output"]].find(inner => isRecord(inner) && isVideo(inner)) ?? value;
}

function isVideo(value: Readonly<Record<string, unknown>>): boolean {
	return ["id", "task_id", "status", "task_status", "state"].some(
		name => typeof value[name] === "string",
	);
}

/**
 * Parses a JSON response. Throws `EngineFailure` for the status of a rejection. Anything but JSON, such as a proxy's page, leaves open whether the request
 * was charged.
 */
export function readAnswer<Schema extends z.ZodMiniType>(
	server: EngineServer,
	answer: EngineAnswer,
	schema: Schema,
): z.output<Schema> {
	if (!isSuccess(answer)) {
		throw server.refusal(answer);
	}
	const parsed = z.safeParse(schema, parseJson(answer.body));
	if (parsed.success) {
		return parsed.data;
	}
	const isPage = /html/i.test(answer.contentType) || /^\s*<(?:!doctype|html)/i.test(answer.body);
	const what = isPage ? "a web page" : "something that is not understood";
	throw new EngineFailure(`${server.name} answered with ${what}.`, {
		charge: "unknown",
		isPassing: true,
		status: answer.status,
	});
}

/** Requests a path and parses the response. Throws `EngineFailure`. */
export async function readFrom<Schema extends z.ZodMiniType>(
	server: EngineServer,
	path: string,
	schema: Schema,
	signal: AbortSignal,
): Promise<z.output<Schema>> {
	const request = { method: "GET", path, silentMs: lookupSilentMs } as const;
	return readAnswer(server, await server.ask(request, signal), schema);
}

/** Requests a video's status. Returns undefined if the server doesn't know the video. Throws `EngineFailure`. */
export function readVideo(
	server: EngineServer,
	path: string,
	signal: AbortSignal,
): Promise<VideoAnswer | undefined> {
	return readFrom(server, path, videoSchema, signal).catch((error: unknown) => {
		if (error instanceof EngineFailure && (error.status === 404 || error.status === 410)) {
			return undefined;
		}
		throw error;
	});
}

/** Creates the failure for a response without the id of a video that may have been charged. */
export function withoutId(server: EngineServer): EngineFailure {
	const message = `${server.name} accepted the request but returned no id.`;
	return new EngineFailure(message, { charge: "unknown" });
}

export function isSuccess({ status }: EngineAnswer): boolean {
	return status >= 200 && status < 300;
}

/** Statuses of OpenAI's API, and what gateways and providers call them. Others mean that the video is in progress. */
const failures: ReadonlySet<string> = new Set([
	"failed",
	"fail",
	"failure",
	"error",
	"cancelled",
	"canceled",
	"expired",
	"rejected",
	"timeout",
	"timed_out",
	"moderated",
	"content_filtered",
]);
const successes: ReadonlySet<string> = new Set([
	"completed",
	"complete",
	"succeeded",
	"succeed",
	"success",
	"successful",
	"done",
	"finished",
	"ready",
]);
const waiting: ReadonlySet<string> = new Set([
	"queued",
	"pending",
	"not_start",
	"submitted",
	"waiting",
	"in_queue",
]);

/** Interprets a video's status. Unknown statuses mean that it is in progress. `addresses` are the file's possible URLs once it is ready. */
export function stateOf(video: VideoAnswer, addresses: readonly string[]): RemoteState {
	const status = statusOf(video);
	if (failures.has(status)) {
		const { error, fail_reason: reason, failure_reason: cause, failure } = video;
		const words = [error, reason, cause, failure, video]
			.map(wordsIn)
			.find(found => found !== undefined);
		return { type: "failed", words: words ?? status };
	}
	if (successes.has(status)) {
		const cost = video.usage?.cost ?? undefined;
		return { type: "ready", addresses, cost };
	}
	const { progress } = video;
	return {
		type: "working",
		isQueued: waiting.has(status),
		...(typeof progress === "number" ? { share: shareOf(progress) } : {}),
	};
}

/** Progress is a percentage; some servers send a fraction of 1. */
function shareOf(progress: number): number {
	const share = progress > 0 && progress < 1 ? progress : progress / 100;
	return Math.min(1, Math.max(0, share));
}

/** Returns the status in lower case, without a prefix as in `TASK_STATUS_SUCCEED`; empty if there is none. */
function statusOf({ status, task_status: task, state }: VideoAnswer): string {
	return (status ?? task ?? state ?? "").toLowerCase().replace(/^(?:task|video)_(?:status_)?/, "");
}

export function hasStatus(video: VideoAnswer): boolean {
	return statusOf(video) !== "";
}

export function idOf({ id: own, task_id: task }: VideoAnswer): string | undefined {
	const found = own ?? task;
	return found === undefined || found === null ? undefined : String(found);
}

/** Names under which servers put the file's URL, or what holds it, the likeliest first. Pictures have others. */
const places: readonly string[] = [
	"data",
	"url",
	"video_url",
	"download_url",
	"video",
	"videos",
	"output",
	"outputs",
	"result",
	"results",
	"content",
	"assets",
	"metadata",
	"task_result",
	"video_result",
];
const maxDepth = 4;

/** The most URLs of an answer to try, so that a server can't have other hosts asked without end. */
export const maxAddresses = 8;

/** Returns the possible URLs of the video's file. */
export function addressesIn(video: VideoAnswer): string[] {
	return [...new Set(addressesBelow(video, maxDepth))].slice(0, maxAddresses);
}

function addressesBelow(value: unknown, depth: number): string[] {
	if (typeof value === "string") {
		return /^(?:https?:\/\/|\/)\S+$/i.test(value) ? [value] : [];
	}
	if (depth === 0) {
		return [];
	}
	if (Array.isArray(value)) {
		return value.flatMap(each => addressesBelow(each, depth - 1));
	}
	return isRecord(value) ? places.flatMap(name => addressesBelow(value[name], depth - 1)) : [];
}

/** A form field: text, or a file with its name and type. */
export type FormField =
	string | { readonly bytes: Uint8Array; readonly name: string; readonly type: string };

/** Encodes a multipart form and returns its body and content type. RFC 7578. */
export function encodeForm(fields: Readonly<Record<string, FormField>>): {
	readonly body: Uint8Array;
	readonly contentType: string;
} {
	const boundary = `cutaway-${randomBytes(16).toString("hex")}`;
	const parts = Object.entries(fields).flatMap(([name, value]) => [
		Buffer.from(
			`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${headOf(value)}\r\n\r\n`,
		),
		typeof value === "string" ? Buffer.from(value) : value.bytes,
		Buffer.from("\r\n"),
	]);
	return {
		body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
		contentType: `multipart/form-data; boundary=${boundary}`,
	};
}

function headOf(value: FormField): string {
	return typeof value === "string"
		? ""
		: `; filename="${value.name}"\r\nContent-Type: ${value.type}`;
}

/** Creates a file field for an image, with the type detected by its first bytes. */
export function imageFile(bytes: Uint8Array, name: string): FormField {
	const [ending, type] =
		bytes[0] === 0x89
			? ["png", "image/png"]
			: bytes[0] === 0xff
				? ["jpg", "image/jpeg"]
				: bytes[0] === 0x47
					? ["gif", "image/gif"]
					: ["webp", "image/webp"];
	return { bytes, name: `${name}.${ending}`, type: type ?? "" };
}
