import {
	type ClientRequest,
	type IncomingMessage,
	request as requestHttp,
	type RequestOptions,
} from "node:http";
import { request as requestHttps } from "node:https";
import { Socket } from "node:net";
import { Readable } from "node:stream";
import { ReadableStream as NodeStream } from "node:stream/web";
import { directNetwork, type NetworkSetup } from "../../client/transport/transport.ts";
import { inflate } from "../../client/transport/inflate.ts";
import { AbortError, toError } from "../../common/errors.ts";
import { type Proxy, proxyFor } from "./proxyChoice.ts";
import { authorizationFor, connectThrough, connectToProxy, refusalOf } from "./proxyConnection.ts";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import * as tls from "node:tls";

export type SendOptions = Pick<
	RequestOptions,
	"method" | "headers" | "signal" | "timeout" | "lookup"
>;

let setup = directNetwork;

/** Sets the network configuration for further requests of this thread. */
export function setNetwork(now: NetworkSetup): void {
	setup = now;
}

/** Whether a URL is requested through a proxy, which then resolves the host. Throws `ProxyError` if the proxy can't be used. */
export function isProxied(url: URL): boolean {
	return proxyFor(url, setup) !== undefined;
}

/**
 * Starts a request over its own connection, because the server may just be closing a kept-alive one. Uses the configured network and follows no
 * redirects. Proxy problems throw `ProxyError` or are emitted as `error`.
 */
export function sendRequest(
	url: URL,
	options: SendOptions,
	onAnswer: (answer: IncomingMessage) => void,
): ClientRequest {
	const proxy = proxyFor(url, setup);
	const sent = proxy
		? sendProxied(url, proxy, options, onAnswer)
		: sendDirect(url, options, onAnswer);
	// Node closes a connection that is upgraded and reports nothing else.
	return sent.on("upgrade", (_answer, socket) => {
		socket.destroy();
		sent.emit("error", new Error("the answer is in another protocol"));
	});
}

function sendDirect(
	url: URL,
	options: SendOptions,
	onAnswer: (answer: IncomingMessage) => void,
): ClientRequest {
	if (url.protocol !== "https:") {
		return requestHttp(url, { ...options, agent: false }, onAnswer);
	}
	// The types of `https` lack this option of `tls`, which is passed on.
	const secured = { ...options, agent: false, secureContext: trusted() };
	return requestHttps(url, secured, onAnswer);
}

const trusted = (): ReturnType<typeof trustedContext> =>
	trustedContext(setup.hasSystemCertificates);

/** Requests plain http from the proxy itself. For https, the proxy opens a tunnel and sees no content. */
function sendProxied(
	url: URL,
	proxy: Proxy,
	options: SendOptions,
	onAnswer: (answer: IncomingMessage) => void,
): ClientRequest {
	const isTls = url.protocol === "https:";
	const stop = new AbortController();
	const createConnection: RequestOptions["createConnection"] = (_options, done) => {
		const way = { proxy, trusted, timeout: options.timeout ?? 0, signal: stop.signal };
		const connected = isTls ? connectThrough(way, url) : connectToProxy(way);
		void handOver(connected, stop.signal, done);
		return undefined;
	};
	const sent = isTls
		? requestHttps(url, { ...options, createConnection }, onAnswer)
		: requestHttp(
				url,
				{ ...options, createConnection, path: `${url.origin}${url.pathname}${url.search}` },
				answer => {
					if (answer.statusCode === 407) {
						answer.destroy();
						sent.emit("error", refusalOf(proxy, 407, url.host));
					} else {
						onAnswer(answer);
					}
				},
			);
	if (!isTls) {
		sent.setHeaders(new Map(Object.entries(authorizationFor(proxy))));
	}
	// By default, Node can cancel a request only once it has a connection.
	const destroy = sent.destroy.bind(sent);
	sent.destroy = error => {
		stop.abort(error ?? new AbortError());
		return destroy(error);
	};
	return sent;
}

async function handOver(
	connected: Promise<Socket>,
	signal: AbortSignal,
	give: (error: Error | null, socket: Socket) => void,
): Promise<void> {
	let socket: Socket;
	try {
		socket = await connected;
	} catch (error) {
		give(toError(signal.reason ?? error), new Socket());
		return;
	}
	give(null, socket);
}

interface AskOptions {
	readonly method?: "GET" | "POST";
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
	readonly signal: AbortSignal;
}

/**
 * Sends a request and resolves when the response headers have arrived, with no time limit, unlike `fetch`, which gives up after five minutes.
 * `onSent` receives the request. Rejects with the errors of `sendRequest`, or with the signal's reason.
 */
export function ask(
	url: URL,
	{ method = "GET", headers = {}, body, signal }: AskOptions,
	onSent: (sent: ClientRequest) => void = () => {},
): Promise<Response> {
	return new Promise((resolve, reject) => {
		signal.throwIfAborted();
		const sent = sendRequest(url, { method, headers: { ...headers }, signal }, incoming => {
			try {
				resolve(responseOf(incoming));
			} catch (error) {
				sent.destroy();
				reject(toError(error));
			}
		});
		sent.on("error", error => reject(signal.aborted ? toError(signal.reason) : error));
		onSent(sent);
		sent.end(body);
	});
}

/** The headers that say how long to wait. */
const waitHeaders = /^retry-after|^x-ms-retry-after|ratelimit/;

function responseOf(incoming: IncomingMessage): Response {
	const { statusCode = 0, headers } = incoming;
	// `Response` allows no other status.
	const status = statusCode >= 200 && statusCode <= 599 ? statusCode : 502;
	const known = new Headers();
	for (const [name, value] of Object.entries(headers)) {
		if (typeof value === "string" && (name === "content-type" || waitHeaders.test(name))) {
			known.set(name, value);
		}
	}
	if (status === 204 || status === 205 || status === 304) {
		incoming.resume();
		return new Response(null, { status, headers: known });
	}
	// Reads all received data at once, unlike `Readable.toWeb`, which passes on single chunks.
	const coding = headers["content-encoding"];
	const body = coding === undefined ? incoming : Readable.from(inflate(incoming, coding));
	const content = NodeStream.from(body) as ReadableStream<Uint8Array>;
	return new Response(content, { status, headers: known });
}

/** Missing in the oldest supported version of Node and in some editors. */
const { getCACertificates }: Partial<Pick<typeof tls, "getCACertificates">> = tls;

/** Certificate files of systems without a certificate store. */
const bundles = [
	"/etc/ssl/certs/ca-certificates.crt",
	"/etc/pki/tls/certs/ca-bundle.crt",
	"/etc/ssl/ca-bundle.pem",
];

const made = new Map<boolean, tls.SecureContext>();

/**
 * Creates a context that trusts Node's certificate authorities, those in `NODE_EXTRA_CA_CERTS` and, with `hasSystem`, the system's. Cached, because
 * loading takes up to a second.
 */
function trustedContext(hasSystem: boolean): tls.SecureContext {
	const known = made.get(hasSystem);
	const context = known ?? tls.createSecureContext({ ca: authorities(hasSystem) });
	made.set(hasSystem, context);
	return context;
}

function authorities(hasSystem: boolean): string[] {
	const own = listed("default");
	const all = [
		...(own.length > 0 ? own : tls.rootCertificates),
		...(hasSystem ? ofSystem() : []),
		...certificatesIn(process.env["NODE_EXTRA_CA_CERTS"]),
	];
	return [...new Set(all.map(certificate => certificate.trim()))];
}

function ofSystem(): readonly string[] {
	const found = listed("system");
	return found.length > 0 ? found : bundles.flatMap(certificatesIn);
}

function listed(type: "default" | "system"): readonly string[] {
	try {
		return getCACertificates?.(type) ?? [];
	} catch {
		// Ignores a certificate store that can't be read.
		return [];
	}
}

function certificatesIn(file: string | undefined): readonly string[] {
	try {
		const text = file ? readFileSync(file, "utf8") : "";
		return text.split(/(?=-----BEGIN CERTIFICATE-----)/).filter(isCertificate);
	} catch {
		return [];
	}
}

function isCertificate(text: string): boolean {
	try {
		return new X509Certificate(text).raw.length > 0;
	} catch {
		return false;
	}
}
