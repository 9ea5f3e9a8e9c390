import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { commonHeaders, type HttpExchange, type RouteDependencies } from "./exchange.ts";
import { HttpFailure } from "../base/httpFailure.ts";
import { readRange } from "../video/byteRange.ts";
import type { StoredFormat } from "../video/generationRecord.ts";

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
