import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { HttpFailure } from "../base/failureResponse.ts";

/** What a request's address and token are compared with. */
export interface GuardedService {
	readonly port: number;
	/** 256 bits, base64url. */
	readonly token: string;
}

/**
 * Returns why a request must be rejected, or undefined. Checks only the request line and the headers, before any byte of the body is read. Every web
 * page and program on the machine can connect to a loopback port (docs/security.md).
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

/** Rejects targets in absolute form, which are for proxies. RFC 9112 §3.2. */
function refuseTarget(request: IncomingMessage): HttpFailure | undefined {
	return request.url?.startsWith("/")
		? undefined
		: new HttpFailure(400, "bad_target", "The request target must be a path.");
}

/** DNS rebinding: a page on a name that resolves to 127.0.0.1 sends that name, and over plain http no Sec-Fetch headers. */
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
 * Browsers send `Origin` for requests of pages; programs don't. `Sec-Fetch-Mode` can't be used, because Node's fetch sends it. `Sec-Fetch-Site: none`
 * is a URL entered in the address bar.
 */
function refuseBrowser(request: IncomingMessage): HttpFailure | undefined {
	const site = request.headersDistinct["sec-fetch-site"] ?? [];
	return request.headers["origin"] === undefined && site.every(value => value === "none")
		? undefined
		: new HttpFailure(403, "web_page", "Web pages may not use the local service.");
}

const proxyHeaders = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host"] as const;

/** A remote editor forwards loopback ports under its own address. Such requests have these headers (docs/security.md). */
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

/** Compares digests, because `timingSafeEqual` requires equal lengths, and the length is a hint, too. */
function areSame(given: string, expected: string): boolean {
	const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
	return timingSafeEqual(digest(given), digest(expected));
}
