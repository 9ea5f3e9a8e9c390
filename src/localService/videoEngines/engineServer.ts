import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import { writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { isLoopbackHost } from "../../client/transport/chooseTransport.ts";
import { parseRetryAfter } from "../../client/request/retry.ts";
import type { Clock } from "../../common/async.ts";
import { AbortError, isAbortError, toError } from "../../common/errors.ts";
import { createPublicFetch, type NetworkOptions, PublicFetchError } from "../base/publicFetch.ts";
import { describeBytes } from "../base/limits.ts";
import { ProxyError } from "../base/proxyChoice.ts";
import { readWhole } from "../base/wholeBody.ts";
import { sendRequest } from "../base/network.ts";
import { withoutKeys } from "../base/withoutKeys.ts";
import { wordsOf } from "../openai/serverFailure.ts";
import { EngineFailure, unsentReason } from "./engineFailure.ts";

/** The server of an engine, which the user has named, wherever it is; and what it has to be sent. */
export interface EngineServerOptions {
	/** Name in sentences. */
	readonly name: string;
	readonly baseUrl: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly clock: Clock;
	/** Stands in for the network of downloads from elsewhere. */
	readonly network?: NetworkOptions | undefined;
}

/** A request to an engine's server. */
export interface EngineRequest {
	readonly method: "GET" | "POST";
	/** Below the base address, or a whole address of the same origin. */
	readonly path: string;
	readonly body?: string | Uint8Array;
	readonly contentType?: string;
	/** Names the request, for servers and gateways that take the same one only once. */
	readonly mark?: string;
	/** How long the server may be silent, in milliseconds. */
	readonly silentMs: number;
}

/** An answer whose body has come. */
export interface EngineAnswer {
	readonly status: number;
	readonly contentType: string;
	readonly body: string;
	readonly retryAfterMs: number | undefined;
}

/** How long a server may take to answer what costs nothing. */
export const lookupSilentMs = 30_000;
/** How long a server may take to answer a request for a video: some answer only when it is made. */
export const creationSilentMs = 30 * 60_000;
const downloadSilentMs = 60_000;
const publicDownloadMs = 10 * 60_000;
const maxAnswerBytes = 16 * 1024 * 1024;
/** The most bytes of a clip that is taken: minutes of video, where seconds are asked for. */
export const maxClipBytes = 256 * 1024 * 1024;

/**
 * The server of an engine. The user's key goes to its origin and nowhere else (threat T1); a redirect is followed nowhere. The rule of public
 * addresses is not for a server that the user has named; it is for every other address that this one names (threat T27).
 */
export class EngineServer {
	readonly name: string;
	private readonly options: EngineServerOptions;
	private readonly base: URL;

	/** Throws `EngineFailure` where the base address is none. */
	constructor(options: EngineServerOptions) {
		this.options = options;
		this.name = options.name;
		const text = options.baseUrl.trim();
		const url = URL.canParse(text) ? new URL(text) : undefined;
		if (!url || !/^https?:$/.test(url.protocol)) {
			const message =
				"The video engine has no valid base address. “Cutaway: Choose Video Engine…” sets one.";
			throw new EngineFailure(message, { charge: "notSent" });
		}
		this.base = url;
	}

	/** The base address without a slash at its end. */
	get baseUrl(): string {
		return this.base.href.replace(/\/+$/, "");
	}

	/** Asks, and gives the answer whatever its status is, but for a redirect. Throws `EngineFailure`, or `AbortError` when the signal fires. */
	async ask(request: EngineRequest, signal: AbortSignal): Promise<EngineAnswer> {
		const url = this.ownAddress(request.path);
		if (!url) {
			throw new EngineFailure(`${this.name} named an address that is not its own.`, {
				charge: "refused",
			});
		}
		try {
			const response = await this.open(url, request, signal);
			const body = await readText(response);
			return {
				status: response.statusCode ?? 0,
				contentType: response.headers["content-type"] ?? "",
				body,
				retryAfterMs: parseRetryAfter(response.headers["retry-after"], this.options.clock.now()),
			};
		} catch (error) {
			throw this.failureOf(error, signal);
		}
	}

	/** Loads a file into `file`, at most `maxClipBytes`; returns its type and size. Throws as `ask` does. */
	async download(
		address: string,
		file: string,
		signal: AbortSignal,
		onProgress: (share: number) => void = () => {},
	): Promise<{ readonly contentType: string; readonly size: number }> {
		const own = this.ownAddress(address);
		try {
			return own
				? await this.downloadOwn(own, file, signal, onProgress)
				: await this.downloadPublic(address, file, signal);
		} catch (error) {
			throw this.failureOf(error, signal);
		}
	}

	/** The address, if it is one of this server: of its origin, or of its port on this machine under another name. */
	ownAddress(address: string): URL | undefined {
		const isWhole = /^[a-z][a-z0-9+.-]*:/i.test(address) || address.startsWith("//");
		const target = isWhole
			? address
			: `${address.startsWith("/") ? this.base.origin : ""}${address}`;
		const url = URL.canParse(target, `${this.baseUrl}/`)
			? new URL(target, `${this.baseUrl}/`)
			: undefined;
		if (!url || url.username !== "" || url.password !== "") {
			return undefined;
		}
		if (url.origin === this.base.origin) {
			return url;
		}
		const isSameHere =
			isLoopbackHost(url.hostname) &&
			isLoopbackHost(this.base.hostname) &&
			url.port === this.base.port &&
			url.protocol === this.base.protocol;
		return isSameHere ? new URL(`${url.pathname}${url.search}`, this.base.origin) : undefined;
	}

	/** A failure for an answer with a status that is none of success. */
	refusal({ status, body, retryAfterMs }: EngineAnswer): EngineFailure {
		const words = this.withoutKey(wordsOf(body));
		const isKey = status === 401 || status === 403;
		const said = words === "" ? "" : `: ${words}`;
		return new EngineFailure(
			isKey
				? `${this.name} refused the key (${status}${said}). “Cutaway: Choose Video Engine…” sets another.`
				: `${this.name} answered ${status}${said === "" ? "." : said}`,
			{
				// A server or gateway that fails may have taken the request; one that refuses has not.
				charge: status >= 500 ? "unknown" : "refused",
				isPassing: status >= 500 || [408, 409, 425, 429].includes(status),
				...{ status, retryAfterMs },
			},
		);
	}

	/** A text of this server without the user's key, which some servers repeat when they refuse it (threat T4). */
	withoutKey(text: string): string {
		return withoutKeys(text, this.options.headers);
	}

	private async open(
		url: URL,
		{ method, body, contentType, mark, silentMs }: Omit<EngineRequest, "path">,
		signal: AbortSignal,
	): Promise<IncomingMessage> {
		const headers: Record<string, string | number> = {
			...this.options.headers,
			Accept: "application/json, video/*;q=0.9, */*;q=0.5",
			"Accept-Encoding": "identity",
			"User-Agent": "Cutaway",
			...(contentType === undefined ? {} : { "Content-Type": contentType }),
			...(mark === undefined ? {} : { "Idempotency-Key": mark }),
			...(body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) }),
		};
		const options = { method, headers, signal, timeout: silentMs };
		const response = await new Promise<IncomingMessage>((resolve, reject) => {
			let incoming: IncomingMessage | undefined;
			const sent = sendRequest(url, options, answer => {
				incoming = answer;
				resolve(answer);
			});
			sent.on("timeout", () => (incoming ?? sent).destroy(new SilenceError(silentMs)));
			sent.on("error", reject);
			sent.end(body);
		});
		const { statusCode: status = 0 } = response;
		if (status >= 300 && status < 400) {
			response.destroy();
			const message = `${this.name} answered with a redirect (${status}), which is not followed. Its address may have changed.`;
			throw new EngineFailure(message, { charge: "refused", status });
		}
		return response;
	}

	private async downloadOwn(
		url: URL,
		file: string,
		signal: AbortSignal,
		onProgress: (share: number) => void,
	): Promise<{ readonly contentType: string; readonly size: number }> {
		const response = await this.open(url, { method: "GET", silentMs: downloadSilentMs }, signal);
		const { statusCode: status = 0, headers } = response;
		if (status !== 200) {
			throw this.refusal({
				status,
				contentType: headers["content-type"] ?? "",
				body: await readText(response),
				retryAfterMs: parseRetryAfter(headers["retry-after"], this.options.clock.now()),
			});
		}
		const stated = Number(headers["content-length"] ?? Number.NaN);
		if (stated > maxClipBytes) {
			response.destroy();
			throw tooLarge(this.name);
		}
		const count = new ByteCount(this.name, stated, onProgress);
		await pipeline(response, chunks => count.over(chunks), createWriteStream(file), { signal });
		if (count.size < stated) {
			throw new EngineFailure(`The video of ${this.name} broke off.`, {
				charge: "refused",
				isPassing: true,
			});
		}
		return { contentType: headers["content-type"] ?? "", size: count.size };
	}

	private async downloadPublic(
		address: string,
		file: string,
		signal: AbortSignal,
	): Promise<{ readonly contentType: string; readonly size: number }> {
		const load = createPublicFetch({
			...this.options.network,
			clock: this.options.clock,
			noun: "video",
			accept: "video/*, */*;q=0.5",
			timeoutMs: publicDownloadMs,
			maxBytes: maxClipBytes,
		});
		const { bytes, contentType } = await load(address, signal);
		await writeFile(file, bytes);
		return { contentType, size: bytes.length };
	}

	/** The failure that a thrown error means; what cannot be proven to be unsent counts as sent. */
	private failureOf(error: unknown, signal: AbortSignal): Error {
		if (error instanceof EngineFailure) {
			return error;
		}
		if (signal.aborted || isAbortError(error)) {
			return new AbortError();
		}
		if (error instanceof ProxyError) {
			return new EngineFailure(error.message, { charge: "notSent", isPassing: error.isPassing });
		}
		if (error instanceof PublicFetchError) {
			return new EngineFailure(error.message, { charge: "refused", isPassing: true });
		}
		if (error instanceof SilenceError) {
			const message = `${this.name} was silent for ${error.ms / 1000} s.`;
			return new EngineFailure(message, { charge: "unknown", isPassing: true });
		}
		const reason = unsentReason(error);
		const sentences = {
			refused: `${this.name} is not running: nothing listens at its address.`,
			unknownHost: `${this.name} was not found: its address has no such host.`,
			unreachable: `${this.name} could not be reached: ${toError(error).message}.`,
			tls: `${this.name} could not be trusted: ${toError(error).message}.`,
		};
		return new EngineFailure(
			reason ? sentences[reason] : `The connection to ${this.name} broke before its answer.`,
			{ charge: reason ? "notSent" : "unknown", isPassing: reason !== "tls", cause: error },
		);
	}
}

class SilenceError extends Error {
	override readonly name = "SilenceError";
	readonly ms: number;

	constructor(ms: number) {
		super("The server was silent");
		this.ms = ms;
	}
}

/** Counts the bytes of a clip as they pass. */
class ByteCount {
	size = 0;
	private readonly name: string;
	private readonly stated: number;
	private readonly onProgress: (share: number) => void;

	constructor(name: string, stated: number, onProgress: (share: number) => void) {
		this.name = name;
		this.stated = stated;
		this.onProgress = onProgress;
	}

	async *over(chunks: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
		for await (const chunk of chunks) {
			if (chunk instanceof Uint8Array) {
				this.size += chunk.length;
				if (this.size > maxClipBytes) {
					throw tooLarge(this.name);
				}
				if (this.stated > 0) {
					this.onProgress(Math.min(1, this.size / this.stated));
				}
				yield chunk;
			}
		}
	}
}

function tooLarge(name: string): EngineFailure {
	const message = `The video of ${name} is larger than ${describeBytes(maxClipBytes)}, and was not loaded.`;
	return new EngineFailure(message, { charge: "refused" });
}

async function readText(response: IncomingMessage): Promise<string> {
	const tooLong = (): EngineFailure =>
		new EngineFailure("The server's answer is larger than any answer about a video.", {
			charge: "unknown",
		});
	return (await readWhole(response, maxAnswerBytes, tooLong)).toString("utf8");
}
