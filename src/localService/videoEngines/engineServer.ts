import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import { rm, writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { isLoopbackHost } from "../../client/transport/transport.ts";
import { retryHint } from "../../client/request/retryAfter.ts";
import type { Clock } from "../../common/async.ts";
import { isHouseHost } from "../../common/publicAddress.ts";
import { AbortError, isAbortError } from "../../common/errors.ts";
import {
	createPublicFetch,
	encrypted,
	type NetworkOptions,
	PublicFetchError,
} from "../base/publicFetch.ts";
import { describeBytes, readWhole } from "../base/limits.ts";
import { ProxyError } from "../base/proxyChoice.ts";
import { unreached, withoutKeys } from "../base/failureResponse.ts";
import { sendRequest } from "../base/network.ts";
import { serverMessage } from "../openai/serverFailure.ts";
import type { ChargeState } from "../../client/contract/serviceError.ts";

/** Failure of a video engine's server, and whether the request may have been charged. The message is for the user. */
export class EngineFailure extends Error {
	override readonly name = "EngineFailure";
	/** `notSent`: nothing was sent. `refused`: the server rejected it. `unknown`: it may have been accepted and charged. */
	readonly charge: ChargeState;
	/** Whether a retry may help, for free requests. */
	readonly isPassing: boolean;
	readonly status: number | undefined;
	readonly retryAfterMs: number | undefined;

	constructor(
		message: string,
		details: {
			readonly charge: ChargeState;
			readonly isPassing?: boolean;
			readonly status?: number | undefined;
			readonly retryAfterMs?: number | undefined;
			readonly cause?: unknown;
		},
	) {
		super(message, details.cause === undefined ? undefined : { cause: details.cause });
		this.charge = details.charge;
		this.isPassing = details.isPassing ?? false;
		this.status = details.status;
		this.retryAfterMs = details.retryAfterMs;
	}
}

interface EngineServerOptions {
	readonly name: string;
	readonly baseUrl: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly clock: Clock;
	/** Replaces the network of downloads from other hosts. */
	readonly network?: NetworkOptions | undefined;
}

export interface EngineRequest {
	readonly method: "GET" | "POST";
	/** Path below the base URL, or a URL of the same origin. */
	readonly path: string;
	readonly body?: string | Uint8Array;
	readonly contentType?: string;
	/** Idempotency key for servers and gateways that support it. */
	readonly mark?: string;
	/** The longest silence of the server, in milliseconds. */
	readonly silentMs: number;
}

/** A complete response. */
export interface EngineAnswer {
	readonly status: number;
	readonly contentType: string;
	readonly body: string;
	readonly retryAfterMs: number | undefined;
}

/** Time limit for responses to free requests. */
export const lookupSilentMs = 30_000;
/** Time limit for responses to video requests, which some servers send only when the video is done. */
export const creationSilentMs = 30 * 60_000;
const downloadSilentMs = 60_000;
const publicDownloadMs = 10 * 60_000;
const maxRedirects = 5;
const maxAnswerBytes = 16 * 1024 * 1024;
/** The largest video to download, enough for minutes, while seconds are requested. */
const maxClipBytes = 256 * 1024 * 1024;

/**
 * Client of a video engine's server. Sends the user's key only to its origin and follows redirects of files alone. The server itself may have a private address,
 * because the user configured it; other hosts that it names must be public. docs/security.md.
 */
export class EngineServer {
	readonly name: string;
	private readonly options: EngineServerOptions;
	private readonly base: URL;

	/** Throws `EngineFailure` if the base URL is invalid. */
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
		if (url.protocol === "http:" && !isHouseHost(url.hostname)) {
			const message = `${this.name} is reached without encryption over the internet, so nothing is sent. Use https.`;
			throw new EngineFailure(message, { charge: "notSent" });
		}
		this.base = url;
	}

	/** The base URL without trailing slashes. */
	get baseUrl(): string {
		return this.base.href.replace(/\/+$/, "");
	}

	/** Sends a request and returns the response with any status except redirects. Throws `EngineFailure`, or `AbortError` if aborted. */
	async ask(request: EngineRequest, signal: AbortSignal): Promise<EngineAnswer> {
		const url = this.ownAddress(request.path);
		if (!url) {
			throw new EngineFailure(`${this.name} named an address that is not its own.`, {
				charge: "refused",
			});
		}
		try {
			const response = await this.open(url, request, signal);
			const { statusCode: status = 0 } = response;
			if (isRedirect(status)) {
				response.destroy();
				const message = `${this.name} answered with a redirect (${status}), which is not followed. Its address may have changed.`;
				throw new EngineFailure(message, { charge: "refused", status });
			}
			return await this.answerOf(response);
		} catch (error) {
			throw this.engineFailure(error, signal);
		}
	}

	/** Downloads a file to `file`, up to `maxClipBytes`, and returns its type and size. Throws like `ask`. */
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
			throw this.engineFailure(error, signal);
		}
	}

	/** Returns the URL if it belongs to this server: same origin, or the same loopback port under another host name. */
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

	refusal({ status, body, retryAfterMs }: EngineAnswer): EngineFailure {
		const words = this.withoutKey(serverMessage(body));
		const isKey = status === 401 || status === 403;
		const said = words === "" ? "" : `: ${words}`;
		return new EngineFailure(
			isKey
				? `${this.name} didn't accept the key (${status}${said}). Set another with “Cutaway: Choose Video Engine…”.`
				: `${this.name} answered ${status}${said === "" ? "." : said}`,
			{
				charge: status >= 500 ? "unknown" : "refused",
				isPassing: status >= 500 || [408, 409, 425, 429].includes(status),
				status,
				retryAfterMs,
			},
		);
	}

	/** Removes the user's key from a server's message, because some servers repeat it. docs/security.md. */
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
		return await new Promise<IncomingMessage>((resolve, reject) => {
			let incoming: IncomingMessage | undefined;
			const sent = sendRequest(url, options, answer => {
				incoming = answer;
				resolve(answer);
			});
			sent.on("timeout", () => (incoming ?? sent).destroy(new SilenceError(silentMs)));
			sent.on("error", reject);
			sent.end(body);
		});
	}

	private async answerOf(response: IncomingMessage): Promise<EngineAnswer> {
		const { statusCode: status = 0, headers } = response;
		const body = await readText(response);
		const headerOf = (name: string): string | undefined => headers[name]?.toString();
		const retryAfterMs = retryHint(status, headerOf, body, this.options.clock.now());
		return { status, contentType: headers["content-type"] ?? "", body, retryAfterMs };
	}

	private async downloadOwn(
		url: URL,
		file: string,
		signal: AbortSignal,
		onProgress: (share: number) => void,
		redirects = 0,
	): Promise<{ readonly contentType: string; readonly size: number }> {
		const { name } = this;
		const response = await this.open(url, { method: "GET", silentMs: downloadSilentMs }, signal);
		const { statusCode: status = 0, headers } = response;
		const to = URL.parse(headers.location ?? "", url.href);
		if (isRedirect(status) && to) {
			response.destroy();
			if (redirects === maxRedirects) {
				const message = `${name} redirects the video without end.`;
				throw new EngineFailure(message, { charge: "refused", status });
			}
			const own = this.ownAddress(to.href);
			// Another host gets no key, and must be public.
			return own
				? await this.downloadOwn(own, file, signal, onProgress, redirects + 1)
				: await this.downloadPublic(to.href, file, signal);
		}
		if (status !== 200) {
			throw this.refusal(await this.answerOf(response));
		}
		const stated = Number(headers["content-length"] ?? Number.NaN);
		if (stated > maxClipBytes) {
			response.destroy();
			throw tooLarge(name);
		}
		let size = 0;
		const count = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
			for await (const chunk of chunks) {
				size += chunk.length;
				if (size > maxClipBytes) {
					throw tooLarge(name);
				}
				if (stated > 0) {
					onProgress(Math.min(1, size / stated));
				}
				yield chunk;
			}
		};
		// An earlier attempt may have left a part. A file that is there afterwards was put there by somebody else.
		await rm(file, { force: true });
		const target = createWriteStream(file, { flags: "wx", mode: 0o600 });
		await pipeline(response, count, target, { signal });
		if (size < stated) {
			const message = `The video of ${name} broke off.`;
			throw new EngineFailure(message, { charge: "refused", isPassing: true });
		}
		return { contentType: headers["content-type"] ?? "", size };
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
		const { bytes, contentType } = await load(encrypted(address), signal);
		await rm(file, { force: true });
		await writeFile(file, bytes, { flag: "wx", mode: 0o600 });
		return { contentType, size: bytes.length };
	}

	/** Converts an error to a failure. Unless proven otherwise, the request counts as sent. */
	private engineFailure(error: unknown, signal: AbortSignal): Error {
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
		const found = unreached(this.name, error);
		return new EngineFailure(
			found?.sentence ?? `The connection to ${this.name} broke before its answer.`,
			{
				charge: found ? "notSent" : "unknown",
				isPassing: found?.reason !== "tls",
				cause: error,
			},
		);
	}
}

function isRedirect(status: number): boolean {
	return status >= 300 && status < 400;
}

class SilenceError extends Error {
	override readonly name = "SilenceError";
	readonly ms: number;

	constructor(ms: number) {
		super("The server was silent");
		this.ms = ms;
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
