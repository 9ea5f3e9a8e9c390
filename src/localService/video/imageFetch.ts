import { lookup as systemLookup } from "node:dns/promises";
import { type IncomingMessage, request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import type { Clock } from "../../common/async.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import { isPublicAddress } from "../../common/publicAddress.ts";
import { describeBytes } from "../limits.ts";

/** An image could not be had; the message is a sentence for the person who asked. */
export class ImageFetchError extends Error {
	override readonly name = "ImageFetchError";
}

/** Loads an image; throws `ImageFetchError`, or `AbortError` when the signal fires. */
export type FetchImage = (url: string, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;

/** An IP address with its family, as the system resolves a name to. */
export interface ResolvedAddress {
	readonly address: string;
	readonly family: number;
}

/** What fetching depends on. */
export interface ImageFetchOptions {
	readonly clock: Clock;
	/** All addresses of a name; the system's resolver by default. */
	readonly resolve?: (name: string) => Promise<readonly ResolvedAddress[]>;
	/** Which addresses may be spoken to; public ones by default. */
	readonly isAllowed?: (address: string) => boolean;
	/** Milliseconds for everything together; 10 s by default. */
	readonly timeoutMs?: number;
	/** Bytes an image may have; 20 MB by default. */
	readonly maxBytes?: number;
}

const maxRedirects = 5;

/**
 * Makes a loader for images at public addresses: at most 10 s, 20 MB and 5 redirects. A name is resolved once for each
 * hop, every address it has must be public, and the connection goes to one of just these, so that a name which changes
 * in between leads nowhere else. Threat T27.
 */
export function createImageFetch(options: ImageFetchOptions): FetchImage {
	const { clock, timeoutMs = 10_000 } = options;
	return async (url, signal) => {
		const deadline = new AbortController();
		const timer = clock.setTimer(timeoutMs, () => deadline.abort());
		try {
			return await follow(url, options, AbortSignal.any([signal, deadline.signal]));
		} catch (error) {
			if (deadline.signal.aborted && !signal.aborted) {
				throw new ImageFetchError(`The image did not arrive within ${timeoutMs / 1000} s.`);
			}
			throw error instanceof ImageFetchError || isAbortError(error)
				? error
				: new ImageFetchError(`The image could not be loaded: ${toError(error).message}.`);
		} finally {
			timer.dispose();
		}
	};
}

async function follow(
	start: string,
	options: ImageFetchOptions,
	signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
	let url = start;
	for (let hop = 0; hop <= maxRedirects; hop += 1) {
		const target = checkUrl(url);
		const address = await resolvePublic(target, options);
		const response = await ask(target, address, signal);
		const { statusCode = 0, headers } = response;
		if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) {
			return await readImage(response, options.maxBytes ?? 20 * 1024 * 1024);
		}
		response.destroy();
		url = new URL(headers.location, target).href;
	}
	throw new ImageFetchError(`The image's address redirects more than ${maxRedirects} times.`);
}

function checkUrl(text: string): URL {
	const url = URL.parse(text);
	if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
		throw new ImageFetchError("The image's address does not lead to http or https.");
	}
	if (url.username !== "" || url.password !== "") {
		throw new ImageFetchError("The image's address holds a user name or a password.");
	}
	return url;
}

async function resolvePublic(
	url: URL,
	{ resolve = resolveBySystem, isAllowed = isPublicAddress }: ImageFetchOptions,
): Promise<ResolvedAddress> {
	const host = url.hostname.replaceAll(/^\[|\]$/g, "");
	const family = isIP(host);
	const addresses = family === 0 ? await resolve(host) : [{ address: host, family }];
	const [first] = addresses;
	if (!first || !addresses.every(({ address }) => isAllowed(address))) {
		throw new ImageFetchError(
			`“${host}” is an address of this machine or its network. Only public addresses are loaded.`,
		);
	}
	return first;
}

function resolveBySystem(name: string): Promise<readonly ResolvedAddress[]> {
	return systemLookup(name, { all: true, verbatim: true });
}

function ask(url: URL, address: ResolvedAddress, signal: AbortSignal): Promise<IncomingMessage> {
	const send = url.protocol === "https:" ? httpsRequest : httpRequest;
	const options: RequestOptions = {
		agent: false,
		signal,
		headers: {
			Accept: "image/png, image/jpeg, image/webp, image/gif",
			"Accept-Encoding": "identity",
			"User-Agent": "Cutaway",
		},
		lookup: (_name, { all }, done) => {
			if (all) {
				done(null, [{ ...address }]);
			} else {
				done(null, address.address, address.family);
			}
		},
	};
	return new Promise((resolve, reject) => {
		send(url, options, resolve).on("error", reject).end();
	});
}

async function readImage(
	response: IncomingMessage,
	maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
	if (response.statusCode !== 200) {
		response.destroy();
		throw new ImageFetchError(`The image's server answered with status ${response.statusCode}.`);
	}
	const tooLarge = `The image is larger than ${describeBytes(maxBytes)}.`;
	if (Number(response.headers["content-length"] ?? 0) > maxBytes) {
		response.destroy();
		throw new ImageFetchError(tooLarge);
	}
	const chunks: Uint8Array[] = [];
	let size = 0;
	// Leaving the loop early destroys the response.
	for await (const chunk of response) {
		const bytes: unknown = chunk;
		if (bytes instanceof Uint8Array) {
			size += bytes.length;
			chunks.push(bytes);
		}
		if (size > maxBytes) {
			throw new ImageFetchError(tooLarge);
		}
	}
	return Uint8Array.from(Buffer.concat(chunks));
}
