import type { ServiceClient } from "../../client/index.ts";
import type { VideoRequest } from "../job/index.ts";

/** Sends what a person asked for, once, and resolves with the generation's id. Interface §4.1, §4.2; throws `ServiceError`. */
export function createGeneration(client: ServiceClient, request: VideoRequest): Promise<string> {
	const options = {
		...(request.duration === undefined ? {} : { duration: request.duration }),
		...(request.motionStrength === undefined ? {} : { motion_strength: request.motionStrength }),
	};
	return request.kind === "text"
		? client.createTextToVideo({ prompt: request.prompt, ...options })
		: client.createImageToVideo({ image_url: request.imageUrl, ...options });
}
