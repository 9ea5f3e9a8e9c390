import { expect, test } from "vitest";
import type {
	LlamaAddon,
	LlamaMemory,
	LlamaModel,
} from "../../../../src/localService/embedded/llamaAddon.ts";
import { ModelConversation } from "../../../../src/localService/embedded/modelConversation.ts";
import { CallFinder } from "../../../../src/localService/embedded/toolFormat.ts";

const marks = ["<think>", "</think>", "<tool_call>", "</tool_call>"];

/** Tokens of a model that has one for each mark and character. */
function tokenize(text: string): Uint32Array {
	const parts = text.match(/<\/?(?:think|tool_call)>|[^]/g) ?? [];
	return Uint32Array.from(parts, part =>
		marks.includes(part) ? marks.indexOf(part) : part.charCodeAt(0),
	);
}

function detokenize(tokens: Uint32Array): string {
	return [...tokens].map(token => marks[token] ?? String.fromCharCode(token)).join("");
}

/** Writes an answer with llama.cpp faked: a model that writes `script`, and reads only grammars that `reads` accepts. */
async function write(
	prompt: string,
	script: string,
	calls: CallFinder,
	reads: (grammar: string) => boolean = () => true,
): Promise<{
	readonly text: string;
	readonly written: string;
	readonly memory: string;
	readonly grammars: readonly string[];
}> {
	let memory: number[] = [];
	const grammars: string[] = [];
	const left = [...tokenize(script)];
	class Grammar {
		readonly text: string;

		constructor(text: string) {
			if (!reads(text)) {
				throw new Error("Failed to parse grammar");
			}
			this.text = text;
		}
	}
	class State {
		constructor(_: unknown, { text }: Grammar) {
			grammars.push(text);
		}

		dispose(): void {}
	}
	class Sampler {
		applyConfig(): void {}
		dispose(): void {}
	}
	const addon = {
		AddonGrammar: Grammar,
		AddonGrammarEvaluationState: State,
		AddonSampler: Sampler,
	} as unknown as LlamaAddon;
	const model = { tokenize, detokenize, isEogToken: () => false } as unknown as LlamaModel;
	const context = {
		initBatch: () => undefined,
		addToBatch: (_: number, at: number, tokens: Uint32Array) => {
			memory = [...memory.slice(0, at), ...tokens];
			return Uint32Array.of(0);
		},
		decodeBatch: () => Promise.resolve(),
		sampleToken: () => Promise.resolve(left.shift() ?? -1),
		removeTokenCellsFromSequence: () => true,
	} as unknown as LlamaMemory;
	const conversation = new ModelConversation(addon, model, context, 0, false);
	await conversation.read(
		[...tokenize(prompt)],
		0,
		() => false,
		() => undefined,
	);
	let text = "";
	const pieces = conversation.write({ temperature: 0, topP: 1, calls }, 100, () => false);
	let next = await pieces.next();
	for (; next.done !== true; next = await pieces.next()) {
		text += next.value;
	}
	return {
		text,
		written: next.value.calls,
		memory: detokenize(Uint32Array.from(memory)),
		grammars,
	};
}

const tools = [{ function: { name: "look" } }];
const call = '{"name":"look","arguments":{}}</tool_call>';

test("a required call follows the whole thought, also in the model's memory", async () => {
	const calls = new CallFinder(tools, "json", true, true);
	const { text, written, memory } = await write("Hi<think>", `Hm.</think>${call}`, calls);
	expect([text, written]).toEqual(["Hm.</think>", `<tool_call>\n${call}`]);
	expect(memory).toBe(`Hi<think>Hm.</think><tool_call>\n${call}`);
});

test.each([
	["the first", () => true, 0],
	["the looser one", (grammar: string) => !grammar.includes("look"), 1],
	["none", () => false, undefined],
])("a call is written with the grammar that llama.cpp can read: %s", async (_, reads, at) => {
	const calls = new CallFinder(tools, "json", false, false);
	const script = `Well.\n<tool_call>\n${call}`;
	const { text, written, grammars } = await write("Hi", script, calls, reads);
	expect([text, written]).toEqual(["Well.\n", `<tool_call>\n${call}`]);
	expect(grammars).toEqual(at === undefined ? [] : [calls.grammars[at]]);
});
