import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { Models } from "../../../../src/localService/models/models.ts";
import { findServers } from "../../../../src/localService/models/findServers.ts";
import { errorReply, startModelServer } from "../../../helpers/modelServer.ts";

const signal = new AbortController().signal;
const demo = {
	answer: () => {
		throw new Error("not asked");
	},
};

/** A port where something takes connections and says nothing. */
async function silentPort(): Promise<number> {
	const server = createServer(() => undefined);
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const address = server.address();
	return typeof address === "object" && address ? address.port : 0;
}

test("a server's models come with what it tells of them, and those that do not chat are left out", async () => {
	const { url } = await startModelServer([], {
		"/v1/models": {
			data: [
				{ id: "a", max_model_len: 4096 },
				{ id: "b", meta: { n_ctx: 512, n_ctx_train: 2048, size: 9 } },
				{ id: "org/c", context_length: 8192, supported_parameters: ["tools"] },
				{ id: "text-embedding-3" },
			],
		},
	});
	const options = { servers: [{ name: "lm", baseUrl: url, headers: {} }], contextLength: 0 };
	expect(await new Models(() => options, demo, systemClock).list(signal)).toEqual([
		{
			server: "lm",
			baseUrl: url,
			kind: "openai",
			models: [
				{ id: "lm/a", label: "a", server: "lm", contextLength: 4096 },
				{
					id: "lm/b",
					label: "b",
					server: "lm",
					contextLength: 512,
					maxContextLength: 2048,
					sizeBytes: 9,
				},
				{
					id: "lm/org/c",
					label: "org/c",
					server: "lm",
					contextLength: 8192,
					tools: true,
					thinking: false,
				},
			],
		},
	]);
});

test("an Ollama that has no model yet is found", async () => {
	const { port } = await startModelServer([], {
		"/api/version": { version: "0.12.0" },
		"/v1/models": { object: "list", data: null },
		"/api/tags": { models: [] },
		"/api/ps": { models: [] },
	});
	expect(await findServers(signal, [{ port, name: "ollama" }])).toMatchObject([
		{ server: "ollama", kind: "ollama", models: [] },
	]);
});

test("Ollama is recognized wherever it listens, and tells sizes and what is loaded", async () => {
	const { url } = await startModelServer([], {
		"/api/version": { version: "0.9.0" },
		"/v1/models": { data: [{ id: "qwen3:8b" }, { id: "tiny" }] },
		"/api/tags": { models: [{ name: "qwen3:8b", size: 5200 }] },
		"/api/ps": { models: [{ name: "qwen3:8b", context_length: 4096 }] },
	});
	const options = { servers: [{ name: "box", baseUrl: url, headers: {} }], contextLength: 0 };
	const [listing] = await new Models(() => options, demo, systemClock).list(signal);
	expect(listing).toMatchObject({
		kind: "ollama",
		models: [
			{ id: "box/qwen3:8b", sizeBytes: 5200, isLoaded: true, contextLength: 4096 },
			{ id: "box/tiny" },
		],
	});
});

test("what Ollama's models can do is asked once for each file, and one that does not say is still listed", async () => {
	const { url, requests } = await startModelServer([errorReply(500, "no")], {
		"/api/version": { version: "0.9.0" },
		"/v1/models": { data: [{ id: "qwen3:8b" }, { id: "old" }] },
		"/api/tags": {
			models: [
				{ name: "qwen3:8b", digest: "digest of qwen3" },
				{ name: "old", digest: "digest of old" },
			],
		},
		"/api/show qwen3:8b": {
			capabilities: ["completion", "tools", "thinking"],
			model_info: { "general.architecture": "qwen3", "qwen3.context_length": 40_960 },
		},
	});
	const options = { servers: [{ name: "box", baseUrl: url, headers: {} }], contextLength: 0 };
	const models = new Models(() => options, demo, systemClock);
	const expected = [
		{
			id: "box/qwen3:8b",
			label: "qwen3:8b",
			server: "box",
			isLoaded: false,
			tools: true,
			vision: false,
			thinking: true,
			maxContextLength: 40960,
		},
		{ id: "box/old", label: "old", server: "box", isLoaded: false },
	];
	expect((await models.list(signal))[0]?.models).toEqual(expected);
	expect((await models.list(signal))[0]?.models).toEqual(expected);
	expect(requests.filter(({ model }) => model === "qwen3:8b")).toHaveLength(1);
});

test("an Ollama that takes its time to tell more of its models is still found", async () => {
	const server = createHttpServer((request, response) => {
		const isDetail = request.url === "/api/tags";
		const page = request.url === "/api/version" ? { version: "0.12.0" } : { data: [{ id: "a" }] };
		const text = request.url === "/" ? "Ollama is running" : JSON.stringify(isDetail ? {} : page);
		setTimeout(() => response.end(text), isDetail ? 600 : 0);
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	expect(await findServers(signal, [{ port, name: "ollama" }])).toMatchObject([
		{ kind: "ollama", models: [{ id: "ollama/a" }] },
	]);
});

test("a server that fails is listed with a sentence beside those that answer", async () => {
	const good = await startModelServer([], { "/v1/models": { data: [] } });
	const bad = await startModelServer([], { "/v1/models": { hello: 1 } });
	const servers = [
		{ name: "good", baseUrl: `${good.url}/v1/`, headers: {} },
		{ name: "bad", baseUrl: bad.url, headers: {} },
		{ name: "none", baseUrl: `${bad.url}/elsewhere`, headers: {} },
	];
	const models = new Models(() => ({ servers, contextLength: 0 }), demo, systemClock);
	expect((await models.list(signal)).map(({ failure }) => failure)).toEqual([
		undefined,
		"bad cannot be asked for its models: it sent no list of models.",
		"none cannot be asked for its models: it answered 404: not found.",
	]);
});

test("looking around finds what answers, and leaves out silence and refused connections", async () => {
	const { port } = await startModelServer([], { "/v1/models": { data: [{ id: "a" }] } });
	const silent = await silentPort();
	const found = await findServers(signal, [
		{ port, name: "lm-studio" },
		{ port: silent, name: "localhost-8080" },
		{ port: 9, name: "localhost-8000" },
	]);
	expect(found).toMatchObject([{ server: "lm-studio", models: [{ id: "lm-studio/a" }] }]);
});
