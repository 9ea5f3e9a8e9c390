import type { IncomingMessage } from "node:http";
import { handleChat } from "./chatRoute.ts";
import {
	handleClip,
	handleGeneration,
	handleImageToVideo,
	handleTextToVideo,
} from "./videoRoutes.ts";
import type { HttpExchange, RouteDependencies } from "./exchange.ts";
import { handleFileUpload } from "./filesRoute.ts";
import { HttpFailure } from "../base/failureResponse.ts";

/** Handles a request. `id` is the path parameter, or empty. Throws `HttpFailure`. */
type Handler = (
	exchange: HttpExchange,
	dependencies: RouteDependencies,
	id: string,
) => Promise<void>;

interface Route {
	/** The path; `{id}` matches one segment. */
	readonly path: string;
	readonly method: "GET" | "POST";
	/** Media type of the body; absent if none is read. */
	readonly mediaType?: "application/json" | "multipart/form-data";
	readonly handle: Handler;
}

/**
 * All paths of the service. docs/interface.md §4; it also defines `/v1/files`. The path of clips isn't part of the interface. Invariant: a GET
 * request has no effect except continuing unfinished work.
 */
const routes: readonly Route[] = [
	{ path: "/v1/chat/messages", method: "POST", mediaType: "application/json", handle: handleChat },
	{ path: "/v1/files", method: "POST", mediaType: "multipart/form-data", handle: handleFileUpload },
	{ path: "/v1/generations/{id}", method: "GET", handle: handleGeneration },
	{ path: "/v1/generations/{id}/clip", method: "GET", handle: handleClip },
	{
		path: "/v1/videos/text-to-video",
		method: "POST",
		mediaType: "application/json",
		handle: handleTextToVideo,
	},
	{
		path: "/v1/videos/image-to-video",
		method: "POST",
		mediaType: "application/json",
		handle: handleImageToVideo,
	},
];

export interface RouteMatch {
	/** The path pattern, suitable for a log. */
	readonly path: string;
	readonly id: string;
	readonly handle: Handler;
}

/** Finds the handler for a request by its request line and headers. Throws `HttpFailure` 404, 405, 411 or 415 if there is none. */
export function matchRoute(request: IncomingMessage): RouteMatch {
	const path = request.url?.split("?", 1)[0] ?? "";
	const [, id, clip = ""] = /^\/v1\/generations\/([^/]+)(\/clip\.[a-z0-9]{3,4})?$/.exec(path) ?? [];
	const template = id === undefined ? path : `/v1/generations/{id}${clip === "" ? "" : "/clip"}`;
	const route = routes.find(candidate => candidate.path === template);
	if (!route) {
		throw new HttpFailure(404, "unknown_path", "There is nothing at this path.");
	}
	if (request.method !== route.method) {
		const message = `This path answers ${route.method} only.`;
		throw new HttpFailure(405, "method_not_allowed", message, { Allow: route.method });
	}
	if (route.mediaType !== undefined) {
		checkBodyHeaders(request, route.mediaType);
	}
	return { path: route.path, id: decodeId(id), handle: route.handle };
}

/** Web pages can send text/plain and forms to any origin without a preflight (docs/security.md). */
function checkBodyHeaders(request: IncomingMessage, mediaType: string): void {
	const types = request.headersDistinct["content-type"] ?? [];
	const [essence, ...parameters] = (types[0] ?? "").toLowerCase().split(";");
	const charset = parameters.map(text => text.trim()).find(text => text.startsWith("charset="));
	const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
	if (types.length !== 1 || essence?.trim() !== mediaType || !isUtf8) {
		throw new HttpFailure(415, "unsupported_media_type", `Send ${mediaType}, in UTF-8.`);
	}
	if (request.headers["content-encoding"] !== undefined) {
		throw new HttpFailure(415, "unsupported_encoding", "Send the body without compression.");
	}
	const { "content-length": length, "transfer-encoding": encoding } = request.headers;
	if (length === undefined && encoding === undefined) {
		throw new HttpFailure(411, "length_required", "The request has no body.");
	}
}

function decodeId(id: string | undefined): string {
	try {
		return decodeURIComponent(id ?? "");
	} catch {
		throw new HttpFailure(400, "bad_target", "The path is not validly percent-encoded.");
	}
}
