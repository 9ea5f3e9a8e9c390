// @module-tag thorough
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { silentLog } from "../../../../src/common/log.ts";
import { HttpFailure } from "../../../../src/localService/base/failureResponse.ts";
import { findServers, listServer } from "../../../../src/localService/models/findServers.ts";
import { ollamaDetails } from "../../../../src/localService/ollama/ollamaDetails.ts";
import { overflowOf } from "../../../../src/localService/openai/contextOverflow.ts";
import { streamCompletion } from "../../../../src/localService/openai/streamCompletion.ts";
import { serverMessage } from "../../../../src/localService/openai/serverFailure.ts";
import {
	modelLimits,
	refuses,
	withoutRefused,
} from "../../../../src/localService/openai/modelLimits.ts";
import { ThoughtFilter } from "../../../../src/localService/openai/thoughts.ts";
import { growth, linearGrowth } from "../../../helpers/growth.ts";

const pieces = [
	"<",
	"<title",
	"<title>",
	"<script",
	"<script>",
	"<style></",
	"<!--",
	"</",
	"< a=>",
	'"n_prompt_tokens": 1,',
	'"n_ctx": 1,',
	"maximum context length is 1 tokens ",
	"has ",
	"1",
	"first 1 tokens ",
	"request (1 tokens) exceeds ",
	"token count 1 exceeds ",
	"1,",
	"(1",
	"prompt exceeds ",
	"prompt exceeds maximum ",
	"context length of 1 ",
	"1,000 ",
	"9200 ",
	"超过",
	"n_keep (1) ",
	"limit 1 ",
	"less than 1 tokens",
	"no tool ",
	"not support ",
	"unsupported ",
	"contains 1 tokens ",
	"too long: 1 tokens ",
	"11 maximum context",
	" ",
	"\n",
	"{",
	"[",
	'"',
];

test.each(pieces)("the words of a refusal made of %j take no longer than it is long", piece => {
	expect(growth(serverMessage, piece)).toBeLessThan(linearGrowth);
	expect(growth(overflowOf, piece)).toBeLessThan(linearGrowth);
	const isRefused = (words: string) =>
		modelLimits.some(limit => refuses(limit, { status: 400, words, body: words }));
	expect(growth(isRefused, piece)).toBeLessThan(linearGrowth);
});

test.each([
	'"code":"unsupported_parameter"',
	'"param":"top_p"',
	'"extra_forbidden"',
	'"loc":["top_p"]',
	'"loc":[',
	"unknown ",
	"unknown request ",
])("so does finding a parameter in one made of %j", piece => {
	const find = (body: string): unknown =>
		withoutRefused({ top_p: 1 }, { status: 400, words: body, body });
	expect(growth(find, piece)).toBeLessThan(linearGrowth);
});

test.each([" ", "\n", "<", "</think", "<think>"])(
	"an answer of thousands of pieces %j is read in the time of its length",
	piece => {
		const read = (text: string): void => {
			const filter = new ThoughtFilter(true);
			for (let at = 0; at < text.length; at += piece.length) {
				filter.push(text.slice(at, at + piece.length));
			}
			filter.end(false);
		};
		expect(growth(read, piece)).toBeLessThan(linearGrowth);
	},
);

test("the words of pages are those a reader sees", () => {
	expect(serverMessage("<html><head><title>Sign in</title></head><body>x")).toBe("Sign in");
	expect(
		serverMessage("<STYLE>p{}</STYLE><script>if (a<b) x()</script><p>Bad <b>gateway</b>"),
	).toBe("Bad gateway");
	expect(serverMessage("upstream: 3 < 4 connections")).toContain("upstream: 3");
	expect(serverMessage("<script>never closed")).toBe("");
});

/** A server whose answers to these paths go on until whoever asks leaves; resolves `left` then. */
async function endless(
	head: Readonly<Record<string, string>>,
	status: number,
	piece: string,
): Promise<{ readonly url: string; readonly left: Promise<number> }> {
	const { promise: left, resolve } = Promise.withResolvers<number>();
	const block = piece.repeat(Math.ceil((256 * 1024) / piece.length));
	const answer: RequestListener = (request, response) => {
		let sent = 0;
		const more = (): void => {
			while (!response.destroyed && response.write(block)) {
				sent += block.length;
			}
		};
		request.resume();
		response.writeHead(status, head);
		response.on("drain", more);
		response.on("close", () => resolve(sent));
		more();
	};
	const server = createServer(answer);
	await new Promise<void>(listening => server.listen(0, "127.0.0.1", listening));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, left };
}

const json = { "content-type": "application/json" };
const never = new AbortController().signal;
const partsOf = (baseUrl: string): ReturnType<typeof streamCompletion> =>
	streamCompletion({
		server: { name: "lm", baseUrl, headers: {} },
		body: { model: "m", messages: [] },
		clock: systemClock,
		log: silentLog,
		signal: never,
	});

async function texts(baseUrl: string): Promise<string> {
	let text = "";
	for await (const part of partsOf(baseUrl)) {
		text += part.type === "text" ? part.text : "";
	}
	return text;
}

const ask = async (baseUrl: string): Promise<string> => {
	try {
		for await (const part of partsOf(baseUrl)) {
			expect(part.type).not.toBe("end");
		}
		return "";
	} catch (error) {
		expect(error).toBeInstanceOf(HttpFailure);
		return (error as HttpFailure).message;
	}
};

const megabyte = 1024 * 1024;

test.each<[string, Readonly<Record<string, string>>, number, string, string, number]>([
	["an answer of JSON", json, 200, "[1,", "without an end", 24],
	["a refusal", json, 500, "[1,", "lm answered 500", 4],
	["a page", { "content-type": "text/html" }, 200, "<", "without an end", 24],
	[
		"one line of JSON",
		{ "content-type": "application/x-ndjson" },
		200,
		"[1,",
		"without an end",
		24,
	],
	["one frame", { "content-type": "text/event-stream" }, 200, "data: x", "too long", 24],
	["comments", { "content-type": "text/event-stream" }, 200, ": x\n\n", "without an end", 160],
])(
	"%s that has no end is left, and said to be",
	async (_what, head, status, piece, words, most) => {
		const { url, left } = await endless(head, status, piece);
		expect(await ask(url)).toContain(words);
		expect(await left).toBeLessThan(most * megabyte);
	},
);

test("lists that have no end are left", async () => {
	const { url, left } = await endless(json, 200, "[1,");
	const port = Number(new URL(url).port);
	const places = [{ name: "lm", port }];
	expect(await findServers(new AbortController().signal, places)).toEqual([]);
	expect(await left).toBeLessThan(24 * megabyte);
	const server = { baseUrl: url, headers: {} };
	expect((await ollamaDetails(server, new AbortController().signal)).size).toBe(0);
});

describe("a gateway that compresses whatever it is asked for", () => {
	async function compressing(
		status: number,
		type: string,
		body: string | Uint8Array,
	): Promise<string> {
		const server = createServer((request, response) => {
			request.resume();
			const encoded = typeof body === "string" ? gzipSync(body) : body;
			response.writeHead(status, { "content-type": type, "content-encoding": "gzip" }).end(encoded);
		});
		await new Promise<void>(listening => server.listen(0, "127.0.0.1", listening));
		onTestFinished(() => void server.close());
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	}

	test("is understood in its answers, its refusals and its lists", async () => {
		const chunk = { choices: [{ delta: { content: "Hi." }, finish_reason: "stop" }] };
		const stream = `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
		expect(await texts(await compressing(200, "text/event-stream", stream))).toBe("Hi.");
		const refusal = JSON.stringify({ error: "model is gone" });
		expect(await ask(await compressing(404, "application/json", refusal))).toContain(
			"model is gone",
		);
		const baseUrl = await compressing(200, "application/json", '{"data":[{"id":"m"}]}');
		const { models } = await listServer({ name: "lm", baseUrl, headers: {} }, never, 5_000);
		expect(models).toHaveLength(1);
	});

	test("cannot fill the memory with what it packs, and is told apart from one that breaks", async () => {
		const bomb = gzipSync(Buffer.alloc(256 * megabyte, "["));
		expect(bomb.length).toBeLessThan(megabyte);
		expect(await ask(await compressing(200, "application/json", bomb))).toContain("without an end");
		const cut = gzipSync("[1]".repeat(10_000)).subarray(0, 40);
		expect(await ask(await compressing(200, "application/json", cut))).toContain("broke");
	});
});
