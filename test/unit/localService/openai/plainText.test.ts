import { expect, test } from "vitest";
import { plainText } from "../../../../src/localService/openai/plainText.ts";
import { readCompletion } from "../../../../src/localService/openai/readCompletion.ts";
import { delta, frames } from "../../../helpers/modelServer.ts";

const chunk = (over: object = {}, choice: object = {}, fields: object = {}): object => ({
	...{ id: "c", object: "chat.completion.chunk", created: 1, model: "m", usage: null },
	choices: [{ index: 0, delta: { content: "Hi", ...fields }, finish_reason: null, ...choice }],
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
