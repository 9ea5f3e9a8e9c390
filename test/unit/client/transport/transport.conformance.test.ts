import {
	brotliCompressSync,
	deflateRawSync,
	deflateSync,
	gzipSync,
	zstdCompressSync,
} from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { isAbortError } from "../../../../src/common/errors.ts";
import { fetchTransport } from "../../../../src/client/transport/fetchTransport.ts";
import type {
	Transport,
	TransportRequest,
	TransportResponse,
} from "../../../../src/client/transport/transport.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import { eventually } from "../../../helpers/eventually.ts";
import { chunk, jsonReply, lastChunk, reply, streamHead } from "../../../helpers/httpScripts.ts";
import {
	sendSlowly,
	fin,
	reset,
	type Script,
	type ScriptedServer,
	send,
	stall,
	startScriptedServer,
	type Step,
	until,
} from "../../../helpers/scriptedServer.ts";

const transports: readonly (readonly [string, Transport])[] = [
	["undici", createUndiciTransport()],
	["fetch", fetchTransport],
];

const servers: ScriptedServer[] = [];

afterEach(async () => {
	await Promise.all(servers.splice(0).map(server => server.close()));
});

async function serve(...steps: readonly Step[]): Promise<ScriptedServer> {
	return await serveAll({ steps });
}

async function serveAll(...scripts: readonly Script[]): Promise<ScriptedServer> {
	const server = await startScriptedServer(scripts);
	servers.push(server);
	return server;
}

function request(server: ScriptedServer, over: Partial<TransportRequest> = {}): TransportRequest {
	return {
		method: "GET",
		url: new URL("/v1/x?y=z", server.url),
		headers: { accept: "application/json", "accept-encoding": "identity" },
		signal: new AbortController().signal,
		...over,
	};
}

async function readAll(response: TransportResponse): Promise<Buffer> {
	const parts: Uint8Array[] = [];
	for await (const part of response.body) {
		parts.push(part);
	}
	return Buffer.concat(parts);
}

async function* bytes(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
	for (const part of parts) {
		yield Buffer.from(part);
	}
}

describe.each(transports)("the %s transport", (_name, transport) => {
	test("sends method, path, query and headers as given", async () => {
		const server = await serve(reply(200, "{}"));
		await readAll(await transport(request(server, { headers: { "x-key": "abc" } })));
		const [seen] = server.requests;
		expect([seen?.method, seen?.target, seen?.headers["x-key"]]).toEqual([
			"GET",
			"/v1/x?y=z",
			"abc",
		]);
	});

	test("sends a text body as UTF-8 with its length", async () => {
		const server = await serve(reply(200, "{}"));
		await readAll(await transport(request(server, { method: "POST", body: "Жук 🐞" })));
		const [seen] = server.requests;
		expect(seen?.headers["content-length"]).toBe("11");
		expect(seen?.body.toString()).toBe("Жук 🐞");
	});

	test("sends a streamed body with its exact length, unchunked", async () => {
		const server = await serve(reply(200, "{}"));
		const body = { length: 6, chunks: bytes("ab", "cd", "ef") };
		await readAll(await transport(request(server, { method: "POST", body })));
		const [seen] = server.requests;
		expect(seen?.headers["content-length"]).toBe("6");
		expect(seen?.headers["transfer-encoding"]).toBeUndefined();
		expect(seen?.body.toString()).toBe("abcdef");
	});

	test("reads a streamed body no faster than the network takes it", async () => {
		const gate = Promise.withResolvers<void>();
		const server = await serveAll({
			steps: [until(gate.promise), reply(200, "{}")],
			isImmediate: true,
		});
		let taken = 0;
		const total = 64 * 1024 * 1024;
		async function* endless(): AsyncGenerator<Uint8Array> {
			for (; taken < total; taken += 65_536) {
				yield Buffer.alloc(65_536);
			}
		}
		const abort = new AbortController();
		// The server reads the connection only as far as the kernel buffers it, because its socket is paused below.
		const pending = transport(
			request(server, {
				method: "POST",
				url: new URL(server.url),
				body: { length: total, chunks: endless() },
				signal: abort.signal,
			}),
		).catch((error: unknown) => error);
		server.pauseReading();
		await new Promise(resolve => setTimeout(resolve, 100));
		expect(taken).toBeLessThan(total / 2);
		abort.abort();
		gate.resolve();
		await pending;
	});

	test("breaks the connection when a streamed body throws, so that the request is never whole", async () => {
		const server = await serve(reply(200, "{}"));
		async function* failing(): AsyncGenerator<Uint8Array> {
			yield Buffer.from("abc");
			throw new Error("the disk is gone");
		}
		const body = { length: 6, chunks: failing() };
		await expect(transport(request(server, { method: "POST", body }))).rejects.toThrow();
		await eventually(() => server.openConnections).toBe(0);
		expect(server.requests.every(seen => !seen.isWhole)).toBe(true);
	});

	test("hands over status, headers and body", async () => {
		const server = await serve(jsonReply(418, { a: 1 }, { "Retry-After": "7" }));
		const response = await transport(request(server));
		expect(response.status).toBe(418);
		expect(response.header("retry-after")).toBe("7");
		expect(response.header("content-type")).toBe("application/json");
		expect(response.header("x-none")).toBeUndefined();
		expect(response.header("constructor")).toBeUndefined();
		expect((await readAll(response)).toString()).toBe('{"a":1}');
	});

	test("reads past an informational answer to the real one", async () => {
		const server = await serve(
			send("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"),
			reply(200, "ok"),
		);
		const response = await transport(request(server));
		expect([response.status, (await readAll(response)).toString()]).toEqual([200, "ok"]);
	});

	test("hands over bytes as they come, before the body ends", async () => {
		const gate = Promise.withResolvers<void>();
		const server = await serve(
			streamHead(),
			chunk("one"),
			until(gate.promise),
			chunk("two"),
			lastChunk,
		);
		const response = await transport(request(server));
		const iterator = response.body[Symbol.asyncIterator]();
		const first = await iterator.next();
		expect(Buffer.from(first.value ?? []).toString()).toBe("one");
		gate.resolve();
		const second = await iterator.next();
		expect(Buffer.from(second.value ?? []).toString()).toBe("two");
		expect((await iterator.next()).done).toBe(true);
	});

	test("gives every byte of a dripped body", async () => {
		const text = "data: žluťoučký 🐎\n\n".repeat(20);
		const server = await serve(
			streamHead(),
			...[...Buffer.from(text)].map(byte => chunk(Uint8Array.of(byte))),
			lastChunk,
		);
		expect((await readAll(await transport(request(server)))).toString()).toBe(text);
	});

	test("pauses the sender while nobody reads", async () => {
		let sent = 0;
		const piece = Buffer.alloc(65_536);
		const total = 96 * 1024 * 1024;
		const flood: Step = async (socket, signal) => {
			for (; sent < total && !signal.aborted && !socket.destroyed; sent += piece.length) {
				await chunk(piece)(socket, signal);
			}
		};
		const server = await serve(streamHead(), flood, lastChunk);
		const response = await transport(request(server));
		const iterator = response.body[Symbol.asyncIterator]();
		await iterator.next();
		await new Promise(resolve => setTimeout(resolve, 150));
		expect(sent).toBeLessThan(total / 2);
		await iterator.return?.();
	});

	test.each([
		["gzip", gzipSync],
		["x-gzip", gzipSync],
		["deflate", deflateSync],
		["deflate", deflateRawSync],
		["br", brotliCompressSync],
		["zstd", zstdCompressSync],
	])("undoes %s that was not asked for", async (coding, compress) => {
		const plain = "plain text ".repeat(20_000);
		const server = await serve(reply(200, compress(plain), { "content-encoding": coding }));
		expect((await readAll(await transport(request(server)))).toString()).toBe(plain);
	});

	test("throws while reading compressed data that is broken", async () => {
		const broken = gzipSync("plain text ".repeat(50));
		broken.fill(0xff, 10, 20);
		const server = await serve(reply(200, broken, { "content-encoding": "gzip" }));
		const response = await transport(request(server));
		await expect(readAll(response)).rejects.toThrow();
	});

	test("never gives compressed data that is cut as whole", async () => {
		const whole = crypto.getRandomValues(Buffer.alloc(4000));
		const cut = gzipSync(whole).subarray(0, 2000);
		const server = await serve(reply(200, cut, { "content-encoding": "gzip" }));
		const read = await readAll(await transport(request(server))).catch(() => undefined);
		expect(read?.length ?? 0).toBeLessThan(whole.length);
	});

	test.each([301, 302, 303, 307, 308])(
		"hands over a %i redirect without following it",
		async status => {
			const server = await serve(reply(status, "", { location: "/elsewhere" }));
			const response = await transport(request(server, { method: "POST", body: "{}" }));
			await readAll(response);
			expect(response.status).toBe(status);
			expect(server.requests).toHaveLength(1);
		},
	);

	test("uses a connection of its own for every request", async () => {
		const server = await serve(reply(200, "{}"));
		for (let count = 0; count < 3; count++) {
			await readAll(await transport(request(server, { method: "POST", body: "{}" })));
			await eventually(() => server.openConnections).toBe(0);
		}
		expect(server.requests.map(seen => seen.headers["connection"])).toEqual([
			"close",
			"close",
			"close",
		]);
	});

	test("throws when the connection breaks before the head", async () => {
		const server = await serve(reset);
		await expect(transport(request(server))).rejects.toThrow();
	});

	test.each([
		["a reset", [chunk("abc"), reset]],
		["an end inside a chunked body", [chunk("abc"), fin]],
		["a bad chunk length", [chunk("abc"), send("zz\r\nabc\r\n")]],
	])("delivers what came and then throws at %s", async (_fault, steps) => {
		const server = await serve(streamHead(), ...steps);
		const response = await transport(request(server));
		let text = "";
		const reading = (async () => {
			for await (const part of response.body) {
				text += Buffer.from(part).toString();
			}
		})();
		await expect(reading).rejects.toThrow();
		expect(text).toBe("abc");
	});

	test("an abort before the head ends the request at once and closes its connection", async () => {
		const server = await serve(stall);
		const abort = new AbortController();
		const pending = transport(request(server, { signal: abort.signal }));
		await eventually(() => server.requests.length).toBe(1);
		abort.abort();
		await expect(pending).rejects.toSatisfy(isAbortError);
		await eventually(() => server.openConnections).toBe(0);
	});

	test("an abort in the body ends a waiting read at once and closes the connection", async () => {
		const server = await serve(streamHead(), chunk("abc"), stall);
		const abort = new AbortController();
		const response = await transport(request(server, { signal: abort.signal }));
		const iterator = response.body[Symbol.asyncIterator]();
		await iterator.next();
		const waiting = iterator.next();
		abort.abort();
		await expect(waiting).rejects.toSatisfy(isAbortError);
		await eventually(() => server.openConnections).toBe(0);
	});

	test("an abort before sending sends nothing", async () => {
		const server = await serve(reply(200, "{}"));
		const abort = new AbortController();
		abort.abort();
		await expect(transport(request(server, { signal: abort.signal }))).rejects.toSatisfy(
			isAbortError,
		);
		expect(server.requests).toHaveLength(0);
	});

	test("leaving the body early closes the connection", async () => {
		const server = await serve(streamHead(), sendSlowly("6\r\nabcdef\r\n"), stall);
		const response = await transport(request(server));
		for await (const part of response.body) {
			expect(part.byteLength).toBeGreaterThan(0);
			break;
		}
		await eventually(() => server.openConnections).toBe(0);
	});
});

test("the undici transport delivers what came in one packet with the error", async () => {
	const server = await serve(streamHead(), send("3\r\nabc\r\nzz\r\n"));
	const response = await createUndiciTransport()(request(server));
	const chunks = response.body[Symbol.asyncIterator]();
	const { value } = await chunks.next();
	expect(Buffer.from(value ?? []).toString()).toBe("abc");
	await expect(chunks.next()).rejects.toThrow();
});

test("the fetch transport looks fetch up at call time, so that the editor's own is used", async () => {
	const original = globalThis.fetch;
	const server = await serve(reply(200, "{}"));
	const seen: unknown[] = [];
	globalThis.fetch = (input, init) => {
		seen.push(input);
		return original(input, init);
	};
	try {
		await readAll(await fetchTransport(request(server)));
	} finally {
		globalThis.fetch = original;
	}
	expect(seen).toHaveLength(1);
});

test("the fetch transport neither sends nor keeps cookies", async () => {
	const original = globalThis.fetch;
	const server = await serve(reply(200, "{}"));
	const seen: string[] = [];
	globalThis.fetch = (input, init) => {
		seen.push(new Request(input, init).credentials);
		return original(input, init);
	};
	try {
		await readAll(await fetchTransport(request(server)));
	} finally {
		globalThis.fetch = original;
	}
	expect(seen).toEqual(["omit"]);
});
