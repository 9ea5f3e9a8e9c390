import {
	imageToVideoRequestSchema,
	textToVideoRequestSchema,
} from "../../client/contract/schemas.ts";
import { asksForDetails } from "./answerStream.ts";
import { type HttpExchange, sendJson, type RouteDependencies, commonHeaders } from "./exchange.ts";
import { HttpFailure } from "../base/failureResponse.ts";
import { readJson, parseRequest } from "./requestBody.ts";
import type {
	GenerationRecord,
	GenerationRequest,
	StoredFormat,
} from "../video/generationRecord.ts";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";

/** `POST /v1/videos/text-to-video`: queues a clip and responds with its id. docs/interface.md §4.1. */
export async function handleTextToVideo(
	exchange: HttpExchange,
	dependencies: RouteDependencies,
): Promise<void> {
	const params = parseRequest(textToVideoRequestSchema, await readJson(exchange, dependencies));
	await createGeneration(exchange, dependencies, { type: "text-to-video", params });
}

/** `POST /v1/videos/image-to-video`: like text; the image is loaded while the generation is in progress. docs/interface.md §4.2. */
export async function handleImageToVideo(
	exchange: HttpExchange,
	dependencies: RouteDependencies,
): Promise<void> {
	const params = parseRequest(imageToVideoRequestSchema, await readJson(exchange, dependencies));
	await createGeneration(exchange, dependencies, { type: "image-to-video", params });
}

/** `GET /v1/generations/{id}`: free. May continue work whose service has ended. docs/interface.md §4.3. */
export async function handleGeneration(
	exchange: HttpExchange,
	dependencies: RouteDependencies,
	id: string,
): Promise<void> {
	const record = await dependencies.generations?.find(id);
	if (!record) {
		throw new HttpFailure(
			404,
			"generation_not_found",
			`The local service has no generation with the id “${id.slice(0, 64)}”.`,
		);
	}
	// The port changes at every start. The guards have checked this header.
	const baseUrl = `http://${exchange.request.headers.host}`;
	const generation = describeGeneration(record, baseUrl);
	const details = asksForDetails(exchange) ? dependencies.generations?.details(record) : undefined;
	sendJson(exchange.response, 200, { success: true, generation, details });
}

async function createGeneration(
	{ response }: HttpExchange,
	{ generations }: RouteDependencies,
	request: GenerationRequest,
): Promise<void> {
	if (!generations) {
		throw new HttpFailure(501, "not_implemented", "This service was started without videos.");
	}
	sendJson(response, 200, { success: true, generation_id: await generations.create(request) });
}

/** Returns a generation in the form of docs/interface.md §2.1. A failed one has an additional `message`. */
function describeGeneration(record: GenerationRecord, baseUrl: string): object {
	const { id, outcome, type, params } = record;
	const common = {
		org_id: "local",
		created_at: new Date(record.createdAt).toISOString(),
		type,
		params,
	};
	switch (outcome?.status) {
		case undefined:
			return { ...common, status: "in_progress" };
		case "complete":
			return {
				...common,
				status: "complete",
				output: { video_url: `${baseUrl}/v1/generations/${id}/clip.${outcome.format ?? "webm"}` },
			};
		case "failed":
			return { ...common, status: "failed", message: outcome.message };
	}
}

interface Clip {
	readonly path: string;
	readonly size: number;
	readonly etag: string;
	readonly type: string;
}

const mediaTypes: Readonly<Record<StoredFormat, string>> = {
	webm: "video/webm",
	mp4: "video/mp4",
	mov: "video/quicktime",
	mkv: "video/matroska",
	gif: "image/gif",
};

/**
 * `GET /v1/generations/{id}/clip.FORMAT`: the clip, or the part in the `Range` header. The id is 128 random bits, and the token is required as for
 * all requests. RFC 9110 §14.
 */
export async function handleClip(
	exchange: HttpExchange,
	dependencies: RouteDependencies,
	id: string,
): Promise<void> {
	const { generations } = dependencies;
	const record = await generations?.find(id);
	if (!generations || record?.outcome?.status !== "complete") {
		throw new HttpFailure(404, "clip_not_found", "There is no clip at this address.");
	}
	const { size, etag, format = "webm" } = record.outcome;
	if (!exchange.request.url?.split("?", 1)[0]?.endsWith(`.${format}`)) {
		throw new HttpFailure(404, "clip_not_found", "The clip has another form.");
	}
	const clip = { path: generations.clipPath(id, format), size, etag, type: mediaTypes[format] };
	await checkPresence(clip.path);
	await sendClip(exchange, clip);
}

async function checkPresence(path: string): Promise<void> {
	try {
		const file = await open(path);
		await file.close();
	} catch {
		throw new HttpFailure(404, "clip_not_found", "The clip is no longer on disk.");
	}
}

async function sendClip({ request, response, signal }: HttpExchange, clip: Clip): Promise<void> {
	const { range: asked, "if-range": ifRange } = request.headers;
	const range = readRange(asked, typeof ifRange === "string" ? ifRange : undefined, clip);
	if (range.type === "unsatisfiable") {
		throw new HttpFailure(416, "bad_range", "The clip ends before this range.", {
			"Content-Range": `bytes */${clip.size}`,
		});
	}
	const { start, end } = range.type === "part" ? range : { start: 0, end: clip.size - 1 };
	response.writeHead(range.type === "part" ? 206 : 200, {
		...commonHeaders,
		"Content-Type": clip.type,
		"Content-Length": end - start + 1,
		"Accept-Ranges": "bytes",
		ETag: clip.etag,
		...(range.type === "part" ? { "Content-Range": `bytes ${start}-${end}/${clip.size}` } : {}),
	});
	await pipeline(createReadStream(clip.path, { start, end }), response, { signal });
}

/** The part of a file that a request asks for. RFC 9110 §14. */
type ByteRange =
	| { readonly type: "whole" }
	/** `end` is the position of the last byte, as in `Content-Range`. */
	| { readonly type: "part"; readonly start: number; readonly end: number }
	| { readonly type: "unsatisfiable" };

/**
 * Parses a `Range` header for a file of `size` bytes. Returns the whole file for several ranges, other units and invalid ranges, as RFC 9110 §14.2
 * allows, and if `If-Range` names another version (§13.1.5).
 */
export function readRange(
	range: string | undefined,
	ifRange: string | undefined,
	file: { readonly size: number; readonly etag: string },
): ByteRange {
	const match = /^bytes=(?<first>\d*)-(?<last>\d*)$/i.exec(range?.trim() ?? "");
	const { first = "", last = "" } = match?.groups ?? {};
	const isOtherVersion = ifRange !== undefined && ifRange !== file.etag;
	if (!match || isOtherVersion || (first === "" && last === "")) {
		return { type: "whole" };
	}
	if (first !== "" && last !== "" && Number(first) > Number(last)) {
		return { type: "whole" };
	}
	const start = first === "" ? Math.max(0, file.size - Number(last)) : Number(first);
	const end = first === "" || last === "" ? file.size - 1 : Math.min(Number(last), file.size - 1);
	return start > end ? { type: "unsatisfiable" } : { type: "part", start, end };
}
