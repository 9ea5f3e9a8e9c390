import type * as z from "zod/mini";
import { imageToVideoRequestSchema, textToVideoRequestSchema } from "../client/schemas.ts";
import type { Exchange, ServiceContext } from "./exchange.ts";
import { HttpFailure } from "./httpFailure.ts";
import { readJson } from "./requestBody.ts";
import { parseRequest } from "./validation.ts";

/** `POST /v1/videos/text-to-video`: checks every bound, then says with 501 that no videos are made here. Interface §4.1. */
export function handleTextToVideo(exchange: Exchange, context: ServiceContext): Promise<never> {
	return refuseVideo(exchange, context, textToVideoRequestSchema);
}

/** `POST /v1/videos/image-to-video`: as for text. Interface §4.2. */
export function handleImageToVideo(exchange: Exchange, context: ServiceContext): Promise<never> {
	return refuseVideo(exchange, context, imageToVideoRequestSchema);
}

/** `GET /v1/generations/{id}`: free of charge and effect; every id is unknown here, which is a 404. Interface §4.3. */
export async function handleGeneration(
	_exchange: Exchange,
	_context: ServiceContext,
	id: string,
): Promise<never> {
	throw new HttpFailure(
		404,
		"generation_not_found",
		`The local service has no generation with the id “${id.slice(0, 64)}”.`,
	);
}

async function refuseVideo(
	{ request }: Exchange,
	{ limits, clock }: ServiceContext,
	schema: z.ZodMiniType,
): Promise<never> {
	const bounds = { maxBytes: limits.maxJsonBytes, idleMs: limits.bodyIdleMs };
	parseRequest(schema, await readJson(request, bounds, clock));
	throw new HttpFailure(
		501,
		"not_implemented",
		"The local service does not make videos yet. Connect to a service that does.",
	);
}
