import type { Clock } from "../../common/async.ts";
import { createPublicFetch, type NetworkOptions, PublicFetchError } from "../base/publicFetch.ts";

/** Thrown if an image can't be loaded. The message is for the user. */
export { PublicFetchError as ImageFetchError };

/** Loads an image. Throws `ImageFetchError`, or `AbortError` if aborted. */
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
