import { expect, test } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { toError } from "../../../../src/common/errors.ts";
import { HttpFailure } from "../../../../src/localService/base/index.ts";
import {
	type CompletionPart,
	streamCompletion,
} from "../../../../src/localService/openai/index.ts";
import { readCompletion } from "../../../../src/localService/openai/readCompletion.ts";
import { filterThoughts } from "../../../../src/localService/openai/thoughts.ts";
import { createRandom } from "../../../helpers/random.ts";
import { delta, frames, startModelServer } from "../../../helpers/modelServer.ts";
import { type Shape, shapes } from "./wireShapes.ts";

interface Read {
	readonly text: string;
	readonly calls: readonly { readonly id: string; readonly shown: string }[];
	readonly failure: string;
	readonly sawBareEnd: boolean;
}

function read(baseUrl: string, mayLackOpening = false): Promise<Read> {
	return gather(
		streamCompletion({
			server: { name: "lm", baseUrl, headers: {} },
			body: { model: "m", messages: [] },
			ollama: undefined,
			refused: new Set(),
			mayLackOpening,
			clock: systemClock,
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
				return { text, calls, failure: "", sawBareEnd: part.sawBareEnd };
			}
		}
		return { text, calls: [], failure: "no end", sawBareEnd: false };
	} catch (error) {
		expect(error).toBeInstanceOf(HttpFailure);
		return { text, calls: [], failure: toError(error).message, sawBareEnd: false };
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
		check(shape, await gather(readCompletion(new Response(pieces, { headers }), "lm", false)));
	}
});

test("ids that no server gave are nine letters and digits", async () => {
	const call = { function: { name: "f", arguments: "{}" } };
	const { url } = await startModelServer([
		{ body: frames(delta({ tool_calls: [call] }), delta({}, "tool_calls")) },
	]);
	expect((await read(url)).calls[0]?.id).toMatch(/^[a-z0-9]{9}$/);
});

test("a thought that the template began is recognised by its end and kept out from then on", async () => {
	const reply = {
		body: frames(
			delta({ content: "secret\n</th" }),
			delta({ content: "ink>\n\nHi" }),
			delta({}, "stop"),
		),
	};
	const { url } = await startModelServer([reply]);
	expect((await read(url)).sawBareEnd).toBe(true);
	expect((await read(url, true)).text).toBe("Hi");
});

test("a model that is known to think at once and does not loses no text", async () => {
	const { url } = await startModelServer([
		{ body: frames(delta({ content: "Hi" }), delta({}, "stop")) },
	]);
	expect((await read(url, true)).text).toBe("Hi");
});

test.each([
	["in a sentence", "The model ends its thought with </think> and goes on.\n\nThat is all."],
	["in code", "Like so:\n\n```\nsome thought\n</think>\n\nan answer\n```\n"],
	["quoted", "> `</think>`\n\nis the tag."],
])(
	"a text that mentions the end of a thought %s is whole, and nothing is kept out later",
	async (_, text) => {
		const pieces = Array.from(text, character => delta({ content: character }));
		const { url } = await startModelServer([{ body: frames(...pieces, delta({}, "stop")) }]);
		const first = await read(url);
		expect(first.text).toBe(text);
		expect(first.sawBareEnd).toBe(false);
		expect((await read(url, true)).text).toBe(text);
	},
);

test("whatever does not begin with a thought is shown as it came, however it is cut", () => {
	const random = createRandom(7);
	const words = ["</think>", "<think", ">", "a ", "\n", "```\n", "<", "thinking>", "  ", "</"];
	for (let round = 0; round < 2000; round++) {
		const text = `x${Array.from({ length: random.below(12) }, () => random.pick(words)).join("")}`;
		const filter = filterThoughts(false);
		let shown = "";
		for (let at = 0; at < text.length;) {
			const end = at + 1 + random.below(6);
			shown += filter.push(text.slice(at, end));
			at = end;
		}
		expect(shown + filter.end()).toBe(text);
	}
});
