import { Ollama } from "ollama";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { type ModelReply, startModelServer } from "../../../helpers/modelServer.ts";
import { type Shape, shapes } from "./wireShapes.ts";

/** What a public client makes of an answer: its text and its calls, or that it failed. */
interface Opinion {
	readonly text: string;
	readonly calls: readonly string[];
	readonly hasFailed: boolean;
}

const failed: Opinion = { text: "", calls: [], hasFailed: true };

/** What OpenAI's own stream begins with and its package insists on. */
const beginning = {
	id: "c",
	object: "chat.completion.chunk",
	created: 1,
	model: "m",
	choices: [
		{
			index: 0,
			delta: { role: "assistant" },
			finish_reason: null,
		},
	],
};

function withBeginning(reply: ModelReply): ModelReply {
	return /^(?:data|:)/.test(reply.body)
		? { ...reply, body: `data: ${JSON.stringify(beginning)}\n\n${reply.body}` }
		: reply;
}

async function askOpenAi(reply: ModelReply): Promise<Opinion> {
	const { url } = await startModelServer([withBeginning(reply)]);
	const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "k", maxRetries: 0 });
	try {
		const { choices } = await client.chat.completions
			.stream({ model: "m", messages: [{ role: "user", content: "Hi" }] })
			.finalChatCompletion();
		const [choice] = choices;
		const calls = (choice?.message.tool_calls ?? []).map(call =>
			call.type === "function" ? `${call.function.name}(${call.function.arguments})` : "?",
		);
		return { text: choice?.message.content ?? "", calls, hasFailed: false };
	} catch {
		return failed;
	}
}

async function askOllama(reply: ModelReply): Promise<Opinion> {
	const { url } = await startModelServer([reply]);
	const client = new Ollama({ host: url });
	let text = "";
	const calls: string[] = [];
	try {
		const parts = await client.chat({
			model: "m",
			stream: true,
			messages: [
				{
					role: "user",
					content: "Hi",
				},
			],
		});
		for await (const { message } of parts) {
			text += message.content ?? "";
			for (const { function: called } of message.tool_calls ?? []) {
				calls.push(`${called.name}(${JSON.stringify(called.arguments)})`);
			}
		}
		return { text, calls, hasFailed: false };
	} catch {
		return failed;
	}
}

/** What Cutaway makes of it; a failure's text is what was shown before. */
function expected({ text = "", calls = [], failure }: Shape): Opinion {
	return failure === undefined
		? { text, calls: calls.map(call => call.replace(/^\w+:(?=\w+\()/, "")), hasFailed: false }
		: failed;
}

/** Shapes that OpenAI's package refuses or reads in another way, and why Cutaway does not follow it. */
const differences: Readonly<Record<string, string>> = {
	"a refusal in place of the content": "it leaves the field to its caller",
	"content as parts":
		"it joins the parts as «[object Object]»; Mistral's reasoning models send them",
	"a whole answer as JSON": "it reads nothing but frames; some servers do not stream",
	"a whole answer as JSON under a stream's type": "it reads nothing but frames",
	"an empty call at the end (DeepSeek)": "it has the empty call run as well",
	"a reset after a proper end": "it needs the connection's end as well; proxies reset it",
	"<think> at the start": "it leaves thoughts in the text for its caller",
	"<think> after a line": "it leaves thoughts in the text for its caller",
	"an empty <think>": "it leaves thoughts in the text for its caller",
	"index 0 for all, with ids": "it joins the calls of one index; LiteLLM and Ollama number all 0",
	"index 0 for all, without ids":
		"it joins the calls of one index; LiteLLM and Ollama number all 0",
	"no index, with ids": "it demands an index, which Gemini leaves out",
	"neither index nor id goes on with the last call": "it demands an index",
	"whole calls without index and id": "it demands an index, which Ollama left out",
	"whole calls without index and id in one chunk": "it demands an index",
	"arguments as an object": "it joins them as «[object Object]»",
	"no arguments": "it leaves the empty text, which is not JSON",
	"a deprecated call": "it gives it as function_call, of which there is one",
	"no text before «stop»": "an empty answer is an answer to it; to a chat it is a failure",
	"thoughts alone": "an empty answer is an answer to it",
	"thoughts and a blank line": "an empty answer is an answer to it",
	"a filter that ends the answer": "the reason is its caller's to look at",
	"no room in the middle (DeepSeek)": "the reason is its caller's to look at",
	"an answer that the server gave up (vLLM)": "the reason is its caller's to look at",
	"a call without a name": "it gives the call without a name",
	"a comment in place of a frame": "it reads nothing but JSON; gateways send them",
	"a new id and the name with every piece": "it joins the calls of one index",
	"all arguments once more as a string at the end": "it joins all pieces; LiteLLM repeats them",
	"all arguments twice": "it joins all pieces",
	"all arguments twice in one piece (GLM)": "it leaves them to its caller",
	"all arguments in a JSON string (GLM)": "it leaves them to its caller",
	"[DONE] without a reason for the end": "it demands a reason",
	"a whole answer over several lines": "it reads nothing but frames",
	"the word «null» in an answer that breaks off": "any word is a reason to it",
	"Ollama: one whole answer": "it reads nothing but lines",
	"an empty object between the arguments": "it joins all pieces",
	...Object.fromEntries(
		["null", '""', "[]", []].map(nothing => [
			`${JSON.stringify(nothing)} for no arguments`,
			"it leaves them to its caller",
		]),
	),
	"an empty object and the start of the arguments in one piece": "it joins all pieces",
	"the name again with the arguments behind an empty object": "it joins all pieces",
	"two calls of one tool under one id without index": "it demands an index",
	"two calls under one id and index": "it joins the calls of one index",
	"the whole message behind its pieces": "it reads nothing but pieces",
	"a whole answer with an empty reason for its end": "it reads nothing but frames",
	...Object.fromEntries(
		shapes
			.filter(({ name }) => /(?:before|behind|in the middle of) the arguments$/.test(name))
			.filter(({ name }) => !name.startsWith("[] "))
			.map(({ name }) => [name, "it joins all pieces; proxies send empty ones"]),
	),
	...Object.fromEntries(
		shapes
			.filter(({ name }) => /^(?:the filter's reason|a server that gave up with) /.test(name))
			.map(({ name }) => [name, "the reason is its caller's to look at"]),
	),
};

test("every difference is that of a shape", () => {
	const names = new Set(shapes.map(({ name }) => name));
	expect(Object.keys(differences).filter(name => !names.has(name))).toEqual([]);
});

test.each(shapes)("the public package agrees, or is known not to: $name", async shape => {
	const isOllama = shape.name.startsWith("Ollama: ");
	const opinion = await (isOllama ? askOllama : askOpenAi)(shape.reply);
	if (shape.name in differences) {
		expect(opinion).not.toEqual(expected(shape));
	} else {
		expect(opinion).toEqual(expected(shape));
	}
});
