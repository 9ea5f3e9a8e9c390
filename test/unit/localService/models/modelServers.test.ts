import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { Models } from "../../../../src/localService/models/models.ts";
import { fittingContext, knownContext } from "../../../../src/localService/models/modelServers.ts";
import {
	errorReply,
	type ModelReply,
	ollamaReply,
	startModelServer,
	textReply,
} from "../../../helpers/modelServer.ts";

const gigabyte = 1024 ** 3;

test.each([
	["a model of 5 GB on 8 GB", 5, 8, {}, 4_096],
	["a model of 2 GB on 8 GB", 2, 8, {}, 16_384],
	["a model of 5 GB on 16 GB", 5, 16, {}, 16_384],
	["a model of 9 GB on 16 GB", 9, 16, {}, 8_192],
	["a model that is larger than the memory", 40, 16, {}, 4_096],
	["a model that can have less", 2, 16, { maxContextLength: 2_048 }, 2_048],
	["a model whose size is not known", 0, 64, {}, 4_096],
])("a longer context fits into memory: %s", (_, size, memory, known, length) => {
	const details = { sizeBytes: size * gigabyte, ...known };
	expect(fittingContext(details, memory * gigabyte)).toBe(length);
});

test.each([
	["none, for Ollama to choose", {}, 0],
	["the one it is loaded with", { contextLength: 32_768 }, 32_768],
	["none where it is loaded with the shortest", { contextLength: 4_096 }, 0],
	["its own", { ownContextLength: 65_536, maxContextLength: 262_144 }, 65_536],
	["its own, which is short", { ownContextLength: 2_048, contextLength: 32_768 }, 2_048],
	["none in Ollama's cloud", { isElsewhere: true, maxContextLength: 131_072 }, 0],
])("a model of Ollama is asked for with the context that is known: %s", (_, known, length) => {
	expect(knownContext(known)).toBe(length);
});

const demo = {
	answer: () => {
		throw new Error("not asked");
	},
};

const tools = Array.from({ length: 12 }, (_, index) => ({
	type: "function" as const,
	function: { name: `tool_${index}`, description: "x".repeat(600) },
}));

async function openBench(
	pages: Readonly<Record<string, unknown>>,
	contextLength = 0,
	before: readonly ModelReply[] = [],
) {
	const reply = pages["/api/version"] ? ollamaReply("ok") : textReply("ok");
	const server = await startModelServer([...before, reply], pages);
	const servers = [{ name: "lm", baseUrl: `${server.url}/v1`, headers: {} }];
	const models = new Models(() => ({ servers, contextLength }), demo, systemClock);
	return {
		asked: () => server.requests.filter(request => "messages" in request),
		ask: async () => {
			const messages = [{ role: "user", content: "Hi" }];
			const request = { model: "lm/tiny", stream: true, messages, custom_tools: tools };
			let text = "";
			for await (const event of models.answer(request, new AbortController().signal)) {
				text += event.type === "text-delta" ? event.text : "";
				text += event.type === "note" ? `(${event.kind} ${event.names.join(" ")})` : "";
			}
			return text;
		},
	};
}

const ollamaPages = {
	"/api/version": { version: "0.12.0" },
	"/api/tags": { models: [{ name: "tiny:latest", digest: "small", size: gigabyte }] },
	"/api/ps": { models: [] },
	"/api/show tiny:latest": {
		model_info: { "general.architecture": "llama", "llama.context_length": 4_096 },
	},
};

test("a small context is offered the first tools, and a note says which are left out", async () => {
	const { ask, asked } = await openBench(ollamaPages);
	expect(await ask()).toMatch(/^\(fewerTools tool_\d .*tool_11\)ok$/);
	for (const request of asked()) {
		expect(request["options"]).toEqual({});
		expect(JSON.stringify(request["tools"]).length / 4).toBeLessThanOrEqual(4_096 / 3);
	}
	expect(asked()).toHaveLength(1);
});

test("the context that is set is asked for, and offered all tools where it is large", async () => {
	const { ask, asked } = await openBench(ollamaPages, 32_768);
	expect(await ask()).toBe("ok");
	expect(asked()[0]).toMatchObject({ options: { num_ctx: 32_768 }, tools });
});

test.each<readonly [string, object, object, number | undefined]>([
	[
		"its own num_ctx",
		{},
		{ parameters: 'stop "<|im_end|>"\nnum_ctx                        65536\ntemperature 0.7' },
		65_536,
	],
	["no length in the cloud", { remote_host: "https://ollama.com", size: 384 }, {}, undefined],
])("a model of Ollama is asked for with %s", async (_name, tag, shown, length) => {
	const { ask, asked } = await openBench({
		...ollamaPages,
		"/api/tags": {
			models: [{ name: "tiny:latest", digest: `d${length}`, size: gigabyte, ...tag }],
		},
		"/api/show tiny:latest": {
			...shown,
			model_info: { "general.architecture": "qwen3", "qwen3.context_length": 262_144 },
		},
	});
	expect(await ask()).toBe("ok");
	expect(asked()[0]).toMatchObject({ tools });
	expect(asked()[0]?.["options"]).toEqual(length === undefined ? {} : { num_ctx: length });
});

const refusal = (room: number): ModelReply =>
	errorReply(400, {
		error: `request (${room + 1_000} tokens) exceeds the available context size (${room} tokens)`,
	});
const longPages = {
	...ollamaPages,
	"/api/tags": { models: [{ name: "tiny:latest", digest: "long", size: gigabyte / 10 }] },
	"/api/show tiny:latest": {
		model_info: { "general.architecture": "llama", "llama.context_length": 131_072 },
	},
};

test("Ollama is asked for a longer context only once its shortest one is too short", async () => {
	const { ask, asked } = await openBench(longPages, 0, [ollamaReply("ok"), refusal(4_096)]);
	expect([await ask(), await ask(), await ask()]).toEqual(["ok", "ok", "ok"]);
	const longer = { num_ctx: 16_384 };
	expect(asked().map(({ options }) => options)).toEqual([{}, {}, longer, longer]);
	expect(asked()[0]).toMatchObject({ tools });
});

test("a longer context than Ollama chose is asked for neither twice nor where it chose a long one", async () => {
	const chosen = await openBench(longPages, 0, [refusal(8_192)]);
	await expect(chosen.ask()).rejects.toThrow("it has 8,192");
	expect(chosen.asked()).toHaveLength(1);
	const small = await openBench(longPages, 0, [refusal(4_096), refusal(16_384)]);
	await expect(small.ask()).rejects.toThrow("it has 16,384");
	expect(small.asked()).toHaveLength(2);
});

test("a server that lists a small context gets fewer tools as well; one that tells none gets all", async () => {
	const listing = { data: [{ id: "tiny", meta: { n_ctx: 4_096 } }] };
	const small = await openBench({ "/v1/models": listing });
	expect(await small.ask()).toContain("fewerTools");
	const silent = await openBench({ "/v1/models": { data: [{ id: "tiny" }] } });
	expect(await silent.ask()).toBe("ok");
	expect(silent.asked()[0]).toMatchObject({ tools });
});

/** A server that answers each of its paths in one way, and everything else with 404; `asked` has what it was asked. */
async function serverOf(routes: Readonly<Record<string, readonly [status: number, body: string]>>) {
	const asked: string[] = [];
	const server = createServer((request, response) => {
		const path = `${request.method} ${request.url}`;
		asked.push(path);
		request.resume();
		const [status, body] = routes[path] ?? [404, `{"detail":"Not Found"}`];
		response.writeHead(status, { "content-type": "application/json" }).end(body);
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	const models = (path: string) => {
		const servers = [{ name: "lm", baseUrl: `http://127.0.0.1:${port}${path}`, headers: {} }];
		return new Models(() => ({ servers, contextLength: 0 }), demo, systemClock);
	};
	return {
		asked,
		list: async (path: string) => (await models(path).list(new AbortController().signal))[0],
		ask: async (path: string) => {
			const messages = [{ role: "user", content: "Hi" }];
			const request = { model: "lm/tiny", stream: true, messages };
			let text = "";
			for await (const event of models(path).answer(request, new AbortController().signal)) {
				text += event.type === "text-delta" ? event.text : "";
			}
			return text;
		},
	};
}

const version = [200, `{"version":"0.6.40"}`] as const;
const answer = [200, textReply("ok").body] as const;
const list = [200, `{"data":[{"id":"tiny"}]}`] as const;

test("a server that tells a version and shows a page is no Ollama, and answers where its address says", async () => {
	const server = await serverOf({
		"GET /": [200, "<!doctype html><title>Open WebUI</title>"],
		"GET /api/version": version,
		"GET /api/tags": [200, `{"models":[]}`],
		"GET /api/models": list,
		"POST /api/chat/completions": answer,
	});
	expect(await server.list("/api")).toMatchObject({ kind: "openai", models: [{ id: "lm/tiny" }] });
	expect(await server.ask("/api")).toBe("ok");
	expect(server.asked.filter(path => path.startsWith("POST"))).toEqual([
		"POST /api/chat/completions",
	]);
});

test("a server that tells a version alone is no Ollama", async () => {
	const server = await serverOf({
		"GET /api/version": version,
		"GET /api/models": list,
		"POST /api/chat/completions": answer,
	});
	expect(await server.ask("/api")).toBe("ok");
	expect(server.asked).not.toContain("POST /api/chat");
});

test.each([404, 405, 501])(
	"a server that looks like Ollama and answers %i there is asked as OpenAI in the same answer",
	async status => {
		const server = await serverOf({
			"GET /api/version": version,
			"GET /api/tags": [200, `{"models":[]}`],
			"POST /api/chat": [status, `{"detail":"Method Not Allowed"}`],
			"POST /v1/chat/completions": answer,
		});
		expect(await server.ask("")).toBe("ok");
	},
);

test("Ollama without the model that is asked for stays Ollama", async () => {
	const server = await serverOf({
		"GET /": [200, "Ollama is running"],
		"GET /api/version": version,
		"POST /api/chat": [404, `{"error":"model 'tiny' not found"}`],
		"POST /v1/chat/completions": answer,
	});
	await expect(server.ask("")).rejects.toThrow("model 'tiny' not found");
	expect(server.asked).not.toContain("POST /v1/chat/completions");
});

test("Ollama below a path of a proxy is asked there", async () => {
	const server = await serverOf({
		"GET /": [200, "<html>"],
		"GET /box/": [200, "Ollama is running"],
		"GET /box/api/version": version,
		"GET /box/v1/models": list,
		"GET /box/api/tags": [200, `{"models":[{"name":"tiny","size":7}]}`],
		"POST /box/api/chat": [200, ollamaReply("ok").body],
	});
	expect(await server.list("/box/v1")).toMatchObject({
		kind: "ollama",
		models: [{ sizeBytes: 7 }],
	});
	expect(await server.ask("/box/v1")).toBe("ok");
});

test.each(["", "/", "/v1/chat/completions", "/v1/chat/completions/", "/v1/models", "/v1/"])(
	"an address that ends in %j is asked below its base",
	async path => {
		const server = await serverOf({ "GET /v1/models": list, "POST /v1/chat/completions": answer });
		expect(await server.list(path)).toMatchObject({ models: [{ id: "lm/tiny" }] });
		expect(await server.ask(path)).toBe("ok");
	},
);

test.each([
	[`[{"id":"a/b","context_length":8192}]`, [{ label: "a/b", contextLength: 8192 }]],
	[`{"models":[{"name":"command-r"}]}`, [{ label: "command-r" }]],
	[`["one","two"]`, [{ label: "one" }, { label: "two" }]],
	[
		`{"data":[null,{"id":7},{"object":"model"},{"id":"good","context_length":"8k"}]}`,
		[{ label: "good" }],
	],
])("a list of models is read whatever is around it: %s", async (body, models) => {
	const server = await serverOf({ "GET /v1/models": [200, body] });
	expect(await server.list("/v1")).toMatchObject({ models });
});

test("a model of LM Studio has its size, context and abilities from LM Studio's own list (ux 15)", async () => {
	const server = await serverOf({
		"GET /v1/models": [
			200,
			`{"data":[{"id":"openai/gpt-oss-20b","max_context_length":131072},{"id":"gemma-3-4b"},{"id":"gemma-3-4b:2"}]}`,
		],
		"GET /api/v1/models": [
			200,
			`{"models":[
				{"type":"llm","key":"openai/gpt-oss-20b","size_bytes":12110000000,"max_context_length":131072,
					"loaded_instances":[],
					"capabilities":{"vision":false,"trained_for_tool_use":true,"reasoning":{"allowed_options":["low"],"default":"low"}}},
				{"type":"llm","key":"gemma-3-4b","size_bytes":3034755901,"max_context_length":131072,
					"loaded_instances":[{"id":"gemma-3-4b","config":{"context_length":4096}},{"id":"gemma-3-4b:2","config":{"context_length":8192}}],
					"capabilities":{"vision":true,"trained_for_tool_use":false}},
				{"type":"embedding","key":"nomic","size_bytes":84000000,"max_context_length":2048}
			]}`,
		],
	});
	const own = { sizeBytes: 3_034_755_901, isLoaded: true, tools: false, vision: true };
	expect((await server.list("/v1"))?.models).toMatchObject([
		{ sizeBytes: 12_110_000_000, isLoaded: false, tools: true, thinking: true, vision: false },
		{ label: "gemma-3-4b", ...own, contextLength: 4096, maxContextLength: 131_072 },
		{ label: "gemma-3-4b:2", ...own, contextLength: 8192 },
	]);
	expect(server.asked).not.toContain("GET /api/v0/models");
});

test("an older LM Studio tells contexts, what is loaded and abilities", async () => {
	const server = await serverOf({
		"GET /v1/models": [200, `{"data":[{"id":"qwen3-8b"},{"id":"qwen2-vl"}]}`],
		"GET /api/v0/models": [
			200,
			`{"data":[
				{"id":"qwen3-8b","type":"llm","state":"loaded","max_context_length":32768,"loaded_context_length":4096,"capabilities":["tool_use"]},
				{"id":"qwen2-vl","type":"vlm","state":"not-loaded","max_context_length":32768}
			]}`,
		],
	});
	expect((await server.list("/v1"))?.models).toMatchObject([
		{
			label: "qwen3-8b",
			isLoaded: true,
			contextLength: 4096,
			maxContextLength: 32_768,
			tools: true,
		},
		{ label: "qwen2-vl", isLoaded: false, vision: true, maxContextLength: 32_768 },
	]);
});

test("a server that wants a key before it tells its kind is asked again later", async () => {
	const server = await serverOf({
		"GET /api/version": [401, `{"detail":"Not authenticated"}`],
		"GET /v1/models": list,
		"POST /v1/chat/completions": answer,
	});
	expect(await server.ask("")).toBe("ok");
	const listing = await server.list("/v1");
	expect(listing?.models).toHaveLength(1);
	expect(listing?.kind).toBeUndefined();
});
