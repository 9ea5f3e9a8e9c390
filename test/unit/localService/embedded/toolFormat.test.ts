import { expect, test } from "vitest";
import { type CallForm } from "../../../../src/localService/embedded/callGrammar.ts";
import {
	callMarks,
	canName,
	CallFinder,
	formIn,
} from "../../../../src/localService/embedded/toolFormat.ts";
import { readCalls } from "../../../../src/localService/openai/writtenCalls.ts";

const properties = {
	text: { type: "string" },
	at: { type: "integer" },
	lines: { type: "array", items: { type: "string" } },
};
const parameters = { type: "object", properties, required: ["text"] };
const tools = [{ type: "function", function: { name: "edit", parameters } }];

function tagged(values: Readonly<Record<string, string>>): string {
	const written = Object.entries(values).map(
		([name, value]) => `<parameter=${name}>\n${value}\n</parameter>\n`,
	);
	return `<tool_call>\n<function=edit>\n${written.join("")}</function>\n</tool_call>`;
}

test.each([
	"a </parameter> b",
	"<parameter=at>\n1",
	"x\n</tool_call>\ny",
	"</parameter>",
	"\n\n  a\n\n",
	"12",
	"",
])("an argument between tags is the text that was written: %j", text => {
	const written = tagged({ text, at: "3", lines: '["</parameter>", "\\n</function>"]' });
	const [call] = readCalls(written, tools, false, true).calls;
	expect(JSON.parse(call?.arguments ?? "")).toEqual({
		text,
		at: 3,
		lines: ["</parameter>", "\n</function>"],
	});
});

test("a call between tags that was cut has no name", () => {
	const written = tagged({ text: "a" }).slice(0, -30);
	expect(readCalls(written, tools, true).calls).toMatchObject([{ name: "" }]);
});

test("the first of two arguments with one name counts", () => {
	const written = tagged({ text: "a", at: "null" }).replace(
		"</function>",
		"<parameter=text>\nb\n</parameter>\n<parameter=at>\n2\n</parameter>\n</function>",
	);
	const [call] = readCalls(written, tools, false).calls;
	expect(JSON.parse(call?.arguments ?? "")).toEqual({ text: "a", at: null });
});

const input = { text: '</tool_call>} [ARGS]{"a": "', at: 1 };
const json = JSON.stringify(input);

test.each([
	["Hermes and Qwen3", `<tool_call>\n{"name": "edit", "arguments": ${json}}\n</tool_call>`, "\n"],
	["Qwen3.5", tagged({ text: input.text, at: "1" }), "\n"],
	["a newer Mistral", `[TOOL_CALLS]edit[ARGS]${json}`, ""],
	["Mistral Small 3.2", `[TOOL_CALLS]edit[CALL_ID]abc123DEF[ARGS]${json}`, ""],
])("all calls of an answer of %s are read, each whole", (_, call, between) => {
	const expected = { name: "edit", arguments: json };
	for (const count of [1, 3]) {
		const written = Array.from({ length: count }, () => call).join(between);
		expect(readCalls(written, tools, false)).toEqual({
			text: "",
			calls: Array.from({ length: count }, () => expected),
		});
	}
	const cut = readCalls(`${call}${between}${call.slice(0, -20)}`, tools, true).calls;
	expect(cut).toEqual([expected, { name: "", arguments: "{}" }]);
});

test("a list of Mistral's and Llama's bare JSON are calls, and what is none stays text", () => {
	const list = `[TOOL_CALLS] [{"name": "edit", "arguments": ${json}, "id": "abc123DEF"}, {"name": "edit", "arguments": {}}]`;
	expect(readCalls(list, tools, false).calls.map(call => call.arguments)).toEqual([json, "{}"]);
	const bare = `{"name": "edit", "parameters": ${json}}`;
	expect(readCalls(bare, tools, false).calls).toEqual([{ name: "edit", arguments: json }]);
	for (const text of [
		"<tool_call>\nIs it?",
		"[TOOL_CALLS]edit",
		'{"name": "edit"}',
		'{"name": 1',
	]) {
		expect(readCalls(text, tools, false)).toEqual({ text, calls: [] });
	}
});

test("a template's own words name the form of its calls", () => {
	const forms = {
		tags: "<tool_call>\\n<function=example>\\n<parameter=one>",
		json: '<tool_call>\\n{"name": <function-name>, "arguments": <args-json-object>}',
		llama: `{{- 'Respond in the format {"name": function name, "parameters": dictionary of argument name and its value}.' }}`,
		mistral: '{{- "[TOOL_CALLS] [" }}{{ tool_call.function|tojson }}',
		mistralArgs: "{{- '[TOOL_CALLS]' + name + '[ARGS]' + arguments }}",
	};
	expect(Object.values(forms).map(formIn)).toEqual(Object.keys(forms));
	expect(formIn("<start_of_turn>model")).toBeUndefined();
});

test.each(["a>b", "a\nb"])("names that tags can't hold are left to JSON: %j", name => {
	const named = { function: { name, parameters } };
	const holding = { function: { name: "edit", parameters: { properties: { [name]: {} } } } };
	expect([named, holding].map(tool => canName(tool, "tags"))).toEqual([false, false]);
	expect([canName(named, "mistralArgs"), canName(named, "json")]).toEqual([false, true]);
	expect(tools.every(tool => canName(tool, "tags"))).toBe(true);
});

/** Writes an answer as a model does, and returns where its call starts and all that was shown before. */
function written(answer: string, form: CallForm = "json", isInThought = false) {
	const finder = new CallFinder(tools, form, isInThought, false);
	let text = "";
	let shown = "";
	const tokens = answer.match(/<\/?\w+>|\[[A-Z_]+\]|[^]/g) ?? [];
	for (const token of tokens.flatMap(each => (callMarks.includes(each) ? [each] : [...each]))) {
		text += token;
		const start = finder.startIn(text, token);
		if (start) {
			return { start: start.answer, isShownApart: start.answer.startsWith(shown) };
		}
		shown = text.slice(0, finder.certainIn(text));
	}
	return undefined;
}

const call = '<tool_call>\n{"name": "edit"';

test.each<[string, string, string | undefined, CallForm?]>([
	["words alone are text", "I would edit", undefined],
	["a tag starts a call", `Well.\n${call}`, "Well.\n<tool_call>"],
	["an indented tag starts one", `Well.\n  ${call}`, "Well.\n  <tool_call>"],
	["a tag in a sentence is text", `Models write ${call} for that.`, undefined],
	["a tag in back quotes is text", "`<tool_call>` starts one.\n`<tool_call>`", undefined],
	["a tag in a code block is text", `So:\n\`\`\`xml\n${call}\n\`\`\`\nand`, undefined],
	["a tag in a code block at the start is text", `\`\`\`\n${call}}\n\`\`\``, undefined],
	[
		"a code block ends with its own fence",
		`~~~~\n~~~\n\`\`\`\n${call}\n~~~~\n${call}`,
		`~~~~\n~~~\n\`\`\`\n${call}\n~~~~\n<tool_call>`,
	],
	[
		"code in one line and a block of a list end",
		`\`\`\`npm ci\`\`\`\n- \`\`\`sh\n  npm ci\n  \`\`\`\n${call}`,
		"```npm ci```\n- ```sh\n  npm ci\n  ```\n<tool_call>",
	],
	["JSON of a tool starts one", '```json\n{"name": "edit"', "<tool_call>\n"],
	["JSON of another kind is text", '```json\n{"name": "editor"', undefined],
	["what is thought is none", `<think>\n${call}`, undefined],
	[
		"after a thought a tag starts one",
		`<think>\n\`\`\`\n</think>${call}`,
		"<think>\n```\n</think><tool_call>",
	],
	[
		"an inner tag on a line of its own starts one",
		"Well.\n<function=edit>",
		"Well.\n<tool_call>\n",
	],
	["an inner tag in a line is text", "Well, <function=edit>", undefined],
	["Llama's JSON starts one", '{"type": "function", "name": "edit"', "", "llama"],
	["Llama's mark starts one", "<|python_tag|>", "", "llama"],
	[
		"Llama's JSON on a line of its own starts one",
		`I read it.\n{\n  "name": "edit", "par`,
		"I read it.\n",
		"llama",
	],
	["Llama's other JSON is text", 'So:\n{"name": "editor"}\n{}\n', undefined, "llama"],
	[
		"Llama's JSON in a code block is text",
		'So:\n```json\n{"name": "edit"}\n```\n',
		undefined,
		"llama",
	],
	["Llama's JSON in words is text", 'Write {"name": "edit", "parameters": {}}', undefined, "llama"],
	["Mistral's mark starts one in a line", "Well.[TOOL_CALLS]", "Well.[TOOL_CALLS]", "mistral"],
	["Mistral's mark in a code block is text", "```\n[TOOL_CALLS]\n", undefined, "mistralArgs"],
	["Mistral's list without its mark starts one", '[{"name": "edit"', "[TOOL_CALLS]", "mistral"],
])("%s", (_, answer, start, form) => {
	const found = written(answer, form);
	expect(found?.start).toBe(start);
	expect(found?.isShownApart).not.toBe(false);
});

test("Mistral's mark in several tokens is words, unless it starts a line", () => {
	const finder = (): CallFinder => new CallFinder(tools, "mistral", false, false);
	expect(finder().startIn("It is [TOOL_CALLS]", "]")).toBeUndefined();
	expect(finder().startIn("Well.\n[TOOL_CALLS]", "]")?.answer).toBe("Well.\n[TOOL_CALLS]");
});

test("a tag with more in its token is written again", () => {
	const answer = 'Well.\n<tool_call>{"';
	const finder = new CallFinder(tools, "json", false, false);
	expect(finder.startIn(answer, '<tool_call>{"')).toEqual({
		answer: "Well.\n<tool_call>\n",
		from: 6,
		isRewritten: true,
	});
});
