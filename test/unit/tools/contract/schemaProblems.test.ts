import { expect, test } from "vitest";
import { schemaProblems, withoutNulls } from "../../../../src/tools/contract/schemaProblems.ts";

const point = { type: "object", properties: { x: { type: "integer" } }, required: ["x"] };

test.each<[string, Record<string, unknown>, unknown]>([
	["types", { type: ["string", "null"] }, null],
	["numbers", { type: "number", minimum: 1, exclusiveMaximum: 3 }, 2.5],
	["lengths in characters", { type: "string", maxLength: 1 }, "\u{1F600}"],
	["values", { enum: ["a", { b: 1 }] }, { b: 1 }],
	["members that nothing is told of", { type: "object" }, { any: 1 }],
	["lists", { type: "array", items: point, minItems: 1 }, [{ x: 1 }]],
	["lists by place", { prefixItems: [{ type: "string" }], items: { type: "null" } }, ["a", null]],
	["alternatives", { anyOf: [{ type: "string" }, point] }, { x: 1 }],
	["references", { $defs: { "a/b": point }, $ref: "#/$defs/a~1b" }, { x: 1 }],
	["references elsewhere, which nothing is fetched for", { $ref: "https://example.com/a" }, 1],
	["patterns, which are left to the tool", { pattern: "^(a+)+$" }, `${"a".repeat(40)}!`],
])("takes what fits %s", (_, schema, value) => {
	expect(schemaProblems(schema, value)).toEqual([]);
});

const tree = {
	type: "object",
	properties: { child: { $ref: "#" } },
	additionalProperties: false,
};

test.each<[Record<string, unknown>, unknown, string]>([
	[point, {}, "arguments: lacks x"],
	[point, { x: 1.5 }, "x: must be integer"],
	[point, [], "arguments: must be object"],
	[{ type: "array", items: point }, [{ x: 1 }, { x: "1" }], "1.x: must be integer"],
	[{ enum: ["a", "b"] }, "c", 'arguments: must be one of "a","b"]'],
	[{ const: 1 }, true, "arguments: must be 1"],
	[{ maxLength: 2 }, "abc", "arguments: must have at most 2"],
	[{ minimum: 2 }, 1, "arguments: must be at least 2"],
	[{ maxProperties: 0 }, { a: 1 }, "arguments: must hold at most 0"],
	[{ additionalProperties: false }, { a: 1 }, "a: is not taken"],
	[tree, { child: { child: { other: 1 } } }, "child.child.other: is not taken"],
	[{ allOf: [point, { required: ["y"] }] }, { x: 1 }, "arguments: lacks y"],
	[{ anyOf: [point, { type: "null" }] }, 1, "arguments: fits none of the forms it may have"],
	[{ oneOf: [{}, {}] }, 1, "arguments: must fit exactly one of the forms it may have"],
	[{ not: { type: "string" } }, "a", "arguments: has a form that is not taken"],
	[{ $ref: "#" }, 1, "arguments: is nested too deep"],
	[{ anyOf: [{ $ref: "#" }, { $ref: "#" }] }, 1, "arguments: fits none of the forms it may have"],
])("of %j, %j: %s", (schema, value, problem) => {
	expect(schemaProblems(schema, value)).toContain(problem);
});

test("T45: an enumeration is compared with as much of a long list as time allows", () => {
	const values = Array.from({ length: 3000 }, (_, index) => index);
	const schema = { type: "array", items: { enum: values } };
	const items = Array.from({ length: 9000 }, () => 2999);
	expect(schemaProblems(schema, items.slice(0, 100))).toEqual([]);
	expect(schemaProblems(schema, items)).toContain("8999: is nested too deep");
});

test("T45: nulls whose schemas refer to each other without end are left out only while time allows", () => {
	const endless = { anyOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a" }] };
	const names = Array.from({ length: 500 }, (_, index) => `n${index}`);
	const schema = {
		properties: Object.fromEntries(names.map(name => [name, { $ref: "#/$defs/a" }])),
		$defs: { a: endless },
	};
	const nulls = Object.fromEntries(names.map(name => [name, null]));
	expect(withoutNulls(schema, nulls)).toHaveProperty("n499", null);
});

const text = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } };

test.each<[string, Record<string, unknown>, unknown, unknown]>([
	["all of several", { allOf: [text, { required: ["a"] }] }, { a: "x", b: null }, { a: "x" }],
	["one that is needed", { allOf: [text, { required: ["b"] }] }, { b: null }, { b: null }],
	["alternatives", { anyOf: [text, { type: "null" }] }, { b: null }, {}],
	[
		"the alternative that fits",
		{ oneOf: [{ ...text, required: ["b"] }, { properties: { b: { type: "number" } } }] },
		{ b: null },
		{},
	],
	[
		"an argument with alternatives",
		{ properties: { o: { anyOf: [text] } } },
		{ o: { b: null } },
		{ o: {} },
	],
	[
		"an argument of allowed alternatives",
		{ properties: { b: { anyOf: [{ type: "string" }, { type: "null" }] } } },
		{ b: null },
		{ b: null },
	],
	["a reference to all", { $defs: { t: { allOf: [text] } }, $ref: "#/$defs/t" }, { b: null }, {}],
	["lists by place", { prefixItems: [text] }, [{ b: null }], [{}]],
	["members of any name", { additionalProperties: text }, { any: { b: null } }, { any: {} }],
])("leaves out null for what is optional in %s", (_, schema, value, kept) => {
	expect(withoutNulls(schema, value)).toEqual(kept);
});
