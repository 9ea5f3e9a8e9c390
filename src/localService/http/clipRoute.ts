import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { commonHeaders, type HttpExchange, sendText, type RouteDependencies } from "./exchange.ts";
import { HttpFailure } from "../base/httpFailure.ts";
import { readRange } from "../video/byteRange.ts";
import { type ClipFault, findVideoFailure } from "../video/videoFailures.ts";
import type { StoredFormat } from "../video/generationRecord.ts";

/** A clip on disk, as its record describes it. */
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
 * `GET /v1/generations/{id}/clip.FORMAT`: the clip's bytes, whole or the part a `Range` names. The id in the path is 128
 * random bits, and the token is needed as everywhere. RFC 9110 §14; rows J13 to J16.
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
	const effect = findVideoFailure(record.failure)?.effect;
	const fault = effect?.at === "clip" ? effect.fault : undefined;
	await checkPresence(clip.path);
	if (fault === undefined || fault === "cut" || fault === "noRange") {
		await sendClip(exchange, clip, fault);
	} else {
		sendWrongClip(exchange, fault);
	}
}

async function checkPresence(path: string): Promise<void> {
	try {
		const file = await open(path);
		await file.close();
	} catch {
		throw new HttpFailure(404, "clip_not_found", "The clip is no longer on disk.");
	}
}

async function sendClip(
	{ request, response, signal }: HttpExchange,
	clip: Clip,
	fault: "cut" | "noRange" | undefined,
): Promise<void> {
	const { range: asked, "if-range": ifRange } = request.headers;
	const range =
		fault === "noRange"
			? ({ type: "whole" } as const)
			: readRange(asked, typeof ifRange === "string" ? ifRange : undefined, clip);
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
		...(fault === "noRange" ? {} : { "Accept-Ranges": "bytes", ETag: clip.etag }),
		...(range.type === "part" ? { "Content-Range": `bytes ${start}-${end}/${clip.size}` } : {}),
	});
	const isCut = fault !== undefined && asked === undefined;
	const last = isCut ? Math.floor(clip.size / 2) : end;
	await pipeline(createReadStream(clip.path, { start, end: last }), response, {
		signal,
		end: !isCut,
	});
	if (isCut) {
		// What was written still reaches the caller; without a proper end.
		setImmediate(() => response.destroy());
	}
}

function sendWrongClip(
	{ response }: HttpExchange,
	fault: Exclude<ClipFault, "cut" | "noRange">,
): void {
	switch (fault) {
		case "expired":
			throw new HttpFailure(410, "expired", "This address has expired.");
		case "html":
			sendText(
				response,
				200,
				"text/html; charset=utf-8",
				"<!doctype html><title>Sign in</title><p>This page stands in for a video.</p>",
			);
			break;
		case "empty":
			sendText(response, 200, "video/webm", "");
			break;
	}
}
