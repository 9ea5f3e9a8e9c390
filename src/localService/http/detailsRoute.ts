import { throwIfAborted } from "../../common/async.ts";
import { commonHeaders, type HttpExchange, type RouteDependencies } from "./exchange.ts";

/** `GET /v1/cutaway/details/{id}`: what the frames of one answer cannot hold, as it happens. Part of the local service alone. */
export async function handleDetails(
	{ response, signal }: HttpExchange,
	{ details }: RouteDependencies,
	id: string,
): Promise<void> {
	throwIfAborted(signal);
	await details.listen(id, response, () => {
		response.writeHead(200, { ...commonHeaders, "Content-Type": "text/event-stream" });
		response.flushHeaders();
	});
}
