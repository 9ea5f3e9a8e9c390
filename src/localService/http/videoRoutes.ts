import {
	imageToVideoRequestSchema,
	textToVideoRequestSchema,
} from "../../client/contract/schemas.ts";
import { asksForDetails } from "./chatStream.ts";
import { type HttpExchange, sendJson, type RouteDependencies } from "./exchange.ts";
import { HttpFailure } from "../base/httpFailure.ts";
import { readJson } from "./requestBody.ts";
import { parseRequest } from "./validation.ts";
import type { GenerationRecord, GenerationRequest } from "../video/generationRecord.ts";

/** `POST /v1/videos/text-to-video`: queues a clip and responds with its id. docs/interface.md §4.1. */
export async function handleTextToVideo(
	exchange: HttpExchange,
	dependencies: RouteDependencies,
): Promise<void> {
	const params = parseRequest(textToVideoRequestSchema, await readBody(exchange, dependencies));
	await createGeneration(exchange, dependencies, { type: "text-to-video", params });
}

/** `POST /v1/videos/image-to-video`: like text; the image is loaded while the generation is in progress. docs/interface.md §4.2. */
export async function handleImageToVideo(
	exchange: HttpExchange,
	dependencies: RouteDependencies,
): Promise<void> {
	const params = parseRequest(imageToVideoRequestSchema, await readBody(exchange, dependencies));
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

async function readBody(
	{ request }: HttpExchange,
	dependencies: RouteDependencies,
): Promise<unknown> {
	const bounds = {
		maxBytes: dependencies.limits.maxJsonBytes,
		idleMs: dependencies.limits.bodyIdleMs,
	};
	return await readJson(request, bounds, dependencies.clock);
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

/** A generation in the form of docs/interface.md §2.1. A failed one has an additional `message`. */
interface GenerationView {
	readonly org_id: string;
	readonly created_at: string;
	readonly type: string;
	readonly params: GenerationRecord["params"];
	readonly status?: unknown;
	readonly message?: string;
	readonly output?: { readonly video_url?: unknown } | undefined;
}

function describeGeneration(record: GenerationRecord, baseUrl: string): GenerationView {
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
