import { BlockList, isIP, isIPv4 } from "node:net";
import { isLoopbackHost, type NetworkSetup } from "../../client/transport/transport.ts";

export interface Proxy {
	readonly host: string;
	readonly port: number;
	readonly isTls: boolean;
	readonly isChecked: boolean;
	readonly authorization: string | undefined;
}

/** A proxy rejected a request, so nothing reached the server. The message names only its host and port, no credentials. */
export class ProxyError extends Error {
	override readonly name = "ProxyError";
	/** Whether a retry may help. */
	readonly isPassing: boolean;

	constructor(message: string, isPassing = false) {
		super(message);
		this.isPassing = isPassing;
	}
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy for a URL from the settings or, if they name none, from `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` in upper or lower case.
 * Returns undefined for this machine and for hosts that need no proxy. Throws `ProxyError` if the proxy can't be used.
 */
export function proxyFor(
	url: URL,
	setup: NetworkSetup,
	environment: Environment = process.env,
): Proxy | undefined {
	if (setup.mode === "direct" || isThisMachine(url.hostname)) {
		return undefined;
	}
	const named = setup.proxy.trim() || fromEnvironment(environment, url.protocol);
	const noProxy =
		setup.noProxy.length > 0 ? setup.noProxy : valueOf(environment, "no_proxy").split(/[\s,;]+/);
	return named === "" || isListed(url, noProxy) ? undefined : readProxy(named, setup);
}

/** For https, falls back to `http_proxy`, so that a company's only proxy is used. */
function fromEnvironment(environment: Environment, protocol: string): string {
	const http = valueOf(environment, "http_proxy");
	return protocol === "https:" ? valueOf(environment, "https_proxy") || http : http;
}

function valueOf(environment: Environment, name: string): string {
	return (environment[name] || environment[name.toUpperCase()] || "").trim();
}

function isThisMachine(hostname: string): boolean {
	const host = bare(hostname);
	return (
		isLoopbackHost(hostname) || host === "0.0.0.0" || host === "::" || /^::ffff:7f/i.test(host)
	);
}

function readProxy(text: string, setup: NetworkSetup): Proxy {
	const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text)?.[0] ?? "http://";
	// Credentials often contain characters that a URL would have to encode, so they are split off first.
	const at = text.lastIndexOf("@");
	const place = text.slice(at === -1 ? (text.startsWith(scheme) ? scheme.length : 0) : at + 1);
	const credentials = at === -1 ? "" : text.slice(text.startsWith(scheme) ? scheme.length : 0, at);
	const url = URL.parse(`${scheme}${place}`);
	if (!url || url.hostname === "") {
		throw new ProxyError("The address of the proxy cannot be read.");
	}
	if (url.protocol !== "http:" && url.protocol !== "https:") {
		throw new ProxyError(
			`The proxy ${url.host} is one of ${url.protocol.slice(0, -1)}. Only proxies of http and https can be used.`,
		);
	}
	const isTls = url.protocol === "https:";
	return {
		host: bare(url.hostname),
		port: Number(url.port || (isTls ? 443 : 80)),
		isTls,
		isChecked: setup.isProxyChecked,
		authorization: setup.proxyAuthorization || basic(credentials),
	};
}

function basic(credentials: string): string | undefined {
	if (credentials === "") {
		return undefined;
	}
	const colon = credentials.includes(":") ? credentials.indexOf(":") : credentials.length;
	const [name, password] = [credentials.slice(0, colon), credentials.slice(colon + 1)].map(decoded);
	return `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		// A percent sign that starts no escape.
		return text;
	}
}

/** The longest host name with scheme and port. */
const maxEntry = 300;

/** Whether a list of hosts without proxy contains a URL's host. */
function isListed(url: URL, list: readonly string[]): boolean {
	const host = bare(url.hostname).replace(/\.$/, "");
	const port = url.port || (url.protocol === "https:" ? "443" : "80");
	return list.some(entry => {
		if (entry.length > maxEntry) {
			return false;
		}
		const text = entry
			.trim()
			.toLowerCase()
			.replace(/^[a-z]+:\/\//, "")
			.replace(/\/$/, "");
		const [name, ownPort] = splitPort(text);
		return (ownPort === undefined || ownPort === port) && name !== "" && isNamed(host, name);
	});
}

function splitPort(entry: string): readonly [name: string, port: string | undefined] {
	const match = /^\[([^\]]*)\](?::(\d+))?$/.exec(entry) ?? /^([^:]*):(\d+)$/.exec(entry);
	return match ? [match[1] ?? "", match[2]] : [entry, undefined];
}

/** An entry is a name with its subdomains, a pattern with `*`, an address or range, or `<local>` for names without a dot. */
function isNamed(host: string, entry: string): boolean {
	if (entry === "<local>") {
		return isIP(host) === 0 && !host.includes(".");
	}
	const [network = "", prefix] = entry.split("/");
	if (isIP(network) !== 0) {
		return isIP(host) !== 0 && inRange(host, network, prefix);
	}
	if (entry.includes("*")) {
		return fits(host, entry.split("*"));
	}
	const name = entry.replace(/^\./, "").replace(/\.$/, "");
	return host === name || host.endsWith(`.${name}`);
}

function inRange(host: string, network: string, prefix: string | undefined): boolean {
	const bits = isIPv4(network) ? 32 : 128;
	const length = prefix === undefined || prefix === "" ? bits : Number(prefix);
	if (!Number.isInteger(length) || length < 0 || length > bits) {
		return false;
	}
	const range = new BlockList();
	range.addSubnet(network, length, isIPv4(network) ? "ipv4" : "ipv6");
	return range.check(host, isIPv4(host) ? "ipv4" : "ipv6");
}

/** Whether a name consists of these pieces with anything between them. Takes linear time. */
function fits(host: string, [first = "", ...others]: readonly string[]): boolean {
	const last = others.pop() ?? "";
	let at = first.length;
	for (const piece of others) {
		const found = host.indexOf(piece, at);
		if (found === -1) {
			return false;
		}
		at = found + piece.length;
	}
	return host.startsWith(first) && host.endsWith(last) && host.length - last.length >= at;
}

/** Returns a host without the brackets of an IPv6 address. */
function bare(hostname: string): string {
	return hostname.replace(/^\[|\]$/g, "").toLowerCase();
}
