import { lookup as systemLookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Clock } from "../../common/async.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import { describeBytes } from "./limits.ts";
import { isPublicAddress } from "../../common/publicAddress.ts";
import { untilAborted } from "../../common/untilAborted.ts";
import { isProxied, sendRequest, type SendOptions } from "./network.ts";
import { ProxyError } from "./proxyChoice.ts";
import { readWhole } from "./wholeBody.ts";

/** Something at a public address could not be had; the message is a sentence for the user who asked. */
export class PublicFetchError extends Error {
	override readonly name = "PublicFetchError";
}

/** Answer of a public address. */
export interface PublicAnswer {
	/** Where it came from, after redirects. */
	readonly url: string;
	/** The header `Content-Type`, empty where there is none. */
	readonly contentType: string;
	readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Loads from a public address; throws `PublicFetchError`, or `AbortError` when the signal fires. */
export type PublicFetch = (url: string, signal: AbortSignal) => Promise<PublicAnswer>;

/** Asks a public address once; a redirect is not followed, but leads `to` an address. Throws as `PublicFetch` does. */
export type PublicRequest = (
	url: string,
	signal: AbortSignal,
) => Promise<PublicAnswer | { readonly to: string }>;

/** An IP address with its family, as the system resolves a name to. */
export interface ResolvedAddress {
	readonly address: string;
	readonly family: number;
}

/** The network, where a test stands in for it. */
export interface NetworkOptions {
	/** All addresses of a name; the system's resolver by default. */
	readonly resolve?: (name: string) => Promise<readonly ResolvedAddress[]>;
	/** Which addresses may be spoken to; public ones by default. */
	readonly isAllowed?: (address: string) => boolean;
}

/** Choices for a fetch. */
export interface PublicFetchOptions extends NetworkOptions {
	readonly clock: Clock;
	/** Noun for the loaded thing in sentences: `image`. */
	readonly noun: string;
	/** The header `Accept`. */
	readonly accept: string;
	/** Milliseconds for everything together. */
	readonly timeoutMs: number;
	/** Bytes it may have. */
	readonly maxBytes: number;
}

const maxRedirects = 5;

/**
 * Makes a loader for public addresses, with at most 5 redirects. A name is resolved once for each hop, every address it has
 * must be public, and the connection goes to one of just these, so that a name which changes in between leads nowhere
 * else. A proxy finds the address itself: a name then needs to have public addresses here only where this machine knows it. Threat T27.
 */
export function createPublicFetch(options: PublicFetchOptions): PublicFetch {
	return bounded(options, follow);
}

/** Makes a loader that follows no redirect, and is otherwise the same. */
export function createPublicRequest(options: PublicFetchOptions): PublicRequest {
	return bounded(options, askOnce);
}

/** A way to load, within the time there is for everything together. */
function bounded<Result>(
	options: PublicFetchOptions,
	load: (url: string, options: PublicFetchOptions, signal: AbortSignal) => Promise<Result>,
): (url: string, signal: AbortSignal) => Promise<Result> {
	const { clock, timeoutMs, noun } = options;
	return async (url, signal) => {
		const deadline = new AbortController();
		const timer = clock.setTimer(timeoutMs, () => deadline.abort());
		try {
			return await load(url, options, AbortSignal.any([signal, deadline.signal]));
		} catch (error) {
			if (deadline.signal.aborted && !signal.aborted) {
				throw new PublicFetchError(`The ${noun} did not arrive within ${timeoutMs / 1000} s.`);
			}
			if (error instanceof ProxyError) {
				throw new PublicFetchError(error.message);
			}
			throw error instanceof PublicFetchError || isAbortError(error)
				? error
				: new PublicFetchError(`The ${noun} could not be loaded: ${toError(error).message}.`);
		} finally {
			timer.dispose();
		}
	};
}

async function follow(
	start: string,
	options: PublicFetchOptions,
	signal: AbortSignal,
): Promise<PublicAnswer> {
	let url = start;
	for (let hop = 0; hop <= maxRedirects; hop += 1) {
		const answer = await askOnce(url, options, signal);
		if (!("to" in answer)) {
			return answer;
		}
		url = answer.to;
	}
	throw new PublicFetchError(
		`The ${options.noun}'s address redirects more than ${maxRedirects} times.`,
	);
}

async function askOnce(
	url: string,
	options: PublicFetchOptions,
	signal: AbortSignal,
): ReturnType<PublicRequest> {
	const target = checkUrl(url, options.noun);
	const address = await untilAborted(resolvePublic(target, options), signal);
	const response = await ask(target, address, options.accept, signal);
	const { statusCode = 0, headers } = response;
	if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) {
		const bytes = await readBytes(response, options);
		return { url: target.href, contentType: headers["content-type"] ?? "", bytes };
	}
	response.destroy();
	return { to: new URL(headers.location, target).href };
}

function checkUrl(text: string, noun: string): URL {
	const url = URL.parse(text);
	if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
		throw new PublicFetchError(`The ${noun}'s address does not lead to http or https.`);
	}
	if (url.username !== "" || url.password !== "") {
		throw new PublicFetchError(`The ${noun}'s address holds a user name or a password.`);
	}
	return url;
}

/** An address that may be connected to; undefined for a name that only a proxy knows. */
async function resolvePublic(
	url: URL,
	{ resolve = resolveBySystem, isAllowed = isPublicAddress }: PublicFetchOptions,
): Promise<ResolvedAddress | undefined> {
	const host = url.hostname.replaceAll(/^\[|\]$/g, "");
	const family = isIP(host);
	const isLeftToProxy = family === 0 && isProxied(url) && !isInternalName(host);
	const found = family === 0 ? resolve(host) : [{ address: host, family }];
	const addresses = isLeftToProxy ? await unlessUnknown(found) : await found;
	const [first] = addresses;
	if (first ? !addresses.every(({ address }) => isAllowed(address)) : !isLeftToProxy) {
		throw new PublicFetchError(
			`“${host}” is an address of this machine or its network. Only public addresses are loaded.`,
		);
	}
	return first;
}

/** Behind a proxy, this machine may know no names outside. */
async function unlessUnknown(
	found: Promise<readonly ResolvedAddress[]> | readonly ResolvedAddress[],
): Promise<readonly ResolvedAddress[]> {
	try {
		return await found;
	} catch {
		return [];
	}
}

/** Names that nobody outside can have, which a proxy would find in its own network. RFC 6761, RFC 6762, RFC 8375. */
function isInternalName(host: string): boolean {
	return (
		!host.replace(/\.$/, "").includes(".") ||
		/\.(?:localhost|local|internal|intranet|private|corp|home|lan|home\.arpa)\.?$/i.test(host)
	);
}

/** Looks a name up as other programs do; it cannot be stopped and may take minutes. */
function resolveBySystem(name: string): Promise<readonly ResolvedAddress[]> {
	return systemLookup(name, { all: true, verbatim: true });
}

function ask(
	url: URL,
	address: ResolvedAddress | undefined,
	accept: string,
	signal: AbortSignal,
): Promise<IncomingMessage> {
	const options: SendOptions = {
		signal,
		headers: {
			Accept: accept,
			"Accept-Encoding": "identity",
			"User-Agent": "Cutaway",
		},
		...(address && {
			lookup: (_name, { all }, done) => {
				if (all) {
					done(null, [{ ...address }]);
				} else {
					done(null, address.address, address.family);
				}
			},
		}),
	};
	return new Promise((resolve, reject) => {
		sendRequest(url, options, resolve).on("error", reject).end();
	});
}

async function readBytes(
	response: IncomingMessage,
	{ maxBytes, noun }: PublicFetchOptions,
): Promise<Uint8Array<ArrayBuffer>> {
	if (response.statusCode !== 200) {
		response.destroy();
		throw new PublicFetchError(`The ${noun}'s server answered with status ${response.statusCode}.`);
	}
	const tooLarge = `The ${noun} is larger than ${describeBytes(maxBytes)}.`;
	if (Number(response.headers["content-length"] ?? 0) > maxBytes) {
		response.destroy();
		throw new PublicFetchError(tooLarge);
	}
	return Uint8Array.from(await readWhole(response, maxBytes, () => new PublicFetchError(tooLarge)));
}
