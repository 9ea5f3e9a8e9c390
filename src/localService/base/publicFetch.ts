import { lookup as systemLookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { type Clock, untilAborted } from "../../common/async.ts";
import {
	brokenConnectionCode,
	isAbortError,
	toError,
	systemCode,
	unknownHostCode,
} from "../../common/errors.ts";
import { describeBytes, readWhole } from "./limits.ts";
import { isHouseHost, isPublicAddress } from "../../common/publicAddress.ts";
import { isProxied, sendRequest, type SendOptions } from "./network.ts";
import { ProxyError } from "./proxyChoice.ts";

/** Thrown if something can't be loaded from a public address. The message is for the user. */
export class PublicFetchError extends Error {
	override readonly name = "PublicFetchError";
}

export interface PublicAnswer {
	readonly url: string;
	/** The header `Content-Type`, or empty. */
	readonly contentType: string;
	readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Loads from a public address. Throws `PublicFetchError`, or `AbortError` if aborted. */
type PublicFetch = (url: string, signal: AbortSignal) => Promise<PublicAnswer>;

/** Like `PublicFetch`, but returns the target of a redirect as `to` instead of following it. */
type PublicRequest = (
	url: string,
	signal: AbortSignal,
) => Promise<PublicAnswer | { readonly to: string }>;

interface ResolvedAddress {
	readonly address: string;
	readonly family: number;
}

/** Network functions that tests replace. */
export interface NetworkOptions {
	/** Resolves all addresses of a host; the system's resolver by default. */
	readonly resolve?: (name: string) => Promise<readonly ResolvedAddress[]>;
	/** Whether connecting to an address is allowed; public addresses by default. */
	readonly isAllowed?: (address: string) => boolean;
}

interface PublicFetchOptions extends NetworkOptions {
	readonly clock: Clock;
	/** Noun for messages, such as `image`. */
	readonly noun: string;
	readonly accept: string;
	/** Time limit for the whole load, in milliseconds. */
	readonly timeoutMs: number;
	readonly maxBytes: number;
}

const maxRedirects = 5;

/**
 * Creates a loader for public addresses that follows up to 5 redirects. Resolves the host once per hop, requires all its addresses to be public, and
 * connects to one of them, so that changing the DNS record in between has no effect. A proxy resolves the host itself; then the addresses are checked
 * only if this machine can resolve the name. docs/security.md.
 */
export function createPublicFetch(options: PublicFetchOptions): PublicFetch {
	return bounded(options, follow);
}

/** Creates a loader like `createPublicFetch` that follows no redirect. */
export function createPublicRequest(options: PublicFetchOptions): PublicRequest {
	return bounded(options, askOnce);
}

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
			throw error;
		} finally {
			timer.dispose();
		}
	};
}

/** Describes a network error without system codes, which mean little to users. */
function networkReason(error: unknown, { host }: URL): string {
	const code = systemCode(error);
	if (unknownHostCode.test(code)) {
		return `there is no server “${host}”, or no connection to the network`;
	}
	return brokenConnectionCode.test(code)
		? `the server “${host}” could not be reached`
		: toError(error).message;
}

/** Returns a URL with `https:` in place of `http:`, except for hosts of the user's network, which need no certificate. */
export function encrypted(address: string): string {
	const url = URL.parse(address);
	if (url?.protocol !== "http:" || isHouseHost(url.hostname)) {
		return address;
	}
	url.protocol = "https:";
	return url.href;
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
	try {
		return await askTarget(target, options, signal);
	} catch (error) {
		if (error instanceof PublicFetchError || isAbortError(error)) {
			throw error;
		}
		const sentence =
			error instanceof ProxyError
				? error.message
				: `The ${options.noun} could not be loaded: ${networkReason(error, target)}.`;
		throw new PublicFetchError(sentence, { cause: error });
	}
}

async function askTarget(
	target: URL,
	options: PublicFetchOptions,
	signal: AbortSignal,
): ReturnType<PublicRequest> {
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

/** Returns an allowed address of the host, or undefined if only a proxy can resolve it. */
async function resolvePublic(
	url: URL,
	{ resolve = resolveBySystem, isAllowed = isPublicAddress }: PublicFetchOptions,
): Promise<ResolvedAddress | undefined> {
	const host = url.hostname.replaceAll(/^\[|\]$/g, "");
	const family = isIP(host);
	const isLeftToProxy = family === 0 && isProxied(url) && !isInternalName(host);
	const found = family === 0 ? resolve(host) : Promise.resolve([{ address: host, family }]);
	// Behind a proxy, this machine may not be able to resolve external names.
	const addresses = await (isLeftToProxy ? found.catch(() => []) : found);
	const [first] = addresses;
	if (first ? !addresses.every(({ address }) => isAllowed(address)) : !isLeftToProxy) {
		throw new PublicFetchError(
			`“${host}” is an address of this machine or its network. Only public addresses are loaded.`,
		);
	}
	return first;
}

/** Names that can't exist publicly, and that a proxy would resolve in its own network. RFC 6761, RFC 6762, RFC 8375. */
function isInternalName(host: string): boolean {
	return (
		!host.replace(/\.$/, "").includes(".") ||
		/\.(?:localhost|local|internal|intranet|private|corp|home|lan|home\.arpa)\.?$/i.test(host)
	);
}

/** Resolves a host like other programs. Can't be canceled and may take minutes. */
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
		headers: { Accept: accept, "Accept-Encoding": "identity", "User-Agent": "Cutaway" },
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

/** Loads an image. Throws `PublicFetchError`, or `AbortError` if aborted. */
export type FetchImage = (url: string, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;

export interface ImageFetchOptions extends NetworkOptions {
	readonly clock: Clock;
	/** Time limit for the whole load, in milliseconds; 10 s by default. */
	readonly timeoutMs?: number;
	/** Size limit in bytes; 20 MB by default. */
	readonly maxBytes?: number;
}

/** Creates a loader for images at public addresses, by default limited to 10 s, 20 MB and 5 redirects. docs/security.md. */
export function createImageFetch(options: ImageFetchOptions): FetchImage {
	const load = createPublicFetch({
		timeoutMs: 10_000,
		maxBytes: 20 * 1024 * 1024,
		...options,
		noun: "image",
		accept: "image/png, image/jpeg, image/webp, image/gif",
	});
	return async (url, signal) => (await load(url, signal)).bytes;
}
