// @module-tag thorough
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { silentLog } from "../../../../src/common/log.ts";
import { directNetwork, type NetworkSetup } from "../../../../src/client/transport/transport.ts";
import {
	createPublicFetch,
	type NetworkOptions,
} from "../../../../src/localService/base/publicFetch.ts";
import { setNetwork } from "../../../../src/localService/base/network.ts";
import { listServer } from "../../../../src/localService/models/findServers.ts";
import { post, streamCompletion } from "../../../../src/localService/openai/streamCompletion.ts";
import { followComfy } from "../../../../src/localService/videoEngines/comfyUi.ts";
import { EngineServer } from "../../../../src/localService/videoEngines/engineServer.ts";
import { bundleProgram } from "../../../helpers/bundledProgram.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { frames, delta, startModelServer } from "../../../helpers/modelServer.ts";
import {
	companyAuthority,
	companyTls,
	type ProxyOptions,
	startProxy,
	type TestProxy,
} from "../../../helpers/proxyServer.ts";

const never = new AbortController().signal;
let program: string;
beforeAll(async () => {
	const folder = await mkdtemp(join(tmpdir(), "cutaway-test-"));
	program = await bundleProgram("networkProcess", folder);
	return () => rm(folder, { recursive: true });
});

// Read when the first certificate is checked.
process.env["NODE_EXTRA_CA_CERTS"] = companyAuthority;
afterEach(() => setNetwork(directNetwork));

async function listen(server: Server): Promise<number> {
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	return (server.address() as AddressInfo).port;
}

const hello: RequestListener = (_request, response) => void response.end("hello");

function use(proxy: string, setup: Partial<NetworkSetup> = {}): void {
	setNetwork({ ...directNetwork, mode: "auto", proxy, ...setup });
}

/** What a program of its own gets from an address, with this environment and setup. */
async function outcome(
	address: string,
	setup: Partial<NetworkSetup>,
	environment: Readonly<Record<string, string>> = {},
): Promise<string> {
	const { stdout } = await promisify(execFile)(
		process.execPath,
		[program, address, JSON.stringify(setup)],
		{ env: { PATH: process.env["PATH"], ...environment } },
	);
	return stdout;
}

describe("certificates", () => {
	const trusted = { NODE_EXTRA_CA_CERTS: companyAuthority };

	test("of a company count from NODE_EXTRA_CA_CERTS and from the system's store, and else from nowhere", async () => {
		const port = await listen(createTlsServer(companyTls, hello));
		const here = `https://localhost:${port}/`;
		expect(await outcome(here, {}, trusted)).toBe("200 hello");
		expect(await outcome(here, {}, { SSL_CERT_FILE: companyAuthority })).toBe("200 hello");
		const without = { hasSystemCertificates: false };
		expect(await outcome(here, without, { SSL_CERT_FILE: companyAuthority })).toContain(
			"UNABLE_TO",
		);
		expect(await outcome(here, {})).toContain("UNABLE_TO");
		expect(await outcome(here, {}, { NODE_EXTRA_CA_CERTS: program })).toContain("UNABLE_TO");
	});

	test("of a proxy count likewise, and may be left unchecked; those behind it may not", async () => {
		const port = await listen(createTlsServer(companyTls, hello));
		const { address, asked } = await startProxy(port, { isTls: true });
		const proxy = `https://${address}`;
		const there = "https://models.example.com/";
		expect(await outcome(there, { proxy }, trusted)).toBe("200 hello");
		expect(await outcome(there, { proxy })).toContain(`The proxy ${address} could not be trusted`);
		expect(asked).toEqual(["CONNECT models.example.com:443"]);
		expect(await outcome(there, { proxy, isProxyChecked: false })).toMatch(
			/^(?!.*proxy).*UNABLE_TO/,
		);
		expect(asked).toHaveLength(2);
		expect(await outcome("https://other.example.com/", { proxy }, trusted)).toContain("ALTNAME");
	});
});

describe("the environment", () => {
	test.each(["HTTP_PROXY", "http_proxy"])(
		"%s is asked, unless no proxy is for the host",
		async name => {
			const port = await listen(createServer(hello));
			const { address, asked } = await startProxy(port);
			const there = "http://models.example.com:8000/v1?a=b";
			const environment = { [name]: `http://${address}` };
			expect(await outcome(there, {}, environment)).toBe("200 hello");
			expect(asked).toEqual([`GET ${there}`]);
			for (const list of ["NO_PROXY", "no_proxy"]) {
				const passed = { ...environment, [list]: ".example.com:8000" };
				expect(await outcome(there, {}, passed)).toMatch(/ENOTFOUND|EAI_AGAIN/);
			}
			expect(await outcome(`http://127.0.0.1:${port}/`, {}, environment)).toBe("200 hello");
			expect(await outcome(there, { mode: "direct" }, environment)).toMatch(/ENOTFOUND|EAI_AGAIN/);
			expect(asked).toHaveLength(1);
		},
	);

	test.each(["HTTPS_PROXY", "https_proxy"])("%s is asked to connect", async name => {
		const port = await listen(createTlsServer(companyTls, hello));
		const { address, asked, headers } = await startProxy(port);
		const environment = { [name]: `me:secret@${address}`, NODE_EXTRA_CA_CERTS: companyAuthority };
		expect(await outcome("https://models.example.com:8443/x", {}, environment)).toBe("200 hello");
		expect(asked).toEqual(["CONNECT models.example.com:8443"]);
		const basic = Buffer.from("me:secret").toString("base64");
		expect(headers[0]).toMatchObject({ "proxy-authorization": `Basic ${basic}` });
	});
});

const list = { data: [{ id: "m" }] };
const answer = frames(delta({ content: "Hi." }), delta({}, "stop"));
/** Only a server of the house may be reached without encryption. */
const there = { name: "lm", baseUrl: "http://models.internal:8000", headers: {} };

async function startProxied(options: ProxyOptions = {}): Promise<TestProxy> {
	const { port } = await startModelServer([{ body: answer }], { "/v1/models": list });
	return startProxy(port, options);
}

/** The answer of the model, or why there is none. */
async function talk(server = there): Promise<string> {
	try {
		let text = "";
		const asked = {
			server,
			body: { model: "m", messages: [] },
			clock: systemClock,
			log: silentLog,
		};
		for await (const part of streamCompletion({ ...asked, signal: never })) {
			text += part.type === "text" ? part.text : "";
		}
		return text;
	} catch (error) {
		return String(error);
	}
}

function engine(): EngineServer {
	return new EngineServer({ ...there, name: "Videos", clock: systemClock });
}

const askEngine = (): Promise<unknown> =>
	engine().ask({ method: "GET", path: "/v1/models", silentMs: 5_000 }, never);

const page = (network: NetworkOptions = {}): ReturnType<typeof createPublicFetch> =>
	createPublicFetch({
		clock: systemClock,
		noun: "page",
		accept: "*/*",
		timeoutMs: 5e3,
		maxBytes: 1e6,
		resolve: () => Promise.reject(new Error("ENOTFOUND")),
		...network,
	});

describe("what is asked through a proxy", () => {
	test("models, their lists, video engines and pages", async () => {
		const { address, asked, headers } = await startProxied();
		use(`http://${address}`, { proxyAuthorization: "Bearer token" });
		expect((await listServer(there, never, 5_000)).models).toHaveLength(1);
		expect(await talk()).toBe("Hi.");
		expect(await askEngine()).toMatchObject({ status: 200, body: JSON.stringify(list) });
		const { url, bytes } = await page()("http://models.example.com/v1/models", never);
		expect([url, String(Buffer.from(bytes))]).toEqual([
			"http://models.example.com/v1/models",
			JSON.stringify(list),
		]);
		expect(new Set(asked)).toEqual(
			new Set([
				...["GET", "POST"]
					.flatMap(method => `${method} ${there.baseUrl}/v1/`)
					.map(start => (start.startsWith("GET") ? `${start}models` : `${start}chat/completions`)),
				`GET ${there.baseUrl}/api/version`,
				"GET http://models.example.com/v1/models",
			]),
		);
		expect(new Set(headers.map(sent => sent["proxy-authorization"]))).toEqual(
			new Set(["Bearer token"]),
		);
	});

	test("an answer may come as late as it likes", async () => {
		const { port } = await startModelServer([{ body: answer, delayMs: 300 }]);
		const { address, asked } = await startProxy(port);
		use(address);
		const clock = createFakeClock();
		const sent = { headers: {}, body: "{}", clock, signal: never };
		const response = post("http://models.example.com/", sent);
		await expect.poll(() => asked.length).toBe(1);
		await clock.advance(3_600_000);
		expect((await response).status).toBe(200);
	});

	test.each(["http", "https"])("a video engine that is silent is given up, by %s", async scheme => {
		const silent =
			scheme === "http" ? createServer(() => {}) : createTlsServer(companyTls, () => {});
		const { address, asked } = await startProxy(await listen(silent));
		onTestFinished(() => silent.closeAllConnections());
		use(address);
		const host = scheme === "http" ? "models.internal" : "models.example.com";
		const server = new EngineServer({
			name: "Videos",
			baseUrl: `${scheme}://${host}`,
			headers: {},
			clock: systemClock,
		});
		const request = { method: "GET", path: "/", silentMs: 200 } as const;
		await expect(server.ask(request, never)).rejects.toThrow("Videos was silent for 0.2 s");
		expect(asked).toHaveLength(1);
	});

	test("what is left is left at the proxy too", async () => {
		const sockets: { destroy(): void }[] = [];
		const closed = Promise.withResolvers<void>();
		const port = await listen(
			createTcpServer(socket => {
				sockets.push(socket.on("error", () => {}).on("close", () => closed.resolve()));
				socket.resume();
			}),
		);
		use(`http://127.0.0.1:${port}`);
		const leaving = new AbortController();
		const loading = page()("https://models.example.com/", leaving.signal);
		await expect.poll(() => sockets.length).toBe(1);
		leaving.abort();
		await expect(loading).rejects.toThrow(/abort|Cancel/i);
		await closed.promise;
	});

	test("the progress of ComfyUI is not, as its socket cannot be", () => {
		use("http://127.0.0.1:9");
		const heard = { onShare: () => {}, onEnd: () => {} };
		followComfy({ ...there, clientId: "c" }, "p", heard).dispose();
	});
});

describe("an answer that is none", () => {
	test.each([
		[
			"goes on as another protocol",
			"101 Go\r\nUpgrade: x\r\nConnection: Upgrade",
			"another protocol",
		],
		["has a status that there is not", "999 Odd\r\nContent-Length: 0", "answered 502"],
		["breaks off before its end", "200 OK\r\nContent-Length: 99", "broke"],
		["is in broken pieces", "200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ", "broke"],
		["has a head without an end", `200 OK\r\nX: ${"a".repeat(200_000)}`, "broke"],
		["leads to a file", "302 Go\r\nLocation: file:///etc/passwd\r\nContent-Length: 0", "redirects"],
	])("and %s is said to be", async (_what, head, words) => {
		const port = await listen(
			createTcpServer(socket => {
				socket.on("error", () => {}).once("data", () => socket.end(`HTTP/1.1 ${head}\r\n\r\n`));
			}),
		);
		expect(await talk({ ...there, baseUrl: `http://127.0.0.1:${port}` })).toContain(words);
	});
});

describe("a proxy that is in the way", () => {
	/** What each part says, in plain sentences that name the proxy. */
	async function said(): Promise<readonly string[]> {
		const { failure } = await listServer(there, never, 5_000);
		const secure = { ...there, baseUrl: "https://models.example.com" };
		const { failure: secureFailure } = await listServer(secure, never, 5_000);
		const words = (error: unknown): string => String(error);
		return [
			failure ?? "",
			secureFailure ?? "",
			await talk(),
			await talk(secure),
			await askEngine().then(JSON.stringify, words),
			await page()("https://models.example.com/", never).then(String, words),
		];
	}

	test.each<[string, ProxyOptions, string]>([
		[
			"wants a name and a password",
			{ wants: "Basic other" },
			"wants another name and password (407)",
		],
		["refuses all hosts by https", { refuses: 403 }, "403"],
		["has no way out", { refuses: 502 }, "502"],
	])("and %s is named", async (_what, options, words) => {
		const { address } = await startProxied(options);
		use(`http://me:secret@${address}`);
		const sentences = await said();
		expect(sentences.map(sentence => sentence.includes(words))).toEqual(sentences.map(() => true));
		const secure = [sentences[1], sentences[3], sentences[5]];
		for (const sentence of words.includes("407") ? sentences : secure) {
			expect(sentence).toContain(`The proxy ${address}`);
		}
		expect(sentences.join("\n")).not.toMatch(/secret|bWU6/);
	});

	test("and is not there, is not found or breaks is named", async () => {
		const gone = createTcpServer();
		const port = await listen(gone);
		gone.close();
		const broken = await listen(createTcpServer(socket => socket.destroy()));
		const noHttp = await listen(createTcpServer(socket => socket.end("220 SMTP\r\n")));
		for (const [proxy, name, words] of [
			[`http://me:secret@127.0.0.1:${port}`, `127.0.0.1:${port}`, "is not running"],
			["http://me:secret@proxy.invalid:8080", "proxy.invalid:8080", "was not found"],
			["socks5://me:secret@proxy.invalid:1080", "proxy.invalid:1080", "socks5"],
			[`https://me:secret@127.0.0.1:${noHttp}`, `127.0.0.1:${noHttp}`, "could not be trusted"],
		] as const) {
			use(proxy);
			for (const sentence of await said()) {
				expect(sentence).toContain(`The proxy ${name}`);
				expect(sentence).toContain(words);
				expect(sentence).not.toContain("secret");
			}
		}
		for (const at of [broken, noHttp]) {
			use(`http://127.0.0.1:${at}`);
			const secure = { ...there, baseUrl: "https://models.example.com" };
			expect(await talk(secure)).toContain(`The proxy 127.0.0.1:${at} broke the connection`);
		}
	});

	test("has left a request for a video unsent", async () => {
		const { address } = await startProxied({ refuses: 502 });
		use(address);
		const secure = new EngineServer({
			name: "Videos",
			baseUrl: "https://models.example.com",
			headers: {},
			clock: systemClock,
		});
		const sent = { method: "POST", path: "/v1/videos", body: "{}", silentMs: 5_000 } as const;
		await expect(secure.ask(sent, never)).rejects.toMatchObject({
			charge: "notSent",
			isPassing: true,
		});
	});
});

describe("a page behind a proxy (T27)", () => {
	const publicly: NetworkOptions = {
		resolve: async () => [{ address: "93.184.215.14", family: 4 }],
	};

	test("is asked for by name where the name is public, or known to the proxy alone", async () => {
		const { address, asked } = await startProxied();
		use(address);
		await page(publicly)("http://pages.example.com/v1/models", never);
		await page()("http://pages.example.com/v1/models", never);
		expect(asked).toEqual(
			Array.from({ length: 2 }, () => "GET http://pages.example.com/v1/models"),
		);
	});

	test.each<[string, NetworkOptions]>([
		["http://10.0.0.1/", {}],
		["http://[fd00::1]/", {}],
		["http://169.254.169.254/latest/meta-data/", {}],
		["http://intranet.example.com/", { resolve: async () => [{ address: "10.0.0.1", family: 4 }] }],
		["http://wiki/", {}],
		["http://wiki.corp/", {}],
		["http://printer.local./", {}],
		["http://metadata.google.internal/", {}],
	])("is not when it leads into the network: %s", async (url, network) => {
		const { address, asked } = await startProxied();
		use(address);
		await expect(page(network)(url, never)).rejects.toThrow(
			/address of this machine|could not be loaded/,
		);
		expect(asked).toEqual([]);
	});

	test("goes to the address that was checked where no proxy is for it", async () => {
		const { port } = await startModelServer([], { "/v1/models": list });
		use("http://127.0.0.1:9", { noProxy: ["*.example.com"] });
		const here: NetworkOptions = {
			resolve: async () => [{ address: "127.0.0.1", family: 4 }],
			isAllowed: address => address === "127.0.0.1",
		};
		const { bytes } = await page(here)(`http://pages.example.com:${port}/v1/models`, never);
		expect(String(Buffer.from(bytes))).toBe(JSON.stringify(list));
	});
});
