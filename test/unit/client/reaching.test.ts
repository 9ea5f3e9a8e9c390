import { serviceUrl } from "../../../src/client/request/request.ts";
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { ServiceError } from "../../../src/client/contract/serviceError.ts";
import { networkFailure as networkFailureOf } from "../../../src/client/request/networkFailure.ts";
import { fetchTransport } from "../../../src/client/transport/fetchTransport.ts";
import { createUndiciTransport } from "../../../src/client/transport/undiciTransport.ts";
import { eventually } from "../../helpers/eventually.ts";
import { ask, canaryKey, clientOf, connectionTo, failureOf } from "../../helpers/clientHarness.ts";
import { createFakeClock } from "../../helpers/fakeClock.ts";
import { content, jsonReply, reply, start, streamed } from "../../helpers/httpScripts.ts";
import {
	fin,
	reset,
	type ScriptedServer,
	stall,
	startScriptedServer,
} from "../../helpers/scriptedServer.ts";

const tls = {
	key: readFileSync(new URL("../../fixtures/tls/selfSigned.key.pem", import.meta.url), "utf8"),
	cert: readFileSync(new URL("../../fixtures/tls/selfSigned.cert.pem", import.meta.url), "utf8"),
};
const generation = { success: true, generation: { status: "in_progress" } };
const answer = streamed(start, content("Hi"), "{}", "[DONE]", "[END]");

const servers: ScriptedServer[] = [];
afterEach(async () => {
	await Promise.all(servers.splice(0).map(server => server.close()));
});

async function serve(...args: Parameters<typeof startScriptedServer>): Promise<ScriptedServer> {
	const server = await startScriptedServer(...args);
	servers.push(server);
	return server;
}

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
	const server = await startScriptedServer([]);
	await server.close();
	return server.port;
}

describe("N1: connection refused", () => {
	test("N1: is tried twice more, then named with its host, nothing sent", async () => {
		const port = await closedPort();
		const outcome = await ask(clientOf(`http://127.0.0.1:${port}`));
		expect(outcome.error).toMatchObject({
			kind: "refused",
			charge: "notSent",
			host: `127.0.0.1:${port}`,
		});
		expect(outcome.notices.map(notice => notice.type)).toEqual(["retrying", "retrying"]);
		expect(outcome.events).toEqual([]);
	});

	test("N1: a repeat goes to the address the connection names by then", async () => {
		const port = await closedPort();
		const server = await serve(answer);
		let asked = 0;
		const client = clientOf("", {
			connection: () =>
				Promise.resolve(connectionTo(asked++ === 0 ? `http://127.0.0.1:${port}` : server.url)),
		});
		expect((await ask(client)).texts).toEqual(["Hi"]);
		expect([asked, server.posts]).toEqual([2, 1]);
	});

	test("N1: the wait before a repeat can be cancelled", async () => {
		const clock = createFakeClock();
		const abort = new AbortController();
		const client = clientOf(`http://127.0.0.1:${await closedPort()}`, { clock, random: () => 1 });
		const outcome = await ask(client, { signal: abort.signal, onNotice: () => abort.abort() });
		expect([outcome.isAborted, clock.pending]).toEqual([true, 0]);
	});
});

describe("N2: host not found", () => {
	test("N2: is named, nothing sent", async () => {
		const outcome = await ask(
			clientOf("https://cutaway.invalid", { connect: { network: "direct" } }),
		);
		expect(outcome.error).toMatchObject({
			kind: "unknownHost",
			charge: "notSent",
			host: "cutaway.invalid",
		});
		expect(outcome.notices).toHaveLength(2);
	});

	test("N2: is named the same way through the editor's fetch", async () => {
		const { error } = await ask(clientOf("https://cutaway.invalid"));
		expect(error).toMatchObject({ kind: "unknownHost", charge: "notSent" });
	});
});

describe("N3: TLS", () => {
	test("N3: a self-signed certificate is refused with its reason, and not tried again", async () => {
		const server = await serve(answer, { tls });
		const outcome = await ask(clientOf(server.url));
		expect(outcome.error).toMatchObject({
			kind: "tls",
			charge: "notSent",
			detail: "the certificate is self-signed; to use it, add it to those this machine trusts",
		});
		expect(outcome.notices).toEqual([]);
		expect(server.requests).toHaveLength(0);
	});

	test("N3: https to a port that speaks plain http says so", async () => {
		const server = await serve({ steps: [reply(400, "no"), fin], isImmediate: true });
		const { error } = await ask(clientOf(server.url.replace("http:", "https:")));
		expect(error).toMatchObject({
			kind: "tls",
			charge: "notSent",
			detail: "the address doesn't use https",
		});
	});

	test("N3: plain http to another machine is refused before anything is sent", async () => {
		const { error } = await ask(clientOf("http://service.example.com"));
		expect(error).toMatchObject({ kind: "tls", charge: "notSent", host: "service.example.com" });
	});

	test("N3: plain http is allowed to a host of the network alone, and only where the user agreed", async () => {
		const connect = { isPlainAllowed: true } as const;
		const open = await ask(clientOf("http://service.example.com", { connect }));
		expect(open.error).toMatchObject({ kind: "tls", charge: "notSent" });
		const closed = await ask(clientOf("http://192.168.1.20:1"));
		expect(closed.error).toMatchObject({ kind: "tls", charge: "notSent" });
		const urlOf = (isPlainAllowed: boolean) =>
			serviceUrl(
				{ baseUrl: "http://192.168.1.20:1", ...(isPlainAllowed ? connect : {}) },
				"/v1/files",
			).href;
		expect(urlOf(true)).toBe("http://192.168.1.20:1/v1/files");
		expect(() => urlOf(false)).toThrow();
	});

	test.each(["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"])(
		"L19: a certificate that is not valid at this time (%s) points at the clock, and nothing was sent",
		code => {
			const cause = Object.assign(new Error(code), { code });
			const failure = networkFailureOf(new TypeError("fetch failed", { cause }));
			expect(failure).toMatchObject({ kind: "tls", charge: "notSent" });
			expect(failure.detail).toContain("check this machine's clock");
		},
	);

	test.each([
		["CERT_HAS_EXPIRED", "expired"],
		["ERR_TLS_CERT_ALTNAME_INVALID", "another name"],
		["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "doesn't trust"],
	])("N3: %s is explained", (code, words) => {
		const thrown = new TypeError("fetch failed", {
			cause: Object.assign(new Error(code), { code }),
		});
		const failure = networkFailureOf(thrown);
		expect(failure).toMatchObject({ kind: "tls", charge: "notSent" });
		expect(failure.detail).toContain(words);
	});
});

describe("N4: unreachable", () => {
	test("N4: a connection that is not made in time counts as not sent", async () => {
		const server = await serve({ steps: [stall], isImmediate: true });
		const transport = createUndiciTransport({ connectTimeoutMs: 50 });
		const thrown: unknown = await transport({
			method: "POST",
			// TLS is part of connecting, and this server never greets.
			url: new URL(server.url.replace("http:", "https:")),
			headers: {},
			signal: new AbortController().signal,
		}).catch((error: unknown) => error);
		expect(networkFailureOf(thrown)).toMatchObject({ kind: "unreachable", charge: "notSent" });
	});

	test.each(["ENETUNREACH", "EHOSTUNREACH", "ETIMEDOUT", "ENETDOWN"])(
		"N4: %s while connecting is not sent; on an open connection it may have been",
		code => {
			const connecting = Object.assign(new Error(code), { code, syscall: "connect" });
			const reading = Object.assign(new Error(code), { code, syscall: "read" });
			expect(networkFailureOf(connecting)).toMatchObject({
				kind: "unreachable",
				charge: "notSent",
			});
			expect(networkFailureOf(reading)).toMatchObject({
				kind: "connectionLost",
				charge: "unknown",
			});
		},
	);

	test.each([
		["net::ERR_INTERNET_DISCONNECTED", "unreachable", "notSent"],
		["net::ERR_ADDRESS_UNREACHABLE", "unreachable", "notSent"],
		["net::ERR_NAME_NOT_RESOLVED", "unknownHost", "notSent"],
		["net::ERR_CONNECTION_REFUSED", "refused", "notSent"],
		["net::ERR_CERT_AUTHORITY_INVALID", "tls", "notSent"],
		["net::ERR_NETWORK_IO_SUSPENDED", "connectionLost", "unknown"],
		["net::ERR_NETWORK_CHANGED", "connectionLost", "unknown"],
		["net::ERR_CONNECTION_RESET", "connectionLost", "unknown"],
		["net::ERR_EMPTY_RESPONSE", "connectionLost", "unknown"],
	])("N4: the editor's own %s is read as %s", (message, kind, charge) => {
		expect(networkFailureOf(new Error(message))).toMatchObject({ kind, charge });
		const nested = new TypeError("fetch failed", { cause: new Error(message) });
		expect(networkFailureOf(nested)).toMatchObject({ kind, charge });
	});

	test("N4: every address of a host failing to connect is unreachable or refused, as the first says", () => {
		const refused = (address: string): Error =>
			Object.assign(new Error(`connect ECONNREFUSED ${address}`), {
				code: "ECONNREFUSED",
				syscall: "connect",
			});
		const all = new AggregateError([refused("::1"), refused("127.0.0.1")], "");
		expect(networkFailureOf(new TypeError("fetch failed", { cause: all }))).toMatchObject({
			kind: "refused",
			charge: "notSent",
		});
	});
});

describe("N5: a proxy asks for a sign-in", () => {
	test("N5: a 407 is not repeated", async () => {
		const server = await serve([
			reply(407, "<html><title>Proxy</title></html>", { "content-type": "text/html" }),
		]);
		const { error, notices } = await ask(clientOf(server.url));
		expect([error?.kind, notices, server.posts]).toEqual(["proxySignIn", [], 1]);
		expect(error?.serviceMessage).toBeUndefined();
	});

	test("N5: a refused tunnel is the same", () => {
		const thrown = new TypeError("fetch failed", {
			cause: new Error("Proxy response (407) !== 200 when HTTP Tunneling"),
		});
		expect(networkFailureOf(thrown)).toEqual({ kind: "proxySignIn", charge: "notSent" });
	});
});

describe("N6: the connection breaks before an answer", () => {
	test("N6: a paid request is sent once and its charge is unknown", async () => {
		const server = await serve([reset]);
		const { error } = await ask(clientOf(server.url));
		expect(error).toMatchObject({ kind: "connectionLost", charge: "unknown" });
		expect(server.posts).toBe(1);
	});

	test("N6: a lookup is repeated", async () => {
		const server = await serve([{ steps: [reset] }, { steps: [jsonReply(200, generation)] }]);
		expect(await clientOf(server.url).getGeneration("g")).toMatchObject({ status: "in_progress" });
		expect(server.requests).toHaveLength(2);
	});

	test.each([
		["undici", createUndiciTransport()],
		["fetch", fetchTransport],
	])("N6: %s reports a reset and a close without an answer as lost", async (_name, transport) => {
		const server = await serve([{ steps: [reset] }, { steps: [fin] }]);
		for (let count = 0; count < 2; count++) {
			const thrown: unknown = await transport({
				method: "POST",
				url: new URL(server.url),
				headers: {},
				body: "{}",
				signal: new AbortController().signal,
			}).catch((error: unknown) => error);
			expect(networkFailureOf(thrown)).toEqual({ kind: "connectionLost", charge: "unknown" });
		}
	});
});

test("N7: a service that closes kept-alive connections at once never meets a paid request on one", async () => {
	const server = await serve([jsonReply(200, { success: true, generation_id: "g" }), fin]);
	const client = clientOf(server.url);
	for (let count = 0; count < 30; count++) {
		expect(await client.createTextToVideo({ prompt: "a cut" })).toBe("g");
	}
	expect(server.posts).toBe(30);
});

describe("N8: no answer in time", () => {
	test("N8: a local service has 300 s for the first byte of its answer", async () => {
		const clock = createFakeClock();
		const server = await serve([stall]);
		const asking = ask(clientOf(server.url, { clock }));
		await eventually(() => server.posts).toBe(1);
		await clock.advance(299_000);
		expect(clock.pending).toBeGreaterThan(0);
		await clock.advance(1_000);
		const { error, notices } = await asking;
		expect(error).toMatchObject({ kind: "noAnswer", charge: "unknown" });
		expect(notices).toEqual([{ type: "silent" }]);
		expect([server.posts, clock.pending]).toEqual([1, 0]);
		await eventually(() => server.openConnections).toBe(0);
	});

	test("N8: another machine has 120 s", async () => {
		const clock = createFakeClock();
		const original = globalThis.fetch;
		globalThis.fetch = (_input, init) =>
			new Promise((_resolve, reject) => {
				init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
			});
		try {
			const asking = ask(clientOf("https://service.example.com", { clock }));
			await clock.advance(119_000);
			expect(clock.pending).toBeGreaterThan(0);
			await clock.advance(1_000);
			expect((await asking).error).toMatchObject({ kind: "noAnswer", charge: "unknown" });
		} finally {
			globalThis.fetch = original;
		}
	});

	test("N8: a lookup that gets no answer is repeated", async () => {
		const clock = createFakeClock();
		const server = await serve([{ steps: [stall] }, { steps: [jsonReply(200, generation)] }]);
		const looking = clientOf(server.url, { clock }).getGeneration("g");
		await eventually(() => server.requests.length).toBe(1);
		await clock.advance(300_000);
		await clock.advance(10);
		expect(await looking).toMatchObject({ status: "in_progress" });
	});
});

describe("N9: redirects", () => {
	test.each([301, 302, 303, 307, 308])(
		"N9: a %i is not followed and the key goes nowhere",
		async status => {
			const elsewhere = await serve(answer);
			const server = await serve([
				reply(status, "", { location: `${elsewhere.url}/v1/chat/messages` }),
			]);
			const { error } = await ask(clientOf(server.url));
			expect(error).toMatchObject({
				kind: "redirected",
				host: `127.0.0.1:${elsewhere.port}`,
				status,
			});
			expect([elsewhere.requests.length, server.posts]).toEqual([0, 1]);
		},
	);

	test("N9: within the origin it is not followed either", async () => {
		const server = await serve([reply(307, "", { location: "/v1/other" })]);
		const { error } = await ask(clientOf(server.url));
		expect([error?.kind, server.posts]).toEqual(["redirected", 1]);
	});

	test("N9: a lookup is not repeated after one", async () => {
		const server = await serve([reply(302, "", { location: "//" })]);
		const error = await failureOf(clientOf(server.url).getGeneration("g"));
		expect([error.kind, server.requests.length]).toEqual(["redirected", 1]);
	});
});

describe("N10: a web page in place of an answer", () => {
	const page =
		"<!doctype html><html><head><title>Sign in &amp; accept\n the terms</title></head></html>";

	test("N10: is named with its title on a streamed call", async () => {
		const server = await serve([reply(200, page, { "content-type": "text/html; charset=utf-8" })]);
		const { error, events } = await ask(clientOf(server.url));
		expect(error).toMatchObject({
			kind: "webPage",
			detail: "Sign in & accept the terms",
			status: 200,
		});
		expect(events).toEqual([]);
	});

	test("N10: is named on every other call", async () => {
		const server = await serve([reply(200, page, { "content-type": "text/html" })]);
		const client = clientOf(server.url);
		const upload = {
			name: "a",
			type: "text/plain",
			size: 0,
			open: () => ({
				[Symbol.asyncIterator]: () => ({
					next: () => Promise.resolve({ done: true as const, value: undefined }),
				}),
			}),
		};
		const calls = [
			client.chat({ model: "m", messages: [{ role: "user", content: "" }] }),
			client.createTextToVideo({ prompt: "" }),
			client.createImageToVideo({ image_url: "https://example.com/a.png" }),
			client.getGeneration("g"),
			client.uploadFile(upload),
		];
		const kinds = await Promise.all(calls.map(async call => (await failureOf(call)).kind));
		expect(kinds).toEqual(["webPage", "webPage", "webPage", "webPage", "webPage"]);
		expect(server.requests).toHaveLength(5);
	});

	test("N10: its title is at most 120 characters of plain text", async () => {
		const long = `<html><title>${"ü".repeat(300)}\u202E</title>`;
		const server = await serve([reply(200, long, { "content-type": "text/html" })]);
		const { error } = await ask(clientOf(server.url));
		expect([...(error?.detail ?? "")]).toHaveLength(120);
		expect(error?.detail).not.toContain("\u202E");
	});
});

describe("where requests go", () => {
	test("a connection that cannot be told is refused with its own words", async () => {
		const client = clientOf("", {
			connection: () => Promise.reject(new Error("The key store could not be read.")),
		});
		expect((await ask(client)).error).toMatchObject({
			kind: "invalidRequest",
			charge: "notSent",
			detail: "The key store could not be read.",
		});
	});

	test("a call waiting for its connection can be cancelled", async () => {
		const abort = new AbortController();
		const client = clientOf("", { connection: () => new Promise(() => undefined) });
		const asking = ask(client, { signal: abort.signal });
		abort.abort();
		expect((await asking).isAborted).toBe(true);
	});

	test.each([
		"not an address",
		"ftp://service.example.com",
		"https://name:word@service.example.com",
	])("the base address %s is refused", async baseUrl => {
		const { error } = await ask(clientOf(baseUrl));
		expect(error).toMatchObject({ kind: "invalidRequest", charge: "notSent" });
		expect(error?.message).not.toContain("word@");
	});

	test("a base address with a path keeps it, and a path of the Files API cannot leave the origin", async () => {
		const server = await serve([jsonReply(200, { file_id: "f" })]);
		const client = clientOf(`${server.url}/gateway/`, {
			connect: { files: { path: "//evil.example.com/steal", field: "file" } },
		});
		async function* none(): AsyncGenerator<Uint8Array> {}
		await client.uploadFile({ name: "a", type: "text/plain", size: 0, open: none });
		expect(server.requests[0]?.target).toBe("/gateway/evil.example.com/steal");
		expect(server.requests[0]?.headers["host"]).toBe(`127.0.0.1:${server.port}`);
	});

	test("the key goes in the header and scheme of the connection", async () => {
		const server = await serve(answer);
		await ask(clientOf(server.url, { connect: { auth: { header: "X-Api-Key", scheme: "" } } }));
		expect(server.requests[0]?.headers["x-api-key"]).toBe(canaryKey);
		expect(server.requests[0]?.headers["authorization"]).toBeUndefined();
	});

	test("without a key the header is left out", async () => {
		const server = await serve(answer);
		await ask(
			clientOf("", {
				connection: () => Promise.resolve({ ...connectionTo(server.url), apiKey: "" }),
			}),
		);
		expect(server.requests[0]?.headers["authorization"]).toBeUndefined();
	});

	test.each(["sk\nx: y", "ключ", "sk\u0000"])(
		"a key no header can carry is refused, unseen",
		async apiKey => {
			const { error } = await ask(clientOf("http://127.0.0.1:1", { connect: { apiKey } }));
			expect(error).toBeInstanceOf(ServiceError);
			expect(error).toMatchObject({ kind: "invalidRequest", charge: "notSent" });
			expect(`${error?.message} ${String(error?.cause)} ${error?.stack}`).not.toContain(apiKey);
		},
	);

	test.each(["", "a b", "Host", "content-length", "ü"])(
		"the key's header cannot be %j",
		async header => {
			const { error } = await ask(
				clientOf("http://127.0.0.1:1", { connect: { auth: { header, scheme: "" } } }),
			);
			expect(error).toMatchObject({ kind: "invalidRequest", charge: "notSent" });
		},
	);
});
