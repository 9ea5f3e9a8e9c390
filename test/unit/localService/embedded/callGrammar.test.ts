import { expect, test } from "vitest";
import { callGrammar } from "../../../../src/localService/embedded/callGrammar.ts";

const forms = ["json", "tags", "llama", "mistral", "mistralArgs"] as const;

function grammarOf(
	parameters: unknown,
	form: (typeof forms)[number] = "json",
	name = "look",
): string {
	return callGrammar([{ function: { name, parameters } }], form);
}

/** The literals of a grammar, after checking that it consists of rules in GBNF and has each rule that it names. */
function literalsOf(grammar: string): string[] {
	const literals: string[] = [];
	const names = new Set<string>();
	const used = new Set<string>();
	for (const line of grammar.trimEnd().split("\n")) {
		const [, name = "", text = ""] = /^(\w+) ::= ([^\n]+)$/.exec(line) ?? [];
		expect(names, line).not.toContain(name);
		names.add(name);
		const rest = text.replaceAll(
			/"(?:[^"\\]|\\(?:["\\nrt]|u[0-9a-fA-F]{4}))*"|\[(?:[^\]\\]|\\(?:["\\nrt\]]|x[0-9A-F]{2}))+\]/g,
			found => {
				if (found.startsWith('"')) {
					literals.push(JSON.parse(found) as string);
				}
				return "";
			},
		);
		for (const word of rest.replaceAll(/\{\d+(?:,\d+)?\}/g, "").match(/[^\s()|*+?]+/g) ?? []) {
			used.add(word);
		}
	}
	expect([...used].filter(name => !names.has(name))).toEqual([]);
	return literals;
}

const hostile = '"\\\b\f\n\r\t\0\u0085\u2028\uD800 ::= | ] ) root # \\" 😀';

test.each(forms)("names, keys and options of any characters stay within literals, as %s", form => {
	const properties = {
		[hostile]: { enum: [hostile, "plain"] },
		other: { type: "object", properties: { [hostile]: { const: { [hostile]: [hostile] } } } },
	};
	const literals = literalsOf(grammarOf({ type: "object", properties }, form, hostile));
	const quoted = JSON.stringify(hostile);
	expect(literals).toContain(quoted);
	expect(literals).toContain(JSON.stringify({ [hostile]: [hostile] }));
	expect(literals).toContain(form === "tags" ? `<parameter=${hostile}>\n` : quoted);
	expect(literals).toContain(form === "tags" || form === "mistralArgs" ? hostile : quoted);
});

test.each([
	["anyOf beside properties", { anyOf: [{ required: ["a"] }, { required: ["b"] }] }],
	["oneOf beside properties", { oneOf: [{ type: "string" }] }],
	["no type", { type: undefined }],
	["a constant", { const: "text" }],
])("arguments are an object of the tool's members, with %s", (_, fields) => {
	const properties = { a: { type: "integer" }, b: { type: "boolean" } };
	const schema = { type: "object", properties, ...fields };
	expect(grammarOf(schema)).toBe(grammarOf({ type: "object", properties }));
});

test.each([
	undefined,
	{},
	{ anyOf: [{ type: "string" }] },
	{ $ref: "#/a" },
	{ allOf: [{}] },
	true,
	1,
])("arguments without members are an object: %j", schema => {
	expect(grammarOf(schema)).toContain(String.raw`"\"arguments\":" ws object "}"`);
});

test("a value by its type ignores alternatives, and one without a type has them", () => {
	const either = [{ type: "string" }, { type: "null" }];
	const of = (a: unknown): string => grammarOf({ properties: { a }, required: ["a"] });
	expect(of({ type: "integer", anyOf: either })).toBe(of({ type: "integer" }));
	expect(of({ anyOf: either })).toBe(of({ type: ["string", "null"] }));
	expect(of({ anyOf: either })).toContain("::= string | null");
});

test("any JSON is allowed where a schema has no end", () => {
	const deep: Record<string, unknown> = { type: "object" };
	deep["properties"] = { deeper: deep };
	const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`p${at}`, deep]));
	for (const endless of [deep, { type: "object", properties: many }, { enum: Object.keys(many) }]) {
		for (const form of forms) {
			const grammar = grammarOf(endless, form);
			expect(grammar.length).toBeLessThan(10_000);
			literalsOf(grammar);
		}
	}
});

test.each(forms)("a grammar grows as its schemas do, as %s", form => {
	const members = (length: number) =>
		Object.fromEntries(Array.from({ length }, (_, at) => [`p${at}`, { type: "string" }]));
	const [half, whole] = [32, 64].map(
		length => grammarOf({ type: "object", properties: members(length) }, form).length,
	);
	expect(whole).toBeLessThan(2 * (half ?? 0));
});

test.each(forms)(
	"a tool whose rules are too long may be called with any arguments, as %s",
	form => {
		let last = 0;
		const wide = (depth: number): unknown =>
			depth === 0
				? {
						enum: Array.from(
							{ length: 64 },
							(_, at) => `${"long ".repeat(50)}${at} of ${(last += 1)}`,
						),
					}
				: {
						type: "object",
						properties: Object.fromEntries(
							Array.from({ length: 60 }, (_, at) => [`p${at}of${depth}`, wide(depth - 1)]),
						),
					};
		const small = {
			function: { name: "small", parameters: { properties: { at: { type: "integer" } } } },
		};
		for (const parameters of [
			wide(2),
			{ properties: { ["key".repeat(30_000)]: {} } },
			{ properties: { a: { const: "x".repeat(70_000) } } },
		]) {
			const grammar = callGrammar([small, { function: { name: "huge", parameters } }, small], form);
			expect(grammar.length).toBeLessThan(3_000);
			literalsOf(grammar);
			expect(grammar).toContain(
				{
					json: String.raw`"\"huge\"" ws "," ws "\"arguments\":" ws object "}"`,
					tags: String.raw`"<function=" "huge" ">\n" ("<parameter=" `,
					llama: String.raw`"\"huge\"" ws "," ws "\"parameters\":" ws object "}"`,
					mistral: String.raw`"\"huge\"" ws "," ws "\"arguments\":" ws object "}"`,
					mistralArgs: String.raw`"huge" ("[CALL_ID]" [a-zA-Z0-9]{9})? "[ARGS]" ws object`,
				}[form],
			);
		}
	},
);
