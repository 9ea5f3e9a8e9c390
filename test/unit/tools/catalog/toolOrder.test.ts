import { expect, test } from "vitest";
import { functionsThatFit, mayBeTooMany } from "../../../../src/localService/openai/wireRequest.ts";
import { ToolRegistry } from "../../../../src/tools/catalog/toolRegistry.ts";

const functions = new ToolRegistry().tools.map(({ name, description, parameters }) => ({
	type: "function",
	function: { name, description, parameters },
}));

test("with a context of 4,096 tokens the tools that read, search and edit are offered, and the others are not", () => {
	expect(mayBeTooMany(functions)).toBe(true);
	const { kept, leftOut } = functionsThatFit(functions, 4_096);
	const needed = ["get_selection", "read_file", "search_text", "apply_edit", "replace_selection"];
	for (const name of needed) {
		expect(JSON.stringify(kept)).toContain(`"name":"${name}"`);
	}
	expect(leftOut).toContain("generate_video");
	expect(JSON.stringify(kept).length / 4).toBeLessThanOrEqual(4_096 / 3);
});

test("at most 128 tools are sent, those of the local service included, and the others are named", () => {
	const many = Array.from({ length: 130 }, (_, index) => ({
		type: "function",
		function: { name: `tool_${index}` },
	}));
	const { kept, leftOut } = functionsThatFit(many, undefined);
	expect(kept).toHaveLength(128);
	expect(leftOut).toEqual(["tool_128", "tool_129"]);
});

test.each([8_192, undefined])("with a context of %s tokens every tool is offered", length => {
	expect(functionsThatFit(functions, length)).toEqual({ kept: functions, leftOut: [] });
});
