import { expect, test } from "vitest";
import { type Clock, systemClock } from "../../../../src/common/async.ts";
import { toError } from "../../../../src/common/errors.ts";
import { silentLog } from "../../../../src/common/log.ts";
import { HttpFailure } from "../../../../src/localService/base/failureResponse.ts";
import { ollamaWire } from "../../../../src/localService/ollama/ollamaWire.ts";
import {
	type CompletionWire,
	streamCompletion,
} from "../../../../src/localService/openai/streamCompletion.ts";
import type { ModelPart } from "../../../../src/localService/openai/completionReader.ts";
import { readCompletion } from "../../../../src/localService/openai/readCompletion.ts";
import { beginsInThought, ThoughtFilter } from "../../../../src/localService/openai/thoughts.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { delta, frames, startModelServer } from "../../../helpers/modelServer.ts";
import { type Shape, shapes } from "./wireShapes.ts";

interface Read {
	readonly text: string;
	readonly calls: readonly { readonly id: string; readonly shown: string }[];
	readonly failure: string;
	readonly isCut: boolean;
}

/** The reader of lines, which nothing but Ollama's stream comes in. */
const { chunkOf } = ollamaWire(0);

function read(
	baseUrl: string,
	model = "m",
	wire?: CompletionWire,
	clock: Clock = systemClock,
): Promise<Read> {
	return gather(
		streamCompletion({
			server: { name: "lm", baseUrl, headers: {} },
			body: { model, messages: [] },
			wire,
			clock,
			log: silentLog,
			signal: new AbortController().signal,
		}),
	);
}

async function gather(parts: AsyncIterable<ModelPart>): Promise<Read> {
	let text = "";
	try {
		for await (const part of parts) {
			if (part.type === "text") {
				text += part.text;
			} else if (part.type === "end") {
				const calls = part.calls.map(call => ({
					id: call.id,
					shown: `${call.name}(${call.arguments})`,
				}));
				return { text, calls, failure: "", isCut: part.isCut };
			}
		}
		return { text, calls: [], failure: "no end", isCut: false };
	} catch (error) {
		expect(error).toBeInstanceOf(HttpFailure);
		return { text, calls: [], failure: toError(error).message, isCut: false };
	}
}

/** The types and texts of the parts of an answer, in order. */
async function tellShown(baseUrl: string, model: string): Promise<string> {
	let shown = "";
	let last = "";
	for await (const part of streamCompletion({
		server: { name: "lm", baseUrl, headers: {} },
		body: { model, messages: [] },
		clock: systemClock,
		log: silentLog,
		signal: new AbortController().signal,
	})) {
		if (part.type === "progress" || part.type === "left-out") {
			continue;
		}
		shown += part.type === last ? "" : `|${part.type} `;
		shown += "text" in part ? part.text : "";
		last = part.type;
	}
	return shown;
}

function check(shape: Shape, { text, calls, failure, isCut }: Read): void {
	expect(isCut).toBe(shape.isCut ?? false);
	expect(text).toBe(shape.text ?? "");
	const expected = shape.calls ?? [];
	expect(
		calls.map(({ id, shown }, at) =>
			/^\w+:\w+\(/.test(expected[at] ?? "") ? `${id}:${shown}` : shown,
		),
	).toEqual(expected);
	expect(calls.every(({ id }) => /^\w+$/.test(id))).toBe(true);
	expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
	if (shape.failure === undefined) {
		expect(failure).toBe("");
	} else {
		expect(failure.slice(0, shape.failure.length)).toBe(shape.failure);
	}
}

test.each(shapes)("$name", async shape => {
	const { url } = await startModelServer([shape.reply]);
	check(shape, await read(url, "m", shape.name.startsWith("Ollama: ") ? ollamaWire(0) : undefined));
});

const streamed = shapes.filter(({ reply }) => (reply.status ?? 200) === 200 && !reply.ending);

test.each(streamed)("$name, cut at every byte", { tags: "thorough" }, async shape => {
	const bytes = new TextEncoder().encode(shape.reply.body);
	for (let at = 1; at < bytes.length; at += 1) {
		const pieces = new ReadableStream<Uint8Array<ArrayBuffer>>({
			start: controller => {
				controller.enqueue(bytes.slice(0, at));
				controller.enqueue(bytes.slice(at));
				controller.close();
			},
		});
		const headers = { "content-type": "text/event-stream", ...shape.reply.headers };
		check(
			shape,
			await gather(readCompletion(new Response(pieces, { headers }), "lm", { chunkOf })),
		);
	}
});

test("an answer whose connection is left open is closed once it is over", async () => {
	const whole = frames(delta({ content: "Hi" }), delta({}, "stop"));
	const { url } = await startModelServer([{ body: whole, ending: "open" }]);
	expect(await read(url)).toMatchObject({ text: "Hi", failure: "" });
	const clock = createFakeClock();
	const server = await startModelServer([
		{ body: whole.replace("data: [DONE]\n\n", ""), ending: "open" },
	]);
	let isOver = false;
	const reading = read(server.url, "m", undefined, clock).finally(() => (isOver = true));
	await expect.poll(() => server.requests.length).toBe(1);
	await expect.poll(() => clock.pending).toBe(1);
	await clock.advance(4_999);
	expect(isOver).toBe(false);
	await clock.advance(1);
	expect(await reading).toMatchObject({ text: "Hi", failure: "" });
	await expect.poll(() => server.aborted).toBe(1);
});

test("an answer goes on for as long as it comes, whatever reason for an end each part has", async () => {
	let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
	const body = new ReadableStream<Uint8Array>({ start: given => void (controller = given) });
	const clock = createFakeClock();
	const parts = readCompletion(new Response(body), "lm", { clock });
	for (const content of ["one", "two", "three"]) {
		const frame = `data: ${JSON.stringify(delta({ content }, "stop"))}\n\n`;
		controller?.enqueue(new TextEncoder().encode(frame));
		expect((await parts.next()).value).toEqual({ type: "text", text: content });
		await clock.advance(4_000);
	}
	controller?.close();
	expect((await parts.next()).value).toMatchObject({ type: "end" });
});

test("ids that no server gave are nine letters and digits", async () => {
	const call = { function: { name: "f", arguments: "{}" } };
	const { url } = await startModelServer([
		{ body: frames(delta({ tool_calls: [call] }), delta({}, "tool_calls")) },
	]);
	expect((await read(url)).calls[0]?.id).toMatch(/^[a-z0-9]{9}$/);
});

const plainTexts = [
	"A model ends its thought with </think> and goes on.",
	"secret</think>\n\nHi",
	"```\nx\n</think>\ny\n```\n",
	"Ends with\n</think>",
	" \n<thin air> and <think>",
	"`<think>` opens and `</think>` closes",
	"<",
	"  \n",
	"<thinker>x</thinker></think>",
];

interface Told {
	readonly text: string;
	readonly thought: string;
}

/** What a user is shown of an answer in the end: its text, and what it thought. */
function tell(filter: ThoughtFilter, pieces: readonly string[], isCut = false): Told {
	const told = [...pieces.flatMap(piece => filter.push(piece)), ...filter.end(isCut)];
	return told.reduce<Told>(
		(shown, piece) =>
			piece.type === "was-thinking"
				? { text: "", thought: shown.thought + shown.text }
				: {
						text: shown.text + (piece.type === "text" ? piece.text : ""),
						thought:
							piece.type === "not-thinking"
								? ""
								: shown.thought + (piece.type === "thinking" ? piece.text : ""),
					},
		{ text: "", thought: "" },
	);
}

/** A text in three pieces, cut at every two places. */
function cuts(text: string): string[][] {
	const places = [...text, ""].map((_, at) => at);
	return places.flatMap(at =>
		places.slice(at).map(next => [text.slice(0, at), text.slice(at, next), text.slice(next)]),
	);
}

test.each(plainTexts)("what does not begin with a thought is shown as it came: %j", text => {
	for (const pieces of cuts(text)) {
		expect(tell(new ThoughtFilter(), pieces)).toEqual({ text, thought: "" });
	}
});

test.each([
	["Okay, the user says hi.\n</think>\n\nHello", "Okay, the user says hi.\n", "Hello"],
	["One.\r\nTwo.\r\n  </think> \r\n\r\nHello\n</think>\n", "One.\r\nTwo.\r\n", "Hello\n</think>\n"],
	["```\ncode\n```\n</thinking>\nHello", "```\ncode\n```\n", "Hello"],
	["<think>One</think>Hi\n</think>\nthere", "One", "Hi\n</think>\nthere"],
	["I add.\n[BEGIN FINAL RESPONSE]\nHello", "I add.\n", "Hello"],
	["I add.\n◁/think▷\nHello", "I add.\n", "Hello"],
	["I add.\n</think:opensource>\nHello", "I add.\n", "Hello"],
])(
	"a closing tag on a line of its own ends a thought without an opening one: %j",
	(answer, thought, text) => {
		for (const pieces of cuts(answer)) {
			expect(tell(new ThoughtFilter(), pieces)).toEqual({ text, thought });
		}
	},
);

test("a thought is told apart wherever its tags are cut, and the rest is shown whole", () => {
	for (const pieces of cuts("\n<think>\none < two</th></think>\n\nHi </think> there")) {
		const told = { text: "Hi </think> there", thought: "one < two</th>" };
		expect(tell(new ThoughtFilter(), pieces)).toEqual(told);
	}
});

test.each([
	"<|channel>thought\none < two<|channel|>\n<channel|>Hi <channel|> there",
	"<|channel>\none < two<|channel|>\n<channel|>\nHi <channel|> there",
	"<|channel|>analysis<|message|>one < two<|channel|>\n<|end|><|start|>assistant<|channel|>final<|message|>Hi <channel|> there",
	"<|channel|>analysis<|message|>one < two<|channel|>\n<|start|>assistant<|channel|>final<|message|>Hi <channel|> there",
])("a thought between the marks of Gemma or gpt-oss is told apart: %j", answer => {
	for (const pieces of cuts(answer)) {
		const told = { text: "Hi <channel|> there", thought: "one < two<|channel|>\n" };
		expect(tell(new ThoughtFilter(), pieces)).toEqual(told);
	}
});

test.each([
	"[THINK]one < two[/THINK]Hi",
	"<seed:think>one < two</seed:think>\nHi",
	"<reasoning>\none < two</reasoning>\n\nHi",
	"<|START_THINKING|>one < two<|END_THINKING|>Hi",
	"<|START_THINKING|>one < two<|END_THINKING|><|START_RESPONSE|>Hi",
	"<|START_THINKING|>one < two<|END_THINKING|>\n<|START_TEXT|>Hi",
	"◁think▷one < two◁/think▷\n\nHi",
	"<mm:think>one < two</mm:think>\n\nHi",
	"<think:opensource>one < two</think:opensource>\nHi",
	"<think>\none < two</think>\n<answer>\nHi</answer>",
	"<think>one < two</think>\n\n\n<response>\nHi</response>\n",
	"<|begin_of_thought|>\none < two<|end_of_thought|>\n\n<|begin_of_solution|>\nHi",
	"<|inner_prefix|>one < two<|inner_suffix|>Hi",
	"<|open|>think<|sep|>one < two<|close|>think<|sep|><|open|>response<|sep|>Hi",
	"<|think|>one < two<|end|><|begin|>assistant<|content|>Hi",
	"Here are my reasoning steps:\none < two[BEGIN FINAL RESPONSE]\nHi",
])("a thought between a model's own marks is told apart: %j", answer => {
	for (const pieces of cuts(answer)) {
		expect(tell(new ThoughtFilter(), pieces)).toEqual({ text: "Hi", thought: "one < two" });
	}
});

test.each([
	"</think>\n\nTokyo",
	"\n</thinking>Tokyo",
	"[/THINK]Tokyo",
	"<|channel|>final<|message|>Tokyo",
	"<|start|>assistant<|channel|>final<|message|>Tokyo",
	"◁/think▷Tokyo",
	"</mm:think>\nTokyo",
	"[BEGIN FINAL RESPONSE]\nTokyo",
	"<|content|>Tokyo",
	"<|START_RESPONSE|>Tokyo",
	"<|open|>response<|sep|>Tokyo",
	"</think>\n<answer>\nTokyo</answer>",
])("a mark that ends a thought is not in the text that begins with it: %j", answer => {
	for (const pieces of cuts(answer)) {
		expect(tell(new ThoughtFilter(), pieces)).toEqual({ text: "Tokyo", thought: "" });
		const filter = new ThoughtFilter();
		filter.passAll();
		filter.push("");
		filter.passAll();
		expect(tell(filter, pieces)).toEqual({ text: "Tokyo", thought: "" });
	}
});

test("thoughts are told while they come, but for what may begin their end", () => {
	const filter = new ThoughtFilter();
	expect(filter.push("<think>I wonder")).toEqual([{ type: "thinking", text: "I wonder" }]);
	expect(filter.push(" why </thi")).toEqual([{ type: "thinking", text: " why " }]);
	expect(filter.push("s>")).toEqual([{ type: "thinking", text: "</this>" }]);
});

test("a thought that is never closed is the answer, unless the model's limit cut it", () => {
	for (const pieces of cuts("<think> is a tag")) {
		expect(tell(new ThoughtFilter(), pieces)).toEqual({ text: "<think> is a tag", thought: "" });
	}
	const cut = { text: "", thought: "Let me se" };
	expect(tell(new ThoughtFilter(), ["<think>", "Let me se"], true)).toEqual(cut);
});

test("a model that begins inside its thought needs no opening tag", () => {
	for (const pieces of cuts("Hm, x</think>\n\nHi")) {
		expect(tell(new ThoughtFilter(true), pieces)).toEqual({ text: "Hi", thought: "Hm, x" });
	}
	for (const pieces of cuts("Just text")) {
		expect(tell(new ThoughtFilter(true), pieces)).toEqual({ text: "Just text", thought: "" });
	}
	for (const pieces of cuts("Hm, x[BEGIN FINAL RESPONSE]\nHi")) {
		expect(tell(new ThoughtFilter(true), pieces)).toEqual({ text: "Hi", thought: "Hm, x" });
	}
	for (const pieces of cuts("<think>Hm</think>Hi")) {
		expect(tell(new ThoughtFilter(true), pieces)).toEqual({ text: "Hi", thought: "Hm" });
	}
});

test.each(["Hi <answer>x</answer>", "<answer>Hi</answer>", "Here are the steps:\n[BEGIN] Hi"])(
	"tags around an answer without a thought before are text: %j",
	text => {
		for (const pieces of cuts(text)) {
			expect(tell(new ThoughtFilter(), pieces)).toEqual({ text, thought: "" });
		}
	},
);

test("a closing tag within an answer in tags is text", () => {
	for (const pieces of cuts("<think>x</think><answer>Hi </answer> there</answer>\n")) {
		const told = { text: "Hi </answer> there", thought: "x" };
		expect(tell(new ThoughtFilter(), pieces)).toEqual(told);
	}
	for (const pieces of cuts("<think>x</think><answer>Hi </ans")) {
		expect(tell(new ThoughtFilter(), pieces)).toEqual({ text: "Hi </ans", thought: "x" });
	}
});

test("thoughts among the parts of a text are thoughts", async () => {
	const thinking = [{ type: "text", text: "Hm" }];
	const chunks = [
		delta({ content: [{ type: "thinking", thinking }] }),
		delta({ content: [{ type: "thinking", thinking: "m" }] }),
		delta({ reasoning_content: "", reasoning: "." }),
		delta({ content: [{ type: "text", text: "Hi" }] }),
		delta({}, "stop"),
	];
	const response = new Response(frames(...chunks));
	const told: string[] = [];
	for await (const part of readCompletion(response, "lm")) {
		told.push("text" in part ? `${part.type} ${part.text}` : part.type);
	}
	expect(told).toEqual(["thinking Hmm.", "text Hi", "end"]);
});

test("which models begin inside a thought is known by their ids", () => {
	const opened = ["deepseek-r1:8b", "QwQ-32B", "qwen3-4b-thinking-2507", "Apriel-1.6-15b-Thinker"];
	expect(opened.filter(beginsInThought)).toEqual(opened);
	expect(["qwen3:8b", "gpt-4o", "apriel-5b-instruct"].filter(beginsInThought)).toEqual([]);
});

test.each(["", "\n\n", null])(
	"a thought in a field of its own is one, whatever the first frame's text is: %j",
	async content => {
		const chunks = [
			delta({ role: "assistant", content }),
			delta({ reasoning_content: "I think" }),
			delta({ reasoning_content: " so." }),
			delta({ content: "The" }),
			delta({ content: " answer." }),
		];
		for (const model of ["qwen3-4b-thinking-2507", "DeepSeek-R1", "qwq:32b", "gpt-4o"]) {
			for (const reason of ["stop", "length"]) {
				const { url } = await startModelServer([{ body: frames(...chunks, delta({}, reason)) }]);
				expect(await tellShown(url, model)).toBe("|thinking I think so.|text The answer.|end ");
			}
		}
	},
);

test("where thoughts come in a field of their own, all text is text", async () => {
	const chunks = [delta({ reasoning_content: "Hm" }), delta({ content: "A </think> B" })];
	const { url } = await startModelServer([{ body: frames(...chunks, delta({}, "stop")) }]);
	expect((await read(url, "deepseek-r1")).text).toBe("A </think> B");
});

test("tokens are those that the server reports, in OpenAI's words, llama.cpp's and Ollama's, with those of thoughts", async () => {
	const end = { choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } };
	const timed = { ...end, timings: { predicted_per_second: 41.5 } };
	const done = { done: true, done_reason: "stop", message: { content: "" } };
	const counted = { prompt_eval_count: 7, eval_count: 2, eval_duration: 50_000_000 };
	const split = (usage: object): string =>
		frames(delta({ content: "Hi" }, "stop"), { choices: [], usage });
	const grok = {
		prompt_tokens: 12,
		completion_tokens: 1,
		total_tokens: 303,
		completion_tokens_details: { reasoning_tokens: 290 },
	};
	const bodies = [
		split(grok),
		split({ prompt_tokens: 35, completion_tokens: 12, total_tokens: 109 }),
		split({ ...grok, total_tokens: 13, completion_tokens_details: { reasoning_tokens: 1 } }),
		split({
			prompt_tokens: 35,
			completion_tokens: 12,
			total_tokens: 109,
			prompt_tokens_details: { audio_tokens: 9 },
		}),
		frames(delta({ content: "Hi" }, "stop"), end),
		frames(delta({ content: "Hi" }, "stop"), timed),
		`${JSON.stringify({ message: { content: "Hi" } })}\n${JSON.stringify({ ...done, ...counted })}\n`,
		frames(delta({ content: "Hi" }, "stop")),
	];
	const usages = await Promise.all(
		bodies.map(async (body, at) => {
			const type = at === 6 ? "application/x-ndjson" : "text/event-stream";
			const response = new Response(body, { headers: { "content-type": type } });
			for await (const part of readCompletion(response, "lm", { chunkOf })) {
				if (part.type === "end") {
					return part.usage;
				}
			}
			return undefined;
		}),
	);
	const reported = { input: 7, output: 2 };
	expect(usages).toEqual([
		{ input: 12, output: 291 },
		{ input: 35, output: 74 },
		{ input: 12, output: 1 },
		{ input: 35, output: 12 },
		reported,
		{ ...reported, perSecond: 41.5 },
		{ ...reported, perSecond: 40 },
		{},
	]);
});
