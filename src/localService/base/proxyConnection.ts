import { once } from "node:events";
import { request as requestHttp } from "node:http";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls, type SecureContext } from "node:tls";
import { systemClock } from "../../common/async.ts";
import {
	AbortError,
	isAbortError,
	toError,
	systemCode,
	unknownHostCode,
	untrustedCode,
} from "../../common/errors.ts";
import { type Proxy, ProxyError } from "./proxyChoice.ts";

interface ProxyWay {
	readonly proxy: Proxy;
	readonly trusted: () => SecureContext;
	/** Milliseconds of silence after which the connection emits `timeout`; 0 for never. */
	readonly timeout: number;
	readonly signal: AbortSignal;
}

/** Time limit for each step of connecting, in milliseconds. */
const stepMs = 30_000;

/** Connects to a proxy. Rejects with `ProxyError`, or with `AbortError` if aborted. */
export async function connectToProxy(way: ProxyWay): Promise<Socket> {
	const { proxy, trusted, timeout, signal } = way;
	const { host, port, isTls, isChecked } = proxy;
	const socket = isTls
		? connectTls({
				host,
				port,
				timeout,
				secureContext: trusted(),
				rejectUnauthorized: isChecked,
				...(isIP(host) === 0 ? { servername: host } : {}),
			})
		: connect({ host, port, timeout });
	await ofProxy(proxy, waitFor(socket, once(socket, isTls ? "secureConnect" : "connect"), signal));
	return socket;
}

/** Opens TLS through a proxy. Rejects with `ProxyError`, the error of the host's certificate, or `AbortError`. */
export async function connectThrough(way: ProxyWay, url: URL): Promise<Socket> {
	const { proxy, trusted, signal } = way;
	const socket = await connectToProxy(way);
	const target = `${url.hostname}:${url.port || 443}`;
	const asked = requestHttp({
		method: "CONNECT",
		path: target,
		headers: { Host: target, ...authorizationFor(proxy) },
		createConnection: () => socket,
	});
	const connected = new Promise<{ readonly status: number; readonly rest: Buffer }>(
		(resolve, reject) => {
			asked.once("error", reject);
			asked.once("connect", ({ statusCode: status = 0 }, _socket, rest) =>
				resolve({ status, rest }),
			);
			asked.end();
		},
	);
	const { status, rest } = await ofProxy(proxy, waitFor(socket, connected, signal));
	if (status !== 200) {
		socket.destroy();
		throw refusalOf(proxy, status, target);
	}
	socket.unshift(rest);
	const host = url.hostname.replace(/^\[|\]$/g, "");
	const secure = connectTls({
		socket,
		host,
		secureContext: trusted(),
		ALPNProtocols: ["http/1.1"],
		...(isIP(host) === 0 ? { servername: host } : {}),
	});
	// Only the connection below detects silence.
	socket.on("timeout", () => secure.emit("timeout"));
	await waitFor(secure, once(secure, "secureConnect"), signal);
	return secure;
}

/** Returns the header with the proxy's credentials. */
export function authorizationFor({ authorization }: Proxy): Readonly<Record<string, string>> {
	return authorization === undefined ? {} : { "Proxy-Authorization": authorization };
}

/** Returns the error for a proxy's own status. */
export function refusalOf(proxy: Proxy, status: number, target: string): ProxyError {
	return status === 407
		? new ProxyError(
				`The proxy ${nameOf(proxy)} wants another name and password (407). Set them in “http.proxyAuthorization” or in the proxy's address.`,
			)
		: new ProxyError(
				`The proxy ${nameOf(proxy)} did not connect to ${target}: it answered ${status}.`,
				status >= 500,
			);
}

function nameOf({ host, port }: Proxy): string {
	return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Waits for an event of a connection, until the time limit or an abort. */
async function waitFor<T>(socket: Socket, event: Promise<T>, signal: AbortSignal): Promise<T> {
	const leave = (): void => void socket.destroy(new AbortError());
	const timer = systemClock.setTimer(stepMs, () => {
		socket.destroy(new SilentError("it does not answer"));
	});
	signal.addEventListener("abort", leave, { once: true });
	try {
		if (signal.aborted) {
			leave();
		}
		return await event;
	} catch (error) {
		socket.destroy();
		throw error;
	} finally {
		signal.removeEventListener("abort", leave);
		timer.dispose();
	}
}

class SilentError extends Error {
	override readonly name = "SilentError";
}

async function ofProxy<T>(proxy: Proxy, waiting: Promise<T>): Promise<T> {
	try {
		return await waiting;
	} catch (error) {
		throw isAbortError(error) ? error : failureOf(proxy, toError(error));
	}
}

function failureOf(proxy: Proxy, error: Error): ProxyError {
	const name = nameOf(proxy);
	const code = systemCode(error);
	if (code === "ECONNREFUSED") {
		return new ProxyError(
			`The proxy ${name} is not running: nothing listens there. Start it, or check “http.proxy”.`,
			true,
		);
	}
	if (unknownHostCode.test(code)) {
		return new ProxyError(`The proxy ${name} was not found. Check “http.proxy”.`, true);
	}
	if (untrustedCode.test(code)) {
		return new ProxyError(
			`The proxy ${name} could not be trusted (${code}). Add its certificate to those this machine trusts.`,
		);
	}
	return error instanceof SilentError
		? new ProxyError(`The proxy ${name} does not answer.`, true)
		: new ProxyError(
				`The proxy ${name} broke the connection${code && ` (${code})`}. Try again.`,
				true,
			);
}
