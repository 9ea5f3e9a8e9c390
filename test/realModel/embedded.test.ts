import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/common/async.ts";
import { isAbortError } from "../../src/common/errors.ts";
import { type LogDetails, silentLog } from "../../src/common/log.ts";
import { EmbeddedModels } from "../../src/localService/embedded/embeddedModels.ts";
import { maxCalls } from "../../src/localService/openai/writtenCalls.ts";
import type { ModelPart } from "../../src/localService/openai/completionReader.ts";
import { schemaProblems } from "../../src/tools/contract/schemaProblems.ts";
import { ensureLlamaBuild } from "../../scripts/llamaBuild.ts";
import { projectRoot } from "../../scripts/project.ts";
import { makeTempFolder } from "../helpers/tempFolder.ts";
import { whyNoLlama } from "./llamaPackage.ts";
import { tinyModel } from "./tinyModel.ts";

const chatTemplate =
	"{% for m in messages %}<s>{{ m.role }}: {{ m.content }}\n{% endfor %}{% if add_generation_prompt %}<s>assistant:{% endif %}";
const tiny = tinyModel({ seed: 5, isEndless: false, chatTemplate });
/** Describes tools as Qwen3's own template does, and calls as JSON. */
const jsonTemplate = `{% if tools %}<s>tools:{% for tool in tools %}{{ tool | tojson }}{% endfor %}<tool_call>\n{"name": <function-name>}{% endif %}{% for m in messages %}<s>{{ m.role }}: {{ m.content }}{% for c in m.tool_calls or [] %}{{ c.function.name }} {{ c.function.arguments | tojson }}{% endfor %}\n{% endfor %}{% if add_generation_prompt %}<s>assistant:{% endif %}`;
/** Describes tools as Qwen3.5's own template does, and calls with each argument between tags. */
const tagsTemplate = `{% if tools %}<s>tools:{% for tool in tools %}{{ tool | tojson }}{% endfor %}<tool_call>\n<function=example>\n<parameter=one>\n1\n</parameter>\n</function>{% endif %}{% for m in messages %}<s>{{ m.role }}: {{ m.content }}{% for c in m.tool_calls or [] %}<function={{ c.function.name }}>{% for name, value in c.function.arguments|items %}<parameter={{ name }}>{{ value | tojson if value is mapping else value | string }}</parameter>{% endfor %}{% endfor %}\n{% endfor %}{% if add_generation_prompt %}<s>assistant:{% endif %}`;
/** Describes tools and calls as Llama 3's own template does, which refuses several calls. */
const llamaTemplate = `{% if tools %}<s>Respond in the format {"name": function name, "parameters": dictionary}.{% for tool in tools %}{{ tool | tojson }}{% endfor %}{% endif %}{% for m in messages %}{% if m.tool_calls %}{% if m.tool_calls | length != 1 %}{{ raise_exception("single tool-calls") }}{% endif %}{% endif %}<s>{{ m.role }}: {{ m.content }}{% for c in m.tool_calls or [] %}{"name": "{{ c.function.name }}", "parameters": {{ c.function.arguments | tojson }}}{% endfor %}\n{% endfor %}{% if add_generation_prompt %}<s>assistant:{% endif %}`;
/** Describes tools as Mistral's own template does, and calls as a list; needs ids of nine characters. */
const mistralTemplate = `{% if tools %}[AVAILABLE_TOOLS]{{ tools | tojson }}[/AVAILABLE_TOOLS]{% endif %}{% for m in messages %}{% if m.role == "tool" and m.tool_call_id | length != 9 %}{{ raise_exception("id") }}{% endif %}<s>{{ m.role }}: {{ m.content }}{% if m.tool_calls %}[TOOL_CALLS] [{% for c in m.tool_calls %}{% if c.id | length != 9 %}{{ raise_exception("id") }}{% endif %}{{ c.function | tojson }}{{ c.id }}{% endfor %}]{% endif %}\n{% endfor %}{% if add_generation_prompt %}<s>assistant:{% endif %}`;
/** Writes each call as newer templates of Mistral's do. */
const mistralArgsTemplate = mistralTemplate
	.replace("[TOOL_CALLS] [", "")
	.replace(
		"{{ c.function | tojson }}{{ c.id }}",
		"[TOOL_CALLS]{{ c.function.name }}[ARGS]{{ c.function.arguments | tojson }}",
	)
	.replace("{% endfor %}]{% endif %}", "{% endfor %}{% endif %}");
/** The templates, each with a likely start of a call and whether it has several in an answer. */
const templates: readonly (readonly [string, string, string, boolean])[] = [
	["a template without tools", chatTemplate, "<tool_call>", true],
	["Qwen3's template", jsonTemplate, "<tool_call>", true],
	["Qwen3.5's template", tagsTemplate, "<tool_call>", true],
	["Llama's template", llamaTemplate, '{"name": "look"', false],
	["Mistral's template", mistralTemplate, "[TOOL_CALLS]", true],
	["a newer template of Mistral's", mistralArgsTemplate, "[TOOL_CALLS]", true],
];
/** Brings texts and objects in calls to an end. */
const ending = { '"': 7, "}": 7, "\n</parameter>": 7 };

function callingModel(
	chatTemplate: string,
	likely: Readonly<Record<string, number>> = {},
	hidden: readonly string[] = [],
): Buffer {
	const all = { ...ending, ...likely };
	return tinyModel({ seed: 5, isEndless: true, likely: all, hidden, chatTemplate });
}

const parameters = {
	type: "object",
	properties: {
		path: { type: "string" },
		from: { type: "integer" },
		kind: { type: "string", enum: ["code", "<text>"] },
		isWhole: { type: "boolean" },
		parts: { type: "array", items: { type: "object", properties: { at: { type: "number" } } } },
		reason: { anyOf: [{ type: "string" }, { type: "null" }] },
	},
	required: ["path", "kind"],
	additionalProperties: false,
};
const tools = [
	{ type: "function", function: { name: "read_file", description: "Reads a file.", parameters } },
	{
		type: "function",
		function: { name: "look", parameters: { type: "object", properties: {} } },
	},
];
const endless = tinyModel({ seed: 5, isEndless: true, chatTemplate });

describe.skipIf(whyNoLlama !== undefined)("llama.cpp in a process of the local service", () => {
	let llamaFolder: string;
	let folder: string;
	let embedded: EmbeddedModels;
	let openWindow: (build?: string) => EmbeddedModels;
	/** What was logged of each answer. */
	let answered: LogDetails[];

	beforeAll(async () => {
		llamaFolder = await ensureLlamaBuild();
	});

	beforeEach(async () => {
		folder = await makeTempFolder();
		const childFile = join(folder, "child.mjs");
		await build({
			bundle: true,
			format: "esm",
			platform: "node",
			outfile: childFile,
			entryPoints: [join(projectRoot, "src/localService/embedded/child.ts")],
		});
		await writeFile(join(folder, "tiny.gguf"), tiny);
		await writeFile(join(folder, "endless.gguf"), endless);
		answered = [];
		const log = {
			...silentLog,
			debug: (_: string, details: LogDetails = {}) => void answered.push(details),
		};
		openWindow = (build = llamaFolder) =>
			new EmbeddedModels({
				childFile,
				llamaFolder: build,
				modelsFolder: folder,
				clock: systemClock,
				log,
				contextLength: () => 0,
			});
		embedded = openWindow();
	});

	afterEach(() => embedded.dispose());

	interface Asked {
		readonly model?: string;
		readonly signal?: AbortSignal;
		readonly onPart?: (part: ModelPart) => void;
		readonly max?: number;
		readonly temperature?: number;
	}

	async function ask(
		question: string | readonly string[],
		asked: Asked = {},
	): Promise<readonly ModelPart[]> {
		const messages = [question].flat().map((content, index) => ({
			role: index % 2 === 0 ? "user" : "assistant",
			content,
		}));
		const { model = "tiny.gguf", temperature, max = 40 } = asked;
		const { signal = new AbortController().signal } = asked;
		const body = { model, messages, max_tokens: max, temperature };
		const parts: ModelPart[] = [];
		for await (const part of embedded.ask(body, signal)) {
			parts.push(part);
			asked.onPart?.(part);
		}
		return parts;
	}

	const textOf = (parts: readonly ModelPart[]): string =>
		parts.map(part => (part.type === "text" ? part.text : "")).join("");
	const endOf = (parts: readonly ModelPart[]): ModelPart | undefined => parts.at(-1);

	test("a machine whose build does not load is told why before anything is downloaded", async () => {
		expect(await embedded.whyNotRunnable()).toBeUndefined();
		const broken = join(folder, "llama");
		await mkdir(broken);
		await writeFile(join(broken, "llama-addon.node"), "not a library");
		const other = openWindow(broken);
		onTestFinished(() => other.dispose());
		expect(await other.whyNotRunnable()).toMatch(/llama-addon\.node/);
	});

	test("a model answers word by word, with its progress, context and tokens", async () => {
		const parts = await ask("Read the first line of the file.");
		const before = parts.slice(
			0,
			parts.findIndex(({ type }) => type === "text"),
		);
		expect(before[0]).toEqual({ type: "progress", stage: "loading", share: 0 });
		expect(before.slice(-2)).toEqual([
			{ type: "progress", stage: "reading", share: 1 },
			{ type: "context", tokens: 4_096 },
		]);
		expect(parts.filter(({ type }) => type === "text").length).toBeGreaterThan(1);
		expect(textOf(parts)).toMatch(/[a-z]+ [a-z]+/);
		expect(endOf(parts)).toMatchObject({ type: "end", usage: { input: expect.any(Number) } });
	});

	test("a chat is read on from where it was, and another chat in between changes nothing", async () => {
		const first = ["word ".repeat(500), "An answer.", "And now?"];
		const other = ["line ".repeat(300), "Another answer.", "And then?"];
		for (const messages of [first.slice(0, 1), other.slice(0, 1), first, other]) {
			await ask(messages, { max: 4 });
		}
		const reads = answered.map(({ input, kept }) => Number(input) - Number(kept));
		expect(answered[2]?.["kept"]).toBeGreaterThan(500);
		expect(answered[3]?.["kept"]).toBeGreaterThan(300);
		expect(Math.max(...reads.slice(2))).toBeLessThan(60);
	});

	test.each([false, true])(
		"a chat is read on after an answer whose thinking is left out of the next question, with a state: %s",
		async isHybrid => {
			const bytes = tinyModel({ seed: 5, isEndless: true, isHybrid, chatTemplate });
			await writeFile(join(folder, "thinking.gguf"), bytes);
			const chat = ["word ".repeat(200), "An answer.", "And now?"];
			await ask(chat.slice(0, 1), { model: "thinking.gguf", max: 300 });
			await ask(chat, { model: "thinking.gguf", max: 4 });
			expect(answered[1]?.["kept"]).toBeGreaterThan(200);
		},
	);

	interface Called {
		readonly text: string;
		readonly name: string;
		readonly input: unknown;
	}

	/** Asks for calls and returns those of all answers, each with the text before it. */
	async function calls(
		model: Buffer,
		fields: Readonly<Record<string, unknown>> = {},
		count = 2,
	): Promise<readonly Called[]> {
		await writeFile(join(folder, "calling.gguf"), model);
		const called: Called[] = [];
		for (let round = 0; round < count; round += 1) {
			const content = `Question ${round}`;
			const messages = [{ role: "user", content }];
			const body = { model: "calling.gguf", messages, tools, ...fields };
			const parts: ModelPart[] = [];
			for await (const part of embedded.ask(body, new AbortController().signal)) {
				parts.push(part);
			}
			const text = textOf(parts);
			const end = parts.at(-1);
			const written = end?.type === "end" ? end.calls : [];
			expect(written.length, text).toBeGreaterThan(0);
			expect(new Set(written.map(({ id }) => id)).size).toBe(written.length);
			for (const { name, arguments: input } of written) {
				called.push({ text, name, input: JSON.parse(input) as unknown });
			}
		}
		return called;
	}

	function expectValid(called: Awaited<ReturnType<typeof calls>>): void {
		for (const { text, name, input } of called) {
			expect(["look", "read_file"]).toContain(name);
			expect(text).not.toMatch(/<tool_call>|<function=|"name"|TOOL_CALLS/);
			const schema = name === "look" ? { type: "object" } : parameters;
			expect(schemaProblems(schema, input), JSON.stringify(input)).toEqual([]);
		}
	}

	test.each(templates)(
		"a model that would call without an end is held to the most calls, with %s",
		async (_, template, start, hasSeveral) => {
			const model = callingModel(template, { [start]: 15, ",": 6 });
			const called = await calls(model, { tools: tools.slice(1) }, 1);
			expectValid(called);
			expect(called).toHaveLength(hasSeveral ? maxCalls : 1);
		},
	);

	test.each([jsonTemplate, tagsTemplate])(
		"a call has names and options of any characters",
		async template => {
			const odd = '"\\\b\f\t ::= | ] # é😀';
			const properties = { [odd]: { enum: [odd] }, kind: { type: "string", enum: [odd] } };
			const schema = { type: "object", properties, required: [odd, "kind"] };
			const named = { type: "function", function: { name: "look", parameters: schema } };
			const model = callingModel(template, { "<tool_call>": 15 });
			const [call] = await calls(model, { tools: [named] }, 1);
			expect(call?.input).toEqual({ [odd]: odd, kind: odd });
		},
	);

	test.each([
		["its tag is a control token", { "<tool_call>": 15 }, ["<tool_call>"]],
		["it writes on in the token of the tag", { '<tool_call>{"': 15 }, []],
		["it writes JSON without the tag", { '{"name": "look"': 15 }, []],
		["it writes JSON in a code block", { '```json\n{"name": "look", "arguments': 15 }, []],
		["it writes the inner tag only", { "<function=look>": 15 }, []],
	])("a call is one where %s", async (_, likely, hidden) => {
		for (const template of [jsonTemplate, tagsTemplate]) {
			// The likely token may be anywhere in a text, so the tool has none.
			const fields = { tools: tools.slice(1) };
			expectValid(await calls(callingModel(template, likely, hidden), fields, 2));
		}
	});

	test.each(templates)(
		"a required call is made at once and by the tool's schema, though the model would write text, with %s",
		async (_, template, start) => {
			const never = { [start]: -20 };
			const called = await calls(callingModel(template, never), { tool_choice: "required" });
			expectValid(called);
			expect(new Set(called.map(({ text }) => text))).toEqual(new Set([""]));
		},
	);

	test("a call of Llama's after words is one, and the words are kept", async () => {
		const likely = { 'Well.\n{"name": "look"': 15 };
		const called = await calls(callingModel(llamaTemplate, likely), { tools: tools.slice(1) }, 1);
		expectValid(called);
		expect(called[0]?.text).toBe("Well.\n");
	});

	test("marks of calls that the vocabulary hides are no part of an answer without tools", async () => {
		const likely = { "[TOOL_CALLS]": 4, "[ARGS]": 4, "<|python_tag|>": 4 };
		await writeFile(
			join(folder, "marks.gguf"),
			tinyModel({ seed: 5, isEndless: true, likely, hidden: Object.keys(likely), chatTemplate }),
		);
		const text = textOf(await ask("Hi", { model: "marks.gguf", max: 200 }));
		expect(text).toMatch(/[a-z]+ [a-z]+/);
		expect(text).not.toMatch(/[[|]/);
	});

	test("JSON of another kind is text, whatever its tools are", async () => {
		const likely = { '{"name": "my-package", ': 15 };
		await writeFile(
			join(folder, "json.gguf"),
			tinyModel({ seed: 5, isEndless: true, likely, chatTemplate: jsonTemplate }),
		);
		const messages = [{ role: "user", content: "Hi" }];
		const body = { model: "json.gguf", messages, tools, max_tokens: 20 };
		const parts: ModelPart[] = [];
		for await (const part of embedded.ask(body, new AbortController().signal)) {
			parts.push(part);
		}
		expect(textOf(parts)).toContain('{"name": "my-package"');
	});

	test("an earlier call and its result are read by every template", async () => {
		const call = { name: "read_file", arguments: '{"path":"a","kind":"code"}' };
		const messages = [
			{ role: "user", content: "Hi" },
			{
				role: "assistant",
				content: "",
				tool_calls: [
					{
						id: "c1",
						type: "function",
						function: call,
					},
				],
			},
			{ role: "tool", tool_call_id: "c1", content: "the text" },
		];
		for (const [, template, start] of templates) {
			expectValid(
				await calls(
					callingModel(template, { [start]: 15 }),
					{ messages, tools: tools.slice(1) },
					1,
				),
			);
		}
	});

	test.each([false, true])(
		"what was read before changes no answer, with a state: %s",
		async isHybrid => {
			const bytes = tinyModel({ seed: 7, isEndless: false, isHybrid, chatTemplate });
			await writeFile(join(folder, "same.gguf"), bytes);
			const asked = { model: "same.gguf", temperature: 0 };
			const chat = ["word ".repeat(300), "", "And now?", "", "And then?"];
			const alone: string[] = [];
			for (const at of [1, 3]) {
				chat[at] = textOf(await ask(chat.slice(0, at), asked));
			}
			const last = textOf(await ask(chat, asked));
			expect(answered.map(({ kept }) => Number(kept) > 300)).toEqual([false, true, true]);
			for (const end of [1, 3, 5]) {
				embedded.dispose();
				alone.push(textOf(await ask(chat.slice(0, end), asked)));
			}
			expect(alone).toEqual([chat[1], chat[3], last]);
		},
	);

	test("a call is one with a model that stores a state", async () => {
		const likely = { ...ending, '{"name": "look"': 15 };
		const model = { seed: 5, isEndless: true, isHybrid: true, likely, chatTemplate: jsonTemplate };
		expectValid(await calls(tinyModel(model), { tools: tools.slice(1) }, 2));
	});

	test("Stop ends an answer at once, and the next question is answered", async () => {
		const stopper = new AbortController();
		let stoppedAt = 0;
		const asked = ask("Go on", {
			model: "endless.gguf",
			signal: stopper.signal,
			max: 3e3,
			onPart: ({ type }) => {
				if (type === "text" && stoppedAt === 0) {
					stoppedAt = performance.now();
					stopper.abort();
				}
			},
		});
		const error: unknown = await asked.catch((reason: unknown) => reason);
		expect(isAbortError(error)).toBe(true);
		expect(performance.now() - stoppedAt).toBeLessThan(300);
		expect(textOf(await ask("Hi", { model: "endless.gguf", max: 5 }))).not.toBe("");
	});

	test("a process that is killed is one sentence, and the next question starts another", async () => {
		const asked = ask("Go on", {
			model: "endless.gguf",
			max: 3e3,
			onPart: ({ type }) => {
				if (type === "text" && embedded.pid !== undefined) {
					process.kill(embedded.pid, "SIGKILL");
				}
			},
		});
		await expect(asked).rejects.toMatchObject({ name: "HttpFailure", code: "model_ended" });
		expect(textOf(await ask("Hi"))).not.toBe("");
	});

	test("two windows run one model in a process of each, and what ends in one changes nothing in the other", async () => {
		const other = openWindow();
		onTestFinished(() => other.dispose());
		const body = {
			model: "endless.gguf",
			messages: [{ role: "user", content: "Hi" }],
			max_tokens: 200,
		};
		const answer = other.ask(body, new AbortController().signal);
		const started = await answer.next();
		const own = await ask("Hi", { model: "endless.gguf", max: 5 });
		expect(textOf(own)).not.toBe("");
		expect(other.pid).not.toBe(embedded.pid);
		const { pid = 0 } = embedded;
		embedded.dispose();
		await expect.poll(() => isAlive(pid)).toBe(false);
		const parts: ModelPart[] = started.done === true ? [] : [started.value];
		for await (const part of answer) {
			parts.push(part);
		}
		expect(endOf(parts)).toMatchObject({ type: "end", usage: { output: 200 } });
	});

	test("the process ends with the one that started it, though that is killed", async () => {
		const question = { type: "ask", id: 1, file: join(folder, "endless.gguf"), contextLength: 0 };
		const messages = [{ role: "user", content: "Hi" }];
		const script = `
			const child = require("node:child_process").fork(...${JSON.stringify([join(folder, "child.mjs"), [llamaFolder]])});
			child.on("message", ({ type }) => type === "text" && console.log(child.pid));
			child.send(${JSON.stringify({ ...question, messages })});
		`;
		const parent = spawn(process.execPath, ["-e", script]);
		const [printed]: unknown[] = await once(parent.stdout, "data");
		const pid = Number.parseInt(String(printed));
		expect(isAlive(pid)).toBe(true);
		parent.kill("SIGKILL");
		await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
	});

	test("a file deleted while it answers changes nothing until the model is loaded again", async () => {
		expect(textOf(await ask("Hi"))).not.toBe("");
		await writeFile(join(folder, "tiny.gguf"), "");
		expect(textOf(await ask("And now?"))).not.toBe("");
	});

	test.each<[string, Buffer, string]>([
		["has no bytes", Buffer.alloc(0), "is empty"],
		["is cut", tiny.subarray(0, tiny.length - 100_000), "not"],
		["is of a kind that is not known", replaced(tiny, "llama", "llamx"), "could not load"],
		["has no template", tinyModel({ seed: 1, isEndless: false }), "chat template"],
		[
			"has a broken template",
			tinyModel({ seed: 1, isEndless: false, chatTemplate: "{% for %}" }),
			"chat template",
		],
	])("a file that %s is one sentence", async (_, bytes, words) => {
		await writeFile(join(folder, "bad.gguf"), bytes);
		await expect(ask("Hi", { model: "bad.gguf" })).rejects.toMatchObject({
			name: "HttpFailure",
			message: expect.stringContaining(words),
		});
	});

	test("a conversation that is longer than the context is told as that", async () => {
		const asked = ask("word ".repeat(6_000));
		await expect(asked).rejects.toMatchObject({ name: "HttpFailure", status: 400 });
	});
});

function replaced(bytes: Buffer, from: string, to: string): Buffer {
	return Buffer.from(bytes.toString("latin1").replaceAll(from, to), "latin1");
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}
