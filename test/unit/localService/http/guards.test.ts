import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Engine } from "../../../../src/localService/engine.ts";
import { sendRaw } from "../rawHttp.ts";
import { chatRequest, startTestService, testToken } from "../testService.ts";

/** What a vector is made of; `PORT` and `TOKEN` are filled in. */
interface Vector {
	readonly name: string;
	readonly line?: string;
	/** Replaces the headers of a good request. */
	readonly headers?: readonly string[];
	/** Added to the headers of a good request. */
	readonly extra?: readonly string[];
	readonly body?: string;
	readonly status: number;
	readonly code?: string;
}

const goodLine = "POST /v1/chat/messages HTTP/1.1";
const host = "Host: 127.0.0.1:PORT";
const token = "Authorization: Bearer TOKEN";
const json = "Content-Type: application/json";
const goodBody = JSON.stringify(chatRequest("hello"));

const without = (name: string, ...added: readonly string[]): readonly string[] => [
	...[host, token, json].filter(header => !header.startsWith(name)),
	...added,
];

const vectors: readonly Vector[] = [
	{ name: "no token", headers: without("Authorization"), status: 401, code: "unauthorized" },
	{
		name: "a wrong token of the same length",
		headers: without("Authorization", `Authorization: Bearer ${"x".repeat(testToken.length)}`),
		status: 401,
	},
	{
		name: "the token's beginning",
		headers: without("Authorization", `Authorization: Bearer ${testToken.slice(0, -1)}`),
		status: 401,
	},
	{
		name: "the token and one character more",
		headers: without("Authorization", `Authorization: Bearer ${testToken}x`),
		status: 401,
	},
	{
		name: "an empty token",
		headers: without("Authorization", "Authorization: Bearer "),
		status: 401,
	},
	{
		name: "the token under another scheme",
		headers: without("Authorization", "Authorization: Basic TOKEN"),
		status: 401,
	},
	{
		name: "the token without a scheme",
		headers: without("Authorization", "Authorization: TOKEN"),
		status: 401,
	},
	{ name: "two Authorization headers", extra: ["Authorization: Bearer other"], status: 401 },
	{
		name: "the token as a cookie",
		headers: without("Authorization", "Cookie: token=TOKEN"),
		status: 401,
	},
	{
		name: "the token in the query",
		line: "POST /v1/chat/messages?token=TOKEN HTTP/1.1",
		headers: without("Authorization"),
		status: 401,
	},
	{
		name: "an unknown path without a token, which tells nothing about paths",
		line: "POST /v1/anything HTTP/1.1",
		headers: without("Authorization"),
		status: 401,
	},
	{
		name: "a name rebound to this address",
		headers: without("Host", "Host: evil.example"),
		status: 403,
		code: "wrong_host",
	},
	{
		name: "a rebound name with our port",
		headers: without("Host", "Host: evil.example:PORT"),
		status: 403,
	},
	{ name: "our address without a port", headers: without("Host", "Host: 127.0.0.1"), status: 403 },
	{
		name: "our address with another port",
		headers: without("Host", "Host: 127.0.0.1:1"),
		status: 403,
	},
	{
		name: "our address as the beginning of a name",
		headers: without("Host", "Host: 127.0.0.1:PORT.evil.example"),
		status: 403,
	},
	{
		name: "another loopback address",
		headers: without("Host", "Host: 127.0.0.2:PORT"),
		status: 403,
	},
	{ name: "the unspecified address", headers: without("Host", "Host: 0.0.0.0:PORT"), status: 403 },
	{
		name: "the address as one number",
		headers: without("Host", "Host: 2130706433:PORT"),
		status: 403,
	},
	{ name: "the loopback of IPv6", headers: without("Host", "Host: [::1]:PORT"), status: 403 },
	{
		name: "localhost with a trailing dot",
		headers: without("Host", "Host: localhost.:PORT"),
		status: 403,
	},
	{
		name: "a user name before the host",
		headers: without("Host", "Host: a@127.0.0.1:PORT"),
		status: 403,
	},
	{ name: "an empty Host", headers: without("Host", "Host: "), status: 403 },
	{ name: "no Host at all", headers: without("Host"), status: 403 },
	{ name: "two Host headers, ours first", extra: ["Host: evil.example"], status: 403 },
	{
		name: "two Host headers, ours last",
		headers: without("Host", "Host: evil.example", host),
		status: 403,
	},
	{ name: "two equal Host headers", extra: [host], status: 403 },
	{
		name: "HTTP/1.0 without a Host",
		line: "POST /v1/chat/messages HTTP/1.0",
		headers: without("Host"),
		status: 403,
	},
	{
		name: "an absolute-form target with our Host",
		line: "POST http://evil.example/v1/chat/messages HTTP/1.1",
		status: 400,
		code: "bad_target",
	},
	{
		name: "an absolute-form target that names us",
		line: "POST http://127.0.0.1:PORT/v1/chat/messages HTTP/1.1",
		status: 400,
	},
	{ name: "the target of a whole server", line: "OPTIONS * HTTP/1.1", status: 400 },
	{ name: "an Origin", extra: ["Origin: https://evil.example"], status: 403, code: "web_page" },
	{ name: "an Origin of null", extra: ["Origin: null"], status: 403 },
	{ name: "an empty Origin", extra: ["Origin:"], status: 403 },
	{ name: "our own address as Origin", extra: ["Origin: http://127.0.0.1:PORT"], status: 403 },
	{ name: "the webview's Origin", extra: ["Origin: vscode-webview://abc"], status: 403 },
	{ name: "a page of another site", extra: ["Sec-Fetch-Site: cross-site"], status: 403 },
	{ name: "a page of the same site", extra: ["Sec-Fetch-Site: same-site"], status: 403 },
	{ name: "a page of the same origin", extra: ["Sec-Fetch-Site: same-origin"], status: 403 },
	{
		name: "two Sec-Fetch-Site headers",
		extra: ["Sec-Fetch-Site: none", "Sec-Fetch-Site: cross-site"],
		status: 403,
	},
	{
		name: "T23: an editor's port proxy",
		extra: ["X-Forwarded-Host: editor.example"],
		status: 403,
		code: "proxied",
	},
	{ name: "T23: a proxy that tells of itself", extra: ["Via: 1.1 proxy"], status: 403 },
	{ name: "T23: a standard proxy", extra: ["Forwarded: for=192.0.2.1"], status: 403 },
	{
		name: "T23: a proxy that hides, without a token",
		headers: without("Authorization", "Cookie: code-server-session=1"),
		status: 401,
	},
	{
		name: "a text/plain POST, which pages may send unasked",
		headers: without("Content-Type", "Content-Type: text/plain"),
		status: 415,
		code: "unsupported_media_type",
	},
	{
		name: "a form POST",
		headers: without("Content-Type", "Content-Type: application/x-www-form-urlencoded"),
		body: `${encodeURIComponent(goodBody)}=`,
		status: 415,
	},
	{
		name: "a multipart POST to the chat",
		headers: without("Content-Type", "Content-Type: multipart/form-data; boundary=a"),
		status: 415,
	},
	{ name: "a POST without a type", headers: without("Content-Type"), status: 415 },
	{
		name: "JSON hidden behind text/plain",
		headers: without("Content-Type", "Content-Type: text/plain; application/json"),
		status: 415,
	},
	{ name: "two types", extra: ["Content-Type: text/plain"], status: 415 },
	{
		name: "JSON in another character set",
		headers: without("Content-Type", "Content-Type: application/json; charset=utf-16"),
		status: 415,
	},
	{ name: "a compressed body", extra: ["Content-Encoding: gzip"], status: 415 },
	{ name: "GET on the chat", line: "GET /v1/chat/messages HTTP/1.1", status: 405 },
	{ name: "HEAD on the chat", line: "HEAD /v1/chat/messages HTTP/1.1", status: 405 },
	{ name: "OPTIONS, the preflight", line: "OPTIONS /v1/chat/messages HTTP/1.1", status: 405 },
	{ name: "TRACE", line: "TRACE /v1/chat/messages HTTP/1.1", status: 405 },
	{ name: "PUT", line: "PUT /v1/chat/messages HTTP/1.1", status: 405 },
	{ name: "DELETE on a generation", line: "DELETE /v1/generations/a HTTP/1.1", status: 405 },
	{ name: "a path that climbs", line: "POST /v1/x/../chat/messages HTTP/1.1", status: 404 },
	{ name: "a path in capitals", line: "POST /V1/CHAT/MESSAGES HTTP/1.1", status: 404 },
	{ name: "a path with a slash more", line: "POST //v1/chat/messages HTTP/1.1", status: 404 },
	{ name: "a percent-encoded path", line: "POST /v1/chat%2Fmessages HTTP/1.1", status: 404 },
	{ name: "a name of Object.prototype", line: "POST /constructor HTTP/1.1", status: 404 },
	{
		name: "a WebSocket upgrade of a page",
		line: "GET /v1/chat/messages HTTP/1.1",
		extra: ["Origin: https://evil.example", "Connection: Upgrade", "Upgrade: websocket"],
		status: 403,
	},
	{ name: "an expectation nobody knows", extra: ["Expect: 200-maybe"], status: 417 },
	{ name: "a huge header", extra: [`X-Padding: ${"x".repeat(20_000)}`], status: 431 },
	{
		name: "ten thousand headers",
		extra: Array.from({ length: 10_000 }, (_, n) => `X-${n}: 1`),
		status: 431,
	},
	{ name: "a header line that is folded", extra: ["X-Fold: a\r\n b: c"], status: 400 },
	{ name: "a length and a transfer coding", extra: ["Transfer-Encoding: chunked"], status: 400 },
	{ name: "two lengths", extra: ["Content-Length: 1"], status: 400 },
	{ name: "a negative length", extra: ["Content-Length: -1"], status: 400 },
	{ name: "no HTTP at all", line: "HELLO", status: 400 },
	{ name: "a future version", line: "POST /v1/chat/messages HTTP/9.9", status: 400 },
];

function render(vector: Vector, port: number): string {
	const headers = [...(vector.headers ?? [host, token, json]), ...(vector.extra ?? [])];
	const body = vector.body ?? goodBody;
	const head = [
		vector.line ?? goodLine,
		...headers,
		`Content-Length: ${Buffer.byteLength(body)}`,
		"",
		"",
	].join("\r\n");
	return head.replaceAll("PORT", String(port)).replaceAll("TOKEN", testToken) + body;
}

/** Counts what it is asked; a guard that lets something through shows here. */
function createCountingEngine(): Engine & { readonly asked: () => number } {
	let asked = 0;
	return {
		asked: () => asked,
		// oxlint-disable-next-line require-yield -- an answer without messages is what a counter needs
		async *answer() {
			asked += 1;
		},
	};
}

describe("T21, G15: whoever is not ours is refused and nothing is done for them", () => {
	test.each(vectors)("$name → $status", async vector => {
		const engine = createCountingEngine();
		const service = await startTestService({ engine });
		const answer = await sendRaw(service.port, render(vector, service.port));
		expect(answer.status, answer.raw.slice(0, 300)).toBe(vector.status);
		expect(engine.asked()).toBe(0);
		expect(existsSync(service.filesFolder)).toBe(false);
		expect([...answer.headers.keys()].filter(name => name.startsWith("access-control"))).toEqual(
			[],
		);
		expect(answer.raw).not.toContain(testToken);
		const isHead = vector.line?.startsWith("HEAD") === true;
		if (!isHead) {
			expect(JSON.parse(answer.body)).toEqual({
				success: false,
				error: { message: expect.any(String), code: vector.code ?? expect.any(String) },
			});
		}
	});

	test("the service keeps answering after all of them, on one server", async () => {
		const engine = createCountingEngine();
		const service = await startTestService({ engine });
		for (const vector of vectors) {
			await sendRaw(service.port, render(vector, service.port));
		}
		expect(engine.asked()).toBe(0);
		const answer = await sendRaw(service.port, render({ name: "good", status: 200 }, service.port));
		expect(answer.status).toBe(200);
		expect(engine.asked()).toBe(1);
	});
});

describe("T22: whoever has the token is heard", () => {
	const good: readonly Vector[] = [
		{ name: "a plain request", status: 200 },
		{ name: "localhost as Host", headers: without("Host", "Host: localhost:PORT"), status: 200 },
		{ name: "Node's own fetch", extra: ["Sec-Fetch-Mode: cors"], status: 200 },
		{ name: "an address typed by a user", extra: ["Sec-Fetch-Site: none"], status: 200 },
		{
			name: "a type with a character set",
			headers: without("Content-Type", 'Content-Type: Application/JSON; Charset="UTF-8"'),
			status: 200,
		},
		{
			name: "a scheme in small letters",
			headers: without("Authorization", "authorization: bearer TOKEN"),
			status: 200,
		},
		{ name: "a query", line: "POST /v1/chat/messages?trace=1 HTTP/1.1", status: 200 },
	];

	test.each(good)("$name", async vector => {
		const engine = createCountingEngine();
		const service = await startTestService({ engine });
		const answer = await sendRaw(service.port, render(vector, service.port));
		expect(answer.status, answer.raw).toBe(vector.status);
		expect(engine.asked()).toBe(1);
	});
});
