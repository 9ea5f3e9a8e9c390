import { expect, test } from "vitest";
import { CallFinder, CallReader } from "../../../../src/localService/embedded/toolFormat.ts";

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
	const reader = new CallReader(tools);
	reader.push(tagged({ text, at: "3", lines: '["</parameter>", "\\n</function>"]' }));
	const [call] = reader.end(false).calls;
	expect(JSON.parse(call?.arguments ?? "")).toEqual({
		...{ text, at: 3 },
		lines: ["</parameter>", "\n</function>"],
	});
});

test("a call between tags that was cut has no name", () => {
	const reader = new CallReader(tools);
	reader.push(tagged({ text: "a" }).slice(0, -20));
	expect(reader.end(true).calls).toMatchObject([{ name: "" }]);
});

test("the first of two arguments with one name counts", () => {
	const reader = new CallReader(tools);
	reader.push(
		tagged({ text: "a", at: "null" }).replace(
			"</function>",
			"<parameter=text>\nb\n</parameter>\n<parameter=at>\n2\n</parameter>\n</function>",
		),
	);
	expect(JSON.parse(reader.end(false).calls[0]?.arguments ?? "")).toEqual({ text: "a", at: null });
});

test.each([
	["words alone are text", "I would edit", undefined],
	["a tag starts a call", "Well.\n<tool_call>", "Well.\n<tool_call>"],
	["more in the tag's token is written again", 'Well.<tool_call>{"', "Well.<tool_call>\n"],
	["JSON of a tool starts one", '```json\n{"name": "edit"', "<tool_call>\n"],
	["JSON of another kind is text", '```json\n{"name": "editor"', undefined],
	["what is thought is none", "<think>\n<tool_call>", undefined],
	[
		"an inner tag on a line of its own starts one",
		"Well.\n<function=edit>",
		"Well.\n<tool_call>\n",
	],
	["an inner tag in a line is text", "Well, <function=edit>", undefined],
])("%s", (_, answer, start) => {
	const finder = new CallFinder(tools, "json", false, false);
	expect(finder.startIn(answer)?.answer).toBe(start);
});
