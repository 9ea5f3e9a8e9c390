import { expect, test } from "vitest";
import { codeInArguments } from "../../../../src/localService/python/codeArguments.ts";

test.each([
	["the declared field", '{"code":"print(1)"}'],
	["a fence in the declared field", '{"code":"```python\\nprint(1)\\n```"}'],
	["a fence without an end", '{"code":"```py\\nprint(1)"}'],
	["a fence of tildes", '{"code":"~~~\\nprint(1)\\n~~~\\n"}'],
	["a fence with Windows' line breaks", '{"code":"```python\\r\\nprint(1)\\r\\n```"}'],
	["a sentence before a fence", "Here is the code:\n\n```python\nprint(1)\n```\nIt prints 1."],
	["inline code", "`print(1)`"],
	["raw code", "print(1)"],
	["JSON text", '"print(1)"'],
	["the field input", '{"input":"print(1)"}'],
	["the field python", '{"python":"print(1)","timeout":5}'],
	["any only field", '{"text":"print(1)"}'],
	["a nested field", '{"input":{"code":"print(1)"}}'],
	["a list of lines", '{"code":["print(1)\\n"]}'],
])("%s in a model's arguments is run", (_name, input) => {
	expect(codeInArguments(input)?.trim()).toBe("print(1)");
});

test("line breaks and tabs inside the strings of JSON are read as they are meant", () => {
	expect(codeInArguments('{"code": "if 1:\n\tprint(\\"a\\")"}')).toBe('if 1:\n\tprint("a")');
});

test("several fenced blocks are one program", () => {
	expect(codeInArguments("```python\nx = 1\n```\nThen:\n```python\nprint(x)\n```")).toBe(
		"x = 1\nprint(x)",
	);
});

test("a fence inside a string of the program stays in it", () => {
	const code = 'text = """\n```python\nprint(1)\n```\n"""\nprint(text)';
	expect(codeInArguments(JSON.stringify({ code }))).toBe(code);
	expect(codeInArguments(JSON.stringify({ code: 'print("```")' }))).toBe('print("```")');
});

test.each([
	["nothing", ""],
	["an empty object", "{}"],
	["fields of which none is code", '{"a":"x","b":"y"}'],
	["JSON that is cut", '{"code": "print(1)'],
	["empty code", '{"code": " "}'],
	["null", "null"],
])("%s in a model's arguments is no code", (_name, input) => {
	expect(codeInArguments(input)).toBeUndefined();
});

test("a dictionary as raw code is code", () => {
	expect(codeInArguments("{1: 2}")).toBe("{1: 2}");
});
