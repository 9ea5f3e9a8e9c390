import { expect, test } from "vitest";
import { readArguments } from "../../../../src/tools/gate/acceptCall.ts";
import { ToolRegistry } from "../../../../src/tools/catalog/toolRegistry.ts";
import { createRandom, type Random } from "../../../helpers/random.ts";
import { allow, createToolBench } from "../../../helpers/toolBench.ts";

/** A tenth of a second by default; `npm run test:long` runs the 100,000 that the figure G18 asks for. */
const count = Number(process.env["CUTAWAY_FUZZ"] ?? 400);

/** A valid input for every tool. */
const valid: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
	get_selection: {},
	get_active_file: {},
	get_open_files: {},
	read_file: { path: "a.txt", startLine: 1, endLine: 2 },
	list_files: { glob: "**/*" },
	open_file: { path: "a.txt", startLine: 1 },
	search_text: { query: "x", isRegularExpression: false, isCaseSensitive: true, glob: "*" },
	get_problems: { path: "a.txt" },
	get_symbols: { path: "a.txt" },
	find_references: { path: "a.txt", line: 1, symbol: "x" },
	get_git_diff: { isStaged: true },
	apply_edit: {
		files: [{ path: "a.txt", edits: [{ find: "one", replace: "two", startLine: 1 }] }],
	},
	insert_at_cursor: { text: "x" },
	replace_selection: { text: "x" },
	create_file: { path: "b.txt", text: "x" },
	rename_file: { path: "a.txt", newPath: "b.txt" },
	delete_file: { path: "a.txt" },
	ask_user: { question: "?", options: ["a", "b"] },
	browsing: { url: "https://a.example/" },
	generate_video: { prompt: "x", duration: 2, motion_strength: 3 },
};

const required: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
	new ToolRegistry().tools.map(({ name, parameters }) => [name, parameters.required ?? []]),
);

/** A value of another type than the one given: what a lenient reader would turn into it. */
function lookAlike(value: unknown, random: Random): unknown {
	const others: unknown[] = [null, [], {}, [value], { value }, Number.MAX_VALUE, -1, 0.5];
	switch (typeof value) {
		case "string":
			return random.pick([...others, 1, true, ""].filter(other => typeof other !== "string"));
		case "number":
			return random.pick([...others, String(value), `${value}.0`, true, "0x1"]);
		case "boolean":
			return random.pick([...others, "true", "false", 1, 0, ""]);
		default:
			return random.pick([null, "x", 1, true, JSON.stringify(value)]);
	}
}

/** Arguments that differ from valid ones in one way that makes them invalid. */
function spoil(tool: string, random: Random): string {
	const input: Record<string, unknown> = structuredClone({ ...valid[tool] });
	const names = Object.keys(input);
	const text = JSON.stringify(input);
	const ways: (() => string)[] = [
		() => JSON.stringify({ ...input, [`x${random.below(99)}`]: random.pick([1, "x", null]) }),
		() => `${text.slice(0, -1)}${names.length > 0 ? "," : ""}"__proto__":{}}`,
		() => `${text.slice(0, -1)}${names.length > 0 ? "," : ""}"a":1,"a":1}`,
		() => text.slice(0, 1 + random.below(text.length - 1)),
		() => `${text}${random.pick(["}", "x", ",", text])}`,
		() => random.pick(["[]", "null", "1", '"x"', "true", `[${text}]`, JSON.stringify(text)]),
		() => "[".repeat(65 + random.below(100)) + "]".repeat(10),
		() => text.replaceAll('"', "'").replace("{}", "{'}"),
	];
	if (names.length > 0) {
		const name = random.pick(names);
		const isOptional = !(required[tool] ?? []).includes(name);
		// Null for what is optional is left out.
		ways.push(() => {
			const other = lookAlike(input[name], random);
			return JSON.stringify({ ...input, [name]: isOptional && other === null ? [] : other });
		});
		ways.push(() => JSON.stringify({ ...input, [name.toUpperCase()]: input[name] }));
	}
	const needed = required[tool] ?? [];
	if (needed.length > 0) {
		ways.push(() => {
			delete input[random.pick(needed)];
			return JSON.stringify(input);
		});
	}
	return random.pick(ways)();
}

test("the example of every tool is valid", () => {
	for (const tool of new ToolRegistry().tools) {
		expect(tool.accept(valid[tool.name]).ok, tool.name).toBe(true);
	}
});

test(`G18, U7, U8: of ${count} invalid calls none runs and none is coerced, though the user allows all`, async () => {
	const bench = await createToolBench();
	bench.put("ws/a.txt", "one");
	bench.decide = allow;
	bench.mayBrowse = true;
	const random = createRandom(20_260_901);
	const names = Object.keys(valid);
	for (let n = 0; n < count; n += 1) {
		const tool = random.pick(names);
		const text = spoil(tool, random);
		const result = await bench.run(tool, text === "" ? "{" : text, `fuzz-${n}`);
		expect(result.state, `${tool} ${text}`).toBe("invalid");
	}
	expect(bench.editor.effects).toEqual([]);
	expect(bench.asked).toEqual([]);
}, 300_000);

test("U8: arguments of exactly the greatest depth and length are read, any more are not", () => {
	const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
	expect(readArguments(nested(64)).ok).toBe(true);
	expect(readArguments(nested(65)).ok).toBe(false);
	const long = (length: number): string => `"${"x".repeat(length - 2)}"`;
	expect(readArguments(long(1024 * 1024)).ok).toBe(true);
	expect(readArguments(long(1024 * 1024 + 1)).ok).toBe(false);
});

test("U8: names that stand twice are found in any spelling, and only in the same object", () => {
	expect(readArguments('{"a":1,"\\u0061":2}').ok).toBe(false);
	expect(readArguments('{"a":{"a":1},"b":[{"a":1},{"a":2}]}').ok).toBe(true);
	expect(readArguments('{"a":"}{\\":\\"a","b":"\\"a\\":1"}').ok).toBe(true);
	expect(readArguments('{"x":{"prototype":1}}').ok).toBe(false);
	expect(readArguments(" ")).toEqual({ ok: true, value: {} });
});

test.each([
	'{"__proto__":{"isAdmin":true}}',
	'{"x":[{"y":{"__proto__":1}}]}',
	'{"\\u005f_proto__":1}',
	'{"constructor":1}',
	'{"x":{"prototype":1}}',
])("T33: %s is refused before anything is made of it", text => {
	expect(readArguments(text)).toMatchObject({
		ok: false,
		problem: expect.stringContaining("forbidden name"),
	});
});

test("T33: a text that speaks of __proto__ is an argument like any other", () => {
	expect(readArguments('{"text":"\\"__proto__\\":1"}').ok).toBe(true);
});
