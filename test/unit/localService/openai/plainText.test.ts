import { expect, test } from "vitest";
import { plainText, RepeatedFrame } from "../../../../src/localService/openai/plainText.ts";
import { readCompletion } from "../../../../src/localService/openai/readCompletion.ts";
import { delta, frames } from "../../../helpers/modelServer.ts";

const chunk = (over: object = {}, choice: object = {}, fields: object = {}): object => ({
	id: "c",
	object: "chat.completion.chunk",
	created: 1,
	model: "m",
	usage: null,
	choices: [
		{
			index: 0,
			delta: {
				content: "Hi",
				...fields,
			},
			finish_reason: null,
			...choice,
		},
	],
	...over,
});

test("a chunk of text alone needs no closer look, whatever is null beside it", () => {
	expect(plainText(chunk())).toBe("Hi");
	expect(plainText(chunk({ error: null }, { logprobs: null }, { role: "assistant" }))).toBe("Hi");
	expect(plainText(chunk({}, {}, { tool_calls: null, reasoning_content: null }))).toBe("Hi");
});

test.each([
	chunk({ error: { message: "Boom" } }),
	chunk({ usage: { total_tokens: 3 } }),
	chunk({}, { finish_reason: "stop" }),
	chunk({}, {}, { reasoning_content: "hm" }),
	chunk({}, {}, { tool_calls: [] }),
	chunk({}, {}, { content: [{ text: "Hi" }] }),
	chunk({}, { delta: null }),
	chunk({ choices: [] }),
	chunk({ choices: null }),
	{ error: "Boom" },
	[],
	"Hi",
	null,
])("a chunk with anything more is left to the schema: %j", value => {
	expect(plainText(value)).toBeUndefined();
});

test("a frame that differs from a learned one in its text alone is read without a look at the rest", () => {
	const repeated = new RepeatedFrame();
	const first = JSON.stringify(chunk());
	expect(repeated.textOf(first)).toBeUndefined();
	repeated.learn(first, "Hi");
	for (const content of ["", " word", 'say "c"', '"Hi"', "\u2028\n\\", "\ud83d", "c", '","x":"']) {
		expect(repeated.textOf(JSON.stringify(chunk({}, {}, { content })))).toBe(content);
	}
	const spaced = first.replaceAll(":", ": ");
	repeated.learn(spaced, "Hi");
	expect(repeated.textOf(spaced.replace("Hi", "\\u00e4"))).toBe("ä");
});

test.each([
	["another field beside the text", { content: "a", reasoning_content: "hm" }],
	["a call beside the text", { content: "a", tool_calls: [] }],
	["no text", { content: null }],
	["a list", { content: [{ text: "a" }] }],
	["a number", { content: 1 }],
])("a frame with %s is not taken for a learned one", (_name, fields) => {
	const repeated = new RepeatedFrame();
	repeated.learn(JSON.stringify(chunk()), "Hi");
	expect(repeated.textOf(JSON.stringify(chunk({}, {}, fields)))).toBeUndefined();
	expect(repeated.textOf(JSON.stringify(chunk({ error: { message: "Boom" } })))).toBeUndefined();
	expect(repeated.textOf(JSON.stringify(chunk({}, { finish_reason: "stop" })))).toBeUndefined();
	expect(repeated.textOf(JSON.stringify(chunk()).slice(0, 20))).toBeUndefined();
});

test.each(["c", "m", "", ":", ",", "content", "index", "chat.completion.chunk", ":0,", "}"])(
	"words that are elsewhere in the frame as well are not taken for its text: %j",
	text => {
		const repeated = new RepeatedFrame();
		const frame = (content: string): string =>
			JSON.stringify({
				choices: [
					{
						delta: {
							content,
							role: text,
						},
						index: 0,
					},
				],
				model: text,
				object: "chat.completion.chunk",
				id: "m:",
			});
		repeated.learn(frame(text), text);
		for (const content of ["other", text, `${text}"`]) {
			expect([content, undefined]).toContain(repeated.textOf(frame(content)));
		}
		expect(repeated.textOf(frame(text).replace(`"id":"m:"`, `"id":"other"`))).toBeUndefined();
	},
);

test("what came together goes on together, and what came alone goes on at once", async () => {
	const body = frames(delta({ content: "a" }), delta({ content: "b" }), delta({}, "stop"));
	const headers = { "content-type": "text/event-stream" };
	const texts: string[] = [];
	for await (const part of readCompletion(new Response(body, { headers }), "lm")) {
		texts.push(part.type === "text" ? part.text : part.type);
	}
	expect(texts).toEqual(["ab", "end"]);

	let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
	const slow = new ReadableStream<Uint8Array>({ start: given => void (controller = given) });
	const parts = readCompletion(new Response(slow, { headers }), "lm");
	for (const content of ["a", "b"]) {
		const frame = frames(delta({ content })).replace("data: [DONE]\n\n", "");
		controller?.enqueue(new TextEncoder().encode(frame));
		expect((await parts.next()).value).toEqual({ type: "text", text: content });
	}
	await parts.return();
});
