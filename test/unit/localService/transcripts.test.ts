import { expect, test } from "vitest";
import { systemClock } from "../../../src/common/async.ts";
import { Models } from "../../../src/localService/models/models.ts";
import {
	callReply,
	delta,
	errorReply,
	frames,
	type ModelReply,
	ollamaReply,
	startModelServer,
	textReply,
} from "../../helpers/modelServer.ts";
import { written } from "./openai/writtenCalls.ts";
import { startTestService } from "./testService.ts";

const demo = {
	answer: () => {
		throw new Error("not asked");
	},
};

const question = { role: "user", content: "What is the weather in Oslo?" };
const weather = { name: "get_weather", description: "Weather of a city" };
const called = { name: "get_weather", arguments: '{"city":"Oslo"}' };
const tools = { custom_tools: [{ type: "function", function: weather }] };
const call = { id: "call_1", type: "function", function: called };

const readTools = {
	custom_tools: ["read_file", "list_files"].map(name => ({
		type: "function",
		function: { name, description: name, parameters: { type: "object", properties: {} } },
	})),
};
const thoughts = [
	"<think>\nhm\n</think>\n\nRain.",
	"</think>\n\nRain.",
	"[THINK]hm[/THINK]Rain.",
	"<seed:think>hm</seed:think>Rain.",
	"<reasoning>hm</reasoning>\nRain.",
	"<|START_THINKING|>hm<|END_THINKING|>Rain.",
	"<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>Rain.<|END_RESPONSE|>",
	"◁think▷hm◁/think▷Rain.",
	"<think>\nhm\n</think>\n<answer>\nRain.\n</answer>",
	"Here are my reasoning steps:\nhm\n[BEGIN FINAL RESPONSE]\nRain.\n[END FINAL RESPONSE]\n<|end|>",
	"<|open|>think<|sep|>hm<|close|>think<|sep|><|open|>response<|sep|>Rain.<|close|>response<|sep|><|close|>message<|sep|>",
	"<|think|>hm<|end|><|begin|>assistant<|content|>Rain.<|end|>",
	"<|channel>thought\nhm<channel|>Rain.",
	"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Rain.",
	"<|channel|>final<|message|>Rain.",
];

interface Scene {
	readonly name: string;
	readonly isOllama?: boolean;
	/** What is asked of the service, request by request. */
	readonly asked: readonly object[];
	readonly replies: readonly ModelReply[];
}

const withResult = [
	question,
	{ role: "assistant", content: "", tool_calls: [call] },
	{ role: "tool", content: "rain", tool_call_id: "call_1" },
];
const ollamaCall = {
	role: "assistant",
	content: "",
	tool_calls: [{ function: { ...called, arguments: { city: "Oslo" } } }],
};
const line = (part: object): string => `${JSON.stringify(part)}\n`;
const lines = { "content-type": "application/x-ndjson" };
const tooLong = {
	code: 400,
	type: "exceed_context_size_error",
	n_prompt_tokens: 9_200,
	n_ctx: 4_096,
};

const scenes: readonly Scene[] = [
	{ name: "text", asked: [{}], replies: [textReply("It ", "rains.")] },
	{ name: "whole", asked: [{ stream: false }], replies: [textReply("It ", "rains.")] },
	{
		name: "tool",
		asked: [tools, { ...tools, messages: withResult }],
		replies: [callReply("get_weather", { city: "Oslo" }), textReply("It rains.")],
	},
	{
		name: "thought",
		asked: [{}],
		replies: [
			{ body: frames(delta({ reasoning_content: "hm" }), delta({ content: "Rain." }, "stop")) },
		],
	},
	{
		name: "thoughts-as-text",
		asked: thoughts.map(() => ({})),
		replies: thoughts.map(text => textReply(text)),
	},
	{
		name: "calls-as-text",
		asked: written.map(() => readTools),
		replies: written.map(({ calls }) => textReply("I'll look.\n", calls)),
	},
	{ name: "too-long", asked: [{}], replies: [errorReply(400, { error: tooLong })] },
	{
		name: "cut-off",
		asked: [{}, { stream: false }],
		replies: [{ body: frames(delta({ content: "It" })).replace("data: [DONE]\n\n", "") }],
	},
	{ name: "ollama-text", isOllama: true, asked: [{}], replies: [ollamaReply("It ", "rains.")] },
	{
		name: "ollama-tool",
		isOllama: true,
		asked: [tools, { ...tools, messages: withResult }],
		replies: [
			{
				body:
					line({ message: ollamaCall }) + line({ message: {}, done: true, done_reason: "stop" }),
				headers: lines,
			},
			ollamaReply("It rains."),
		],
	},
	{
		name: "ollama-error",
		isOllama: true,
		asked: [{}],
		replies: [
			{
				body: line({ message: { content: "It" } }) + line({ error: "out of memory" }),
				headers: lines,
			},
		],
	},
];

/** Ids that the service makes up differ from run to run. */
function steady(text: string): string {
	return text.replaceAll(/"id":"[a-z0-9]{9}"/g, '"id":"(made up)"');
}

/** All that came of a body, also of one that breaks off. */
async function bytesOf(response: Response): Promise<string> {
	let text = "";
	const decoder = new TextDecoder();
	try {
		for await (const piece of response.body ?? []) {
			text += decoder.decode(piece, { stream: true });
		}
		return text;
	} catch {
		return `${text}(the connection broke)`;
	}
}

/** Everything that was said, in order: what is asked of the service, what it asks of the model, and the bytes that come back. */
async function transcriptOf({ isOllama = false, asked, replies }: Scene): Promise<string> {
	const pages = isOllama
		? { "/api/version": { version: "0.12.0" }, "/api/tags": { models: [] } }
		: {};
	const server = await startModelServer(replies, pages);
	const servers = [{ name: "lm", baseUrl: server.url, headers: {} }];
	const engine = new Models(() => ({ servers, contextLength: 8_192 }), demo, systemClock);
	const service = await startTestService({ engine });
	const parts: string[] = [];
	for (const fields of asked) {
		const before = server.requests.length;
		const request = { model: "lm/tiny", stream: true, messages: [question], ...fields };
		const response = await service.post("/v1/chat/messages", request);
		const body = await bytesOf(response);
		parts.push(`> ${JSON.stringify(request)}`);
		parts.push(...server.requests.slice(before).map(sent => `>> ${JSON.stringify(sent)}`));
		parts.push(`< ${response.status} ${response.headers.get("content-type")}`, body.trimEnd(), "");
	}
	return steady(parts.join("\n"));
}

test.each(scenes)(
	"the words that cross between client, service and model are those on record: $name",
	async scene => {
		await expect(await transcriptOf(scene)).toMatchFileSnapshot(`transcripts/${scene.name}.txt`);
	},
);
