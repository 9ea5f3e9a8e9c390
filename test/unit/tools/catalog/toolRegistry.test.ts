import { basename } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { customToolSchema } from "../../../../src/client/contract/schemas.ts";
import { jsonSchemaOf } from "../../../../src/tools/contract/schemaProblems.ts";
import { ToolRegistry } from "../../../../src/tools/catalog/toolRegistry.ts";
import type { CallOrigin } from "../../../../src/tools/contract/editorActions.ts";
import { filesBelow } from "../../../../scripts/imports.ts";
import { allow, createToolBench } from "../../../helpers/toolBench.ts";

const { tools } = new ToolRegistry();

test.each(tools.map(tool => [tool.name, tool] as const))(
	"%s is a custom tool of the interface",
	(_, tool) => {
		const { name, description, parameters } = tool;
		expect(
			customToolSchema.safeParse({ type: "function", function: { name, description, parameters } })
				.success,
		).toBe(true);
		expect(description.length).toBeGreaterThan(40);
		expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
	},
);

test("the JSON Schema of every kind of argument is what zod itself makes of it", () => {
	const schema = z.strictObject({
		text: z.string().check(z.minLength(1), z.maxLength(9), z.describe("Some text.")),
		free: z.string(),
		count: z.int().check(z.minimum(1), z.maximum(4), z.describe("How many.")),
		isOn: z.boolean(),
		list: z
			.array(z.strictObject({ line: z.optional(z.int()) }))
			.check(z.minLength(1), z.maxLength(3)),
		maybe: z.optional(z.string().check(z.describe("Perhaps."))),
		refined: z.string().check(z.refine(value => value !== "x")),
	});
	const { $schema: dialect, ...expected } = z.toJSONSchema(schema, { target: "draft-7" });
	expect(dialect).toContain("draft-07");
	expect(jsonSchemaOf(schema)).toEqual(expected);
	expect(() => jsonSchemaOf(z.unknown())).toThrow(TypeError);
});

test("each tool is in a file of its own that is named after it", () => {
	const files = new Set(filesBelow("src/tools/catalog").map(file => basename(file, ".ts")));
	const named = tools.map(({ name }) =>
		name.replaceAll(/_./g, part => part[1]?.toUpperCase() ?? ""),
	);
	expect(named.filter(name => !files.has(name))).toEqual([]);
});

test("two tools of one name are refused", () => {
	const [first] = tools;
	expect(() => new ToolRegistry(first ? [first, first] : [])).toThrow(RangeError);
});

test("every property of every tool is described by type, and unknown ones are not taken", () => {
	const look = (schema: Readonly<Record<string, unknown>>): void => {
		expect(schema["type"]).toBeDefined();
		if (schema["type"] === "object") {
			expect(schema["additionalProperties"]).toBe(false);
			Object.values(schema["properties"] as Record<string, Record<string, unknown>>).forEach(look);
		}
		if (schema["type"] === "array") {
			look(schema["items"] as Record<string, unknown>);
		}
	};
	tools.forEach(({ parameters }) => look(parameters));
});

test.each([
	["the question it was asked below", { turnId: "turn" }, { chatId: "chat", turnId: "turn" }],
	["no place when no question is there", {}, undefined],
])("a video that a model asks for is given %s", async (_, origin, place) => {
	const bench = await createToolBench();
	const places: (CallOrigin | undefined)[] = [];
	bench.decide = allow;
	bench.editor.generateVideo = ({ askedBelow }) => {
		places.push(askedBelow);
		return Promise.resolve("job");
	};
	const call = { callId: "c", chatId: "chat", name: "generate_video", ...origin };
	const input = JSON.stringify({ prompt: "A boat" });
	const { signal } = new AbortController();
	const result = await bench.gate.run({ ...call, arguments: input }, bench.ledger, signal);
	expect(result.state).toBe("done");
	expect(places).toEqual([place]);
});

test.each([
	["what it costs", "This costs about $0.40.", ["This costs about $0.40."]],
	["nothing of money where it is free", undefined, []],
])("the approval of a video says %s, for its length", async (_, cost, warnings) => {
	const bench = await createToolBench();
	const asked: (number | undefined)[] = [];
	bench.editor.videoCost = seconds => {
		asked.push(seconds);
		return Promise.resolve(cost);
	};
	await bench.run("generate_video", { prompt: "A boat", duration: 4 });
	expect(bench.asked.map(request => request.warnings)).toEqual([warnings]);
	expect(asked).toContain(4);
});
