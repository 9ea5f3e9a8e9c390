import {
	totalMs,
	createGenerationResponseSchema,
	type Generation,
	generationResponseSchema,
	type ImageToVideoRequest,
	imageToVideoRequestSchema,
	type TextToVideoRequest,
	textToVideoRequestSchema,
	type VideoDetail,
} from "./contract/schemas.ts";
import { type CallDependencies, callService } from "./request/attempts.ts";
import { readJson, invalidRequest, jsonBody, validated } from "./request/jsonAnswer.ts";
import { maxMessageCharacters, plainText, redact } from "./request/redact.ts";
import type { CallOptions, DetailedGeneration } from "./contract/serviceClient.ts";

const json = "application/json";

/** Starts a video from text. Class P (docs/faults.md). docs/interface.md §4.1. */
export async function createTextToVideo(
	dependencies: CallDependencies,
	request: TextToVideoRequest,
	options: CallOptions,
): Promise<string> {
	const body = jsonBody(validated(textToVideoRequestSchema, request));
	return await createGeneration(dependencies, "/v1/videos/text-to-video", body, options);
}

/** Starts a video from an image. Class P (docs/faults.md). docs/interface.md §4.2. */
export async function createImageToVideo(
	dependencies: CallDependencies,
	request: ImageToVideoRequest,
	options: CallOptions,
): Promise<string> {
	const body = jsonBody(validated(imageToVideoRequestSchema, request));
	return await createGeneration(dependencies, "/v1/videos/image-to-video", body, options);
}

/** Reads a generation without the key, its message cut to 500 characters. Class F (docs/faults.md). docs/interface.md §4.3. */
export async function getGeneration(
	dependencies: CallDependencies,
	id: string,
	options: CallOptions,
): Promise<DetailedGeneration> {
	const segment = pathSegment(id);
	let apiKey = "";
	let hasDetails = false;
	const reply = await callService(
		dependencies,
		{
			name: "getGeneration",
			repeatClass: "free",
			request: connection => {
				apiKey = connection.apiKey ?? "";
				hasDetails = connection.hasDetails === true;
				return {
					method: "GET",
					path: `/v1/generations/${segment}`,
					accept: json,
					asksForDetails: true,
					totalMs: totalMs.lookup,
				};
			},
		},
		options,
		exchange => readJson(exchange, generationResponseSchema),
	);
	const { generation, details } = reply;
	return {
		...inPlainWords(generation, apiKey),
		...(hasDetails && details ? { detail: inPlainNote(details) } : {}),
	};
}

function inPlainNote({ note, ...detail }: VideoDetail): VideoDetail {
	return note === undefined ? detail : { ...detail, note: plainText(note, maxMessageCharacters) };
}

function inPlainWords(generation: Generation, apiKey: string): Generation {
	const { status, message = "" } = generation;
	const withoutKey = (text: string): string => (apiKey === "" ? text : redact(text, apiKey));
	const words = plainText(withoutKey(message), maxMessageCharacters);
	return {
		...generation,
		status: typeof status === "string" ? withoutKey(status) : status,
		message: words === "" ? undefined : words,
	};
}

async function createGeneration(
	dependencies: CallDependencies,
	path: string,
	body: string,
	options: CallOptions,
): Promise<string> {
	const reply = await callService(
		dependencies,
		{
			name: path.slice(path.lastIndexOf("/") + 1),
			repeatClass: "paid",
			request: () => ({
				method: "POST",
				path,
				accept: json,
				contentType: json,
				body,
				totalMs: totalMs.creation,
			}),
		},
		options,
		exchange => readJson(exchange, createGenerationResponseSchema),
	);
	return reply.generation_id;
}

/** Encodes an id as a path segment. Rejects dot segments, which would leave the path even if escaped (WHATWG URL §4.4). */
function pathSegment(id: string): string {
	if (id === "" || id === "." || id === ".." || !id.isWellFormed()) {
		throw invalidRequest("the generation id is not one that an address can hold");
	}
	return encodeURIComponent(id);
}
