import { expect, test } from "vitest";
import {
	maxExtraParametersLength,
	readExtraParameters,
} from "../../../src/chat/extraParameters.ts";

const sentenceOf = (text: string): string => {
	const read = readExtraParameters(text);
	return read.type === "wrong" ? read.sentence : "";
};

test("an object is read as it is, and nothing at all is no parameters", () => {
	expect(readExtraParameters(' { "seed": 7, "stop": ["\\n"] }\n')).toEqual({
		type: "read",
		parameters: { seed: 7, stop: ["\n"] },
	});
	expect(readExtraParameters("  ")).toEqual({ type: "read", parameters: {} });
});

test.each([
	["a comma that is missing", '{\n  "seed": 7\n  "n": 1\n}', "line 3, column 3"],
	["an end that is missing", '{\n  "seed": 7', "line 2, column 12"],
	["a comma too many", '{ "seed": 7, }', "line 1, column 14"],
	["words", "seed=7", "line 1, column 1"],
])("%s is found with its line and column", (_name, text, place) => {
	expect(sentenceOf(text)).toBe(`This is not JSON: look at ${place}.`);
});

test.each(["[1]", "7", "null", '"text"'])("%s is no object of parameters", text => {
	expect(sentenceOf(text)).toMatch(/JSON object/);
});

test.each(["messages", "model", "stream", "tools", "custom_tools", "functions", "files"])(
	"our own field %s cannot be overridden",
	name => {
		expect(sentenceOf(`{\n  "seed": 1,\n  ${JSON.stringify(name)}: true\n}`)).toBe(
			`Line 3: “${name}” is set by Cutaway and can't be set here.`,
		);
	},
);

test.each(["temperature", "top_p", "max_tokens"])("%s has its own field", name => {
	expect(sentenceOf(`{ ${JSON.stringify(name)}: 1 }`)).toContain("has its own field");
});

test("a text beyond its bound is refused with the bound", () => {
	expect(sentenceOf(`{"a":"${"x".repeat(maxExtraParametersLength)}"}`)).toContain("20000");
});
