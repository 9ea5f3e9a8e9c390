import type { Clock } from "../../common/async.ts";
import { createPublicFetch, type NetworkOptions, PublicFetchError } from "../base/publicFetch.ts";

/** An image could not be had; the message is a sentence for the user who asked. */
export { PublicFetchError as ImageFetchError };

/** Loads an image; throws `ImageFetchError`, or `AbortError` when the signal fires. */
export type FetchImage = (url: string, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;

/** Choices for fetching an image. */
export interface ImageFetchOptions extends NetworkOptions {
	readonly clock: Clock;
	/** Milliseconds for everything together; 10 s by default. */
	readonly timeoutMs?: number;
	/** Bytes an image may have; 20 MB by default. */
	readonly maxBytes?: number;
}

/** Makes a loader for images at public addresses: at most 10 s, 20 MB and 5 redirects. Threat T27. */
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
