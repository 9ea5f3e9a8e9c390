import { throwIfAborted } from "../../common/async.ts";
import { HttpFailure } from "../base/httpFailure.ts";
import { commonHeaders, type HttpExchange, type RouteDependencies, sendJson } from "./exchange.ts";

/**
 * `GET /v1/cutaway/details/{id}`: what the frames of one answer cannot hold, as it happens; under the id of a generation, what is known of
 * it now, such as its progress. Part of the local service alone.
 */
export async function handleDetails(
	{ response, signal }: HttpExchange,
	{ details, generations }: RouteDependencies,
	id: string,
): Promise<void> {
	throwIfAborted(signal);
	if (id.startsWith("gen-")) {
		const record = await generations?.find(id);
		const known = record && generations?.details(record);
		if (!known) {
			throw new HttpFailure(404, "no_details", "Nothing more is known of this generation.");
		}
		sendJson(response, 200, { success: true, details: known });
		return;
	}
	await details.listen(id, response, () => {
		response.writeHead(200, { ...commonHeaders, "Content-Type": "text/event-stream" });
		response.flushHeaders();
	});
}
