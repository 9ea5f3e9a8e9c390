import { expect, test } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { toError } from "../../../../src/common/errors.ts";
import { silentLog } from "../../../../src/common/log.ts";
import { HttpFailure } from "../../../../src/localService/base/index.ts";
import {
	type CompletionPart,
	streamCompletion,
} from "../../../../src/localService/openai/index.ts";
import { readCompletion } from "../../../../src/localService/openai/readCompletion.ts";
import { filterThoughts } from "../../../../src/localService/openai/thoughts.ts";
import { delta, frames, startModelServer } from "../../../helpers/modelServer.ts";
import { type Shape, shapes } from "./wireShapes.ts";

interface Read {
	readonly text: string;
	readonly calls: readonly { readonly id: string; readonly shown: string }[];
	readonly failure: string;
}

function read(baseUrl: string): Promise<Read> {
	return gather(
		streamCompletion({
			server: { name: "lm", baseUrl, headers: {} },
			body: { model: "m", messages: [] },
			ollama: undefined,
			clock: systemClock,
			log: silentLog,
			signal: new AbortController().signal,
		}),
	);
}

async function gather(parts: AsyncIterable<CompletionPart>): Promise<Read> {
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
				return { text, calls, failure: "" };
			}
		}
		return { text, calls: [], failure: "no end" };
	} catch (error) {
		expect(error).toBeInstanceOf(HttpFailure);
		return { text, calls: [], failure: toError(error).message };
	}
}

function check(shape: Shape, { text, calls, failure }: Read): void {
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
	check(shape, await read(url));
});

const streamed = shapes.filter(({ reply }) => (reply.status ?? 200) === 200 && !reply.ending);

test.each(streamed)("$name, cut at every byte", async shape => {
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
		check(shape, await gather(readCompletion(new Response(pieces, { headers }), "lm")));
	}
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
	"</think>Hi",
	" \n<thin air> and <think>",
	"`<think>` opens and `</think>` closes",
	"<",
	"  \n",
	"<thinker>x</thinker></think>",
];

test.each(plainTexts)("what does not begin with a thought is shown as it came: %j", text => {
	for (let at = 0; at <= text.length; at += 1) {
		for (let next = at; next <= text.length; next += 1) {
			const pieces = [text.slice(0, at), text.slice(at, next), text.slice(next)];
			const filter = filterThoughts();
			expect(pieces.map(piece => filter.push(piece)).join("") + filter.end()).toBe(text);
		}
	}
});

test("a thought is taken out wherever its tags are cut, and the rest is shown whole", () => {
	const text = "\n<think>one < two</th></think>\n\nHi </think> there";
	for (let at = 0; at <= text.length; at += 1) {
		const filter = filterThoughts();
		expect(filter.push(text.slice(0, at)) + filter.push(text.slice(at)) + filter.end()).toBe(
			"Hi </think> there",
		);
	}
});
