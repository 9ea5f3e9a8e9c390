import { expect, test } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { Models } from "../../../../src/localService/models/index.ts";
import { contextThatFits } from "../../../../src/localService/models/modelServers.ts";
import { ollamaReply, startModelServer, textReply } from "../../../helpers/modelServer.ts";

const gigabyte = 1024 ** 3;

test.each([
	["a model of 5 GB on 8 GB", 5, 8, {}, 4_096],
	["a model of 2 GB on 8 GB", 2, 8, {}, 16_384],
	["a model of 5 GB on 16 GB", 5, 16, {}, 16_384],
	["a model of 9 GB on 16 GB", 9, 16, {}, 8_192],
	["a model that is larger than the memory", 40, 16, {}, 4_096],
	["a model that is loaded with more", 5, 8, { contextLength: 32_768 }, 32_768],
	["a model that can have less", 2, 16, { maxContextLength: 2_048 }, 2_048],
	["a model whose size is not known", 0, 64, {}, 4_096],
])("the context that is asked of Ollama fits into memory: %s", (_, size, memory, known, length) => {
	const details = { sizeBytes: size * gigabyte, ...known };
	expect(contextThatFits(details, memory * gigabyte)).toBe(length);
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

async function openBench(pages: Readonly<Record<string, unknown>>, contextLength = 0) {
	const reply = pages["/api/version"] ? ollamaReply("ok") : textReply("ok");
	const server = await startModelServer([reply], pages);
	const servers = [{ name: "lm", baseUrl: `${server.url}/v1`, headers: {} }];
	const models = new Models(() => ({ servers, contextLength }), demo, systemClock);
	return {
		asked: () => server.requests.filter(request => "messages" in request),
		ask: async (earlier = "") => {
			const messages = [
				...(earlier === "" ? [] : [{ role: "assistant", content: earlier }]),
				{ role: "user", content: "Hi" },
			];
			const request = { model: "lm/tiny", stream: true, messages, custom_tools: tools };
			let text = "";
			for await (const event of models.answer(request, new AbortController().signal, {})) {
				text += event.type === "text-delta" ? event.text : "";
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

test("a small context is offered the first tools, and the answer says once in a chat which are left out", async () => {
	const { ask, asked } = await openBench(ollamaPages);
	const told = await ask();
	expect(told).toMatch(/^This model's context is small, .* Left out: .*`tool_11`\.ok$/);
	expect(await ask(told)).toBe("ok");
	for (const request of asked()) {
		expect(request["options"]).toMatchObject({ num_ctx: 4_096 });
		expect(JSON.stringify(request["tools"]).length / 4).toBeLessThanOrEqual(4_096 / 3);
	}
	expect(asked()).toHaveLength(2);
});

test("the context that is set is asked for, and offered all tools where it is large", async () => {
	const { ask, asked } = await openBench(ollamaPages, 32_768);
	expect(await ask()).toBe("ok");
	expect(asked()[0]).toMatchObject({ options: { num_ctx: 32_768 }, tools });
});

test("a server that lists a small context gets fewer tools as well; one that tells none gets all", async () => {
	const listing = { data: [{ id: "tiny", meta: { n_ctx: 4_096 } }] };
	const small = await openBench({ "/v1/models": listing });
	expect(await small.ask()).toContain("Left out");
	const silent = await openBench({ "/v1/models": { data: [{ id: "tiny" }] } });
	expect(await silent.ask()).toBe("ok");
	expect(silent.asked()[0]).toMatchObject({ tools });
});
