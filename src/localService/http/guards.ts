import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { HttpFailure } from "../base/httpFailure.ts";

/** Secrets a caller must know. */
export interface GuardedService {
	readonly port: number;
	/** 256 bits, base64url. */
	readonly token: string;
}

/**
 * Why a request must not be acted on, or undefined when it may pass. Looks at the request line and the headers
 * alone, so it runs before a byte of the body is read. A loopback port is open to every web page and every program
 * on the machine, threats T21 to T23.
 */
export function refusalOf(
	request: IncomingMessage,
	service: GuardedService,
): HttpFailure | undefined {
	return (
		refuseTarget(request) ??
		refuseHost(request, service.port) ??
		refuseBrowser(request) ??
		refuseProxied(request) ??
		refuseToken(request, service.token)
	);
}

/** A proxy asks with a whole address (absolute-form); only a path is meant for us. RFC 9112 §3.2. */
function refuseTarget(request: IncomingMessage): HttpFailure | undefined {
	return request.url?.startsWith("/")
		? undefined
		: new HttpFailure(400, "bad_target", "The request target must be a path.");
}

/** A page on a name rebound to 127.0.0.1 sends that name, and over plain http no Sec-Fetch header gives it away. */
function refuseHost(request: IncomingMessage, port: number): HttpFailure | undefined {
	const hosts = request.headersDistinct["host"] ?? [];
	const isOurs = hosts[0] === `127.0.0.1:${port}` || hosts[0] === `localhost:${port}`;
	return hosts.length === 1 && isOurs
		? undefined
		: new HttpFailure(
				403,
				"wrong_host",
				`The Host header must be 127.0.0.1:${port} or localhost:${port}.`,
			);
}

/**
 * Browsers add `Origin` to what pages send; programs do not. `Sec-Fetch-Mode` says nothing, as Node's own fetch sends
 * it; `Sec-Fetch-Site: none` is what a user types into the address bar.
 */
function refuseBrowser(request: IncomingMessage): HttpFailure | undefined {
	const site = request.headersDistinct["sec-fetch-site"] ?? [];
	return request.headers["origin"] === undefined && site.every(value => value === "none")
		? undefined
		: new HttpFailure(403, "web_page", "Web pages may not use the local service.");
}

const proxyHeaders = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host"] as const;

/** A remote editor makes loopback ports reachable under its own address; such requests carry these. Threat T23. */
function refuseProxied(request: IncomingMessage): HttpFailure | undefined {
	return proxyHeaders.every(name => request.headers[name] === undefined)
		? undefined
		: new HttpFailure(403, "proxied", "The local service does not answer through a proxy.");
}

/** @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
const bearerPattern = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

function refuseToken(request: IncomingMessage, token: string): HttpFailure | undefined {
	const values = request.headersDistinct["authorization"] ?? [];
	const given = values.length === 1 ? bearerPattern.exec(values[0] ?? "")?.[1] : undefined;
	if (given !== undefined && areSame(given, token)) {
		return undefined;
	}
	const message =
		values.length === 0
			? "Send the service's token in the header “Authorization: Bearer TOKEN”."
			: "The token in the Authorization header is not this service's token.";
	return new HttpFailure(401, "unauthorized", message, { "WWW-Authenticate": "Bearer" });
}

/** Compares digests, because `timingSafeEqual` needs equal lengths and a length is a hint as well. */
function areSame(given: string, expected: string): boolean {
	const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
	return timingSafeEqual(digest(given), digest(expected));
}
