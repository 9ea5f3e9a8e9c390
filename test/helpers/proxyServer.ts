import { createServer, type IncomingMessage, request } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { readFileSync } from "node:fs";
import { onTestFinished } from "vitest";

const fixture = (name: string): string =>
	readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), "utf8");

/** A certificate for models.example.com, proxy.example.com and this machine, by an authority that nobody trusts. */
export const companyTls = { key: fixture("company.key.pem"), cert: fixture("company.cert.pem") };
export const companyAuthority = new URL("../fixtures/tls/company.ca.pem", import.meta.url).pathname;

/** A proxy on this machine; every host that it is asked for is the port `to` of this machine. */
export interface TestProxy {
	/** `HOST:PORT`. */
	readonly address: string;
	/** What it was asked for: `CONNECT HOST:PORT`, or `GET http://…`. */
	readonly asked: readonly string[];
	/** The headers of what it was asked, in order. */
	readonly headers: readonly IncomingMessage["headers"][];
}

/** Behavior of a proxy that is none of the usual. */
export interface ProxyOptions {
	/** The value of `Proxy-Authorization` that it wants. */
	readonly wants?: string;
	/** A status that it answers everything with. */
	readonly refuses?: number;
	readonly isTls?: boolean;
}

/** Starts a proxy for the test. */
export async function startProxy(to: number, options: ProxyOptions = {}): Promise<TestProxy> {
	const asked: string[] = [];
	const headers: IncomingMessage["headers"][] = [];
	const statusFor = (incoming: IncomingMessage): number => {
		asked.push(`${incoming.method} ${incoming.url}`);
		headers.push(incoming.headers);
		const isKnown =
			options.wants === undefined || incoming.headers["proxy-authorization"] === options.wants;
		return isKnown ? (options.refuses ?? 200) : 407;
	};
	const server = options.isTls ? createTlsServer(companyTls) : createServer();
	server.on("connect", (incoming, socket) => {
		const status = statusFor(incoming);
		socket.on("error", () => {});
		if (status !== 200) {
			socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
			return;
		}
		const target = connect(to, "127.0.0.1", () => {
			socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
			target.pipe(socket).pipe(target);
		}).on("error", () => socket.destroy());
		onClose.push(() => target.destroy());
	});
	server.on("request", (incoming, response) => {
		const status = statusFor(incoming);
		if (status !== 200) {
			response.writeHead(status).end();
			return;
		}
		const { pathname, search } = new URL(incoming.url ?? "");
		const { method, headers: sent } = incoming;
		const onward = request(
			{ port: to, host: "127.0.0.1", method, headers: sent, path: pathname + search },
			answer => {
				response.writeHead(answer.statusCode ?? 502, answer.headers);
				answer.pipe(response);
			},
		);
		onward.on("error", () => response.destroy());
		incoming.pipe(onward);
	});
	const onClose: (() => void)[] = [];
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		onClose.forEach(close => close());
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { address: `127.0.0.1:${port}`, asked, headers };
}
