import { expect, test } from "vitest";
import { withWrittenCalls } from "../../../../src/localService/openai/callFilter.ts";
import type { CompletionPart } from "../../../../src/localService/openai/completionReader.ts";

const parameters = {
	type: "object",
	properties: { path: { type: "string" }, line: { type: "integer" } },
	required: ["path"],
};
const tools = ["read_file", "list_files"].map(name => ({
	type: "function",
	function: { name, parameters },
}));
const end: Extract<CompletionPart, { type: "end" }> = {
	type: "end",
	calls: [],
	isCut: false,
	thoughts: {},
	usage: {},
};

interface Read {
	readonly text: string;
	readonly calls: readonly string[];
	/** What is in the marks of a call, but can't be read as one. */
	readonly unread?: string;
}

async function read(
	pieces: readonly string[],
	offered: unknown = tools,
	last: CompletionPart = end,
): Promise<Read> {
	async function* parts(): AsyncGenerator<CompletionPart> {
		for (const text of pieces) {
			yield { type: "text", text };
		}
		yield last;
	}
	let text = "";
	let unread = "";
	for await (const part of withWrittenCalls(parts(), offered)) {
		text += part.type === "text" ? part.text : "";
		unread += part.type === "unread" ? part.text : "";
		if (part.type === "end") {
			const calls = part.calls.map(call => `${call.name}(${call.arguments})`);
			return { text, calls, ...(unread === "" ? {} : { unread }) };
		}
	}
	throw new Error("no end");
}

/** Reads an answer whole, by character, and cut in two at each character. All must be the same. */
async function readInPieces(answer: string, last: CompletionPart = end): Promise<Read> {
	const cuts = Array.from({ length: answer.length + 1 }, (_, at) => [
		answer.slice(0, at),
		answer.slice(at),
	]);
	const all = await Promise.all(
		[answer.split(""), ...cuts].map(async pieces => await read(pieces, tools, last)),
	);
	const [whole = { text: "", calls: [] }] = all;
	expect(all).toEqual(all.map(() => whole));
	return whole;
}

const a = 'read_file({"path":"src/a.ts"})';
const b = 'list_files({"path":"src","line":2})';

const hermes =
	'<tool_call>\n{"name": "read_file", "arguments": {"path": "src/a.ts"}}\n</tool_call>';
const tagged =
	"<function=read_file>\n<parameter=path>\nsrc/a.ts\n</parameter>\n</function>\n</tool_call>";
const bare = '{"name": "read_file", "arguments": {"path": "src/a.ts"}}';

test.each<[name: string, answer: string, text: string, calls: readonly string[]]>([
	["Hermes and Qwen 2.5 and 3", hermes, "", [a]],
	["Qwen 3 after words", `I'll read it.\n\n${hermes}`, "I'll read it.\n\n", [a]],
	["Qwen 3 with words behind", `${hermes}\nThen I go on.`, "Then I go on.", [a]],
	[
		"two calls, the first without its end",
		`${hermes.replace("\n</tool_call>", "")}\n<tool_call>\n{"name":"list_files","arguments":{"path":"src","line":2}}\n</tool_call>`,
		"",
		[a, b],
	],
	["Qwen3-Coder", `Sure.\n<tool_call>\n${tagged}`, "Sure.\n", [a]],
	["Qwen3-Coder without its first tag", tagged, "", [a]],
	[
		"Qwen3-Coder in LM Studio, in one line and without an end",
		"<tool_call><function=list_files> <parameter=path>src</parameter> <parameter=line>2</parameter> </tool_call>",
		"",
		[b],
	],
	[
		"GLM",
		"I look.\n<tool_call>list_files\n<arg_key>path</arg_key>\n<arg_value>src</arg_value>\n<arg_key>line</arg_key>\n<arg_value>2</arg_value>\n</tool_call>",
		"I look.\n",
		[b],
	],
	["GLM without arguments", "<tool_call>list_files\n</tool_call>", "", ["list_files({})"]],
	["Mistral's list", `[TOOL_CALLS] [${bare}]`, "", [a]],
	["Devstral", '[TOOL_CALLS]read_file[ARGS]{"path": "src/a.ts"}', "", [a]],
	["Devstral without its inner mark", '[TOOL_CALLS]read_file{"path": "src/a.ts"}', "", [a]],
	[
		"Devstral's two calls",
		'[TOOL_CALLS]read_file[ARGS]{"path": "src/a.ts"}[TOOL_CALLS]list_files[ARGS]{"path":"src","line":2}',
		"",
		[a, b],
	],
	["Llama 3", bare.replace("arguments", "parameters"), "", [a]],
	[
		"Llama 3 with a type",
		`{"type": "function", ${bare.replace("arguments", "parameters").slice(1)}`,
		"",
		[a],
	],
	["Llama 3 with its mark", `<|python_tag|>${bare.replace("arguments", "parameters")}`, "", [a]],
	[
		"Qwen2.5-Coder in Ollama",
		'{\n  "name": "read_file",\n  "arguments": {\n    "path": "src/a.ts"\n  }\n}',
		"",
		[a],
	],
	["Qwen2.5-Coder with a long prompt", `\`\`\`json\n${bare}\n\`\`\``, "", [a]],
	[
		"two bare calls",
		`${bare}\n{"name": "list_files", "arguments": {"path":"src","line":2}}`,
		"",
		[a, b],
	],
])("a call as it is written by %s is a call", async (_name, answer, text, calls) => {
	expect(await readInPieces(answer)).toEqual({ text, calls });
});

const bash = [
	{
		type: "function",
		function: {
			name: "bash",
			parameters: {
				type: "object",
				properties: {
					command: { type: "string" },
					workdir: { type: "string" },
					limit: { type: "integer" },
				},
			},
		},
	},
];
const tag = (lines: string): string => `<tool_call>\n<function=bash>\n${lines}\n</tool_call>`;
const pairs = (text: string): string => `<tool_call>bash\n${text}</tool_call>`;
const run = (input: object): string[] => [`bash(${JSON.stringify(input)})`];
const both = run({ command: "cat a", workdir: "/srv" });

test.each<[name: string, answer: string, calls: readonly string[]]>([
	[
		"in the middle",
		tag("<parameter=command>\ncat a\n<parameter=workdir>\n/srv\n</parameter>\n</function>"),
		both,
	],
	[
		"before the end of the call",
		tag("<parameter=command>\ncat a\n</parameter>\n<parameter=workdir>\n/srv\n</function>"),
		both,
	],
	["everywhere", tag("<parameter=command>\ncat a\n<parameter=workdir>\n/srv"), both],
	[
		"in lines that end as on Windows",
		tag(
			"<parameter=command>\r\ncat a\r\n<parameter=workdir>\r\n/srv\r\n</parameter>\r\n</function>",
		),
		both,
	],
	[
		"behind a number",
		tag("<parameter=limit>\n2\n<parameter=command>\ncat a\n</parameter>\n</function>"),
		run({ limit: 2, command: "cat a" }),
	],
	[
		"beside the value",
		tag("<parameter=command>\ncat a</parameter>\n<parameter=workdir>/srv</parameter>\n</function>"),
		both,
	],
	[
		"of GLM in the middle",
		pairs(
			"<arg_key>command</arg_key>\n<arg_value>cat a<arg_key>workdir</arg_key>\n<arg_value>/srv</arg_value>\n",
		),
		both,
	],
	[
		"of GLM at the end",
		pairs(
			"<arg_key>command</arg_key>\n<arg_value>cat a</arg_value>\n<arg_key>workdir</arg_key>\n<arg_value>/srv\n",
		),
		both,
	],
	[
		"in quoted text, which ends at its own",
		tag(
			'<parameter=command>\ngrep "<parameter=workdir>" a </function> b\n</parameter>\n</function>',
		),
		run({ command: 'grep "<parameter=workdir>" a </function> b' }),
	],
])(
	"an argument without its closing tag ends where the next begins: %s",
	async (_name, answer, calls) => {
		expect(await read([answer], bash)).toEqual({ text: "", calls });
	},
);

test.each([
	tag("<parameter=command>\ncat a\n<parameter=elsewhere>\n/srv\n</parameter>\n</function>"),
	tag(
		"<parameter=workdir>\n/\n</parameter>\n<parameter=command>\ncat a\n<parameter=workdir>\n/srv\n</parameter>\n</function>",
	),
	tag("<parameter=command>cat a<parameter=workdir>/srv</parameter></function>"),
	tag(
		`<parameter=command>\ncat << E\n${tag("<parameter=workdir>\na\n</parameter>\n</function>")}\nE\n</parameter>\n</function>`,
	),
	pairs(
		"<arg_key>command</arg_key>\n<arg_value>cat a<arg_key>elsewhere</arg_key>\n<arg_value>/srv</arg_value>\n",
	),
	pairs("<arg_key>command</arg_key>\n<arg_value>cat a<arg_value>/srv</arg_value>\n"),
])("where an argument ends is not guessed, and nothing runs: %j", async answer => {
	expect((await read([answer], bash)).calls).toEqual([]);
});

test.each([
	"Hello.\n\n<to you>\n[TO DO]\n{}\n",
	`Models write ${hermes} there.`,
	`Models write "${hermes}"`,
	`Models write \`${hermes}\``,
	`> ${hermes.replaceAll("\n", "\n> ")}`,
	`So:\n\n    ${hermes.replaceAll("\n", "\n    ")}\n`,
	`So:\n\n\`\`\`xml\n${hermes}\n\`\`\`\n\nThat is all.`,
	`- \`\`\`\n  ${tagged}\n  \`\`\`\n`,
	`\`\`\`xml\n${hermes}\n\`\`\``,
	tagged.replace("read_file", "drop_table"),
	bare.replace("read_file", "my-app"),
	'{"name": "read_file", "version": "1.0.0"}',
	`${bare}\nThis reads the file.`,
	`\`\`\`json\n${bare}\n\`\`\`\nThis reads the file.`,
	`This reads the file:\n\n${bare}`,
	"<tool_call>\nis a tag.",
	"<tool_c",
	"[TOOL_CALLS] starts a list.",
	"```",
	" \n \n",
])("a text that is no call is shown as it was written: %j", async answer => {
	expect(await readInPieces(answer)).toEqual({ text: answer, calls: [] });
});

test("a call that a limit cut is one, and words that it cut are words", async () => {
	const cut = { ...end, isCut: true };
	for (const call of [hermes, tagged, bare, `\`\`\`json\n${bare}\n\`\`\``]) {
		expect(await read([call.slice(0, -30)], tools, cut)).toEqual({ text: "", calls: ["({})"] });
	}
	expect(await read([`${hermes}\nThen I g`], tools, cut)).toEqual({ text: "Then I g", calls: [a] });
	expect(await read(["I rea"], tools, cut)).toEqual({ text: "I rea", calls: [] });
});

test("without tools, and beside calls that the server read itself, all text is text", async () => {
	expect(await read([hermes], null)).toEqual({ text: hermes, calls: [] });
	expect(await read([hermes], [])).toEqual({ text: hermes, calls: [] });
	const call = { id: "1", name: "list_files", arguments: "{}", extra: {} };
	expect(await read([hermes], tools, { ...end, calls: [call] })).toEqual({
		text: hermes,
		calls: ["list_files({})"],
	});
});

test.each([
	["read_file<|channel|>commentary", "read_file"],
	["functions.read_file", "read_file"],
	["default_api:read_file", "read_file"],
	["functions.drop_table", "functions.drop_table"],
	["drop_table<|channel|>", "drop_table<|channel|>"],
])("the name of a call that a server left as %j is %j", async (name, expected) => {
	const calls = [{ id: "1", name, arguments: "{}", extra: {} }];
	expect((await read([], tools, { ...end, calls })).calls).toEqual([`${expected}({})`]);
});

test("text is held back only while it may begin a call", async () => {
	const shown: string[] = [];
	async function* parts(): AsyncGenerator<CompletionPart> {
		for (const text of ["Well", ", ", "<tool_call>\n", "<tool", "_box>", " is", "\n\n", "It"]) {
			yield { type: "text", text };
			shown.push("|");
		}
		yield end;
	}
	for await (const part of withWrittenCalls(parts(), tools)) {
		shown.push(part.type === "text" ? part.text : "");
	}
	expect(shown.join("")).toBe("Well|, ||<tool_call>\n|<tool_box>| is|\n\n|It|");
});

test("a hostile text is read to its end", async () => {
	const many = 300_000;
	const open = "<tool_call><function=list_files><parameter=line>";
	for (const answer of [
		`\`\`\`json\n${bare}${" ".repeat(many)}x`,
		`${open}"${"</parameter>".repeat(many)}`,
		`<tool_call>list_files<arg_key>path</arg_key><arg_value>${"</arg_value> ".repeat(many)}`,
		`[TOOL_CALLS]${"[{".repeat(many)}`,
		`${"`".repeat(many)}\n${" ".repeat(many)}\n${hermes.replace("read_file", "drop_table")}`,
	]) {
		const { text, unread = "" } = await read([answer]);
		expect(text + unread).toBe(answer);
	}
});

test("an answer that breaks off keeps what was held back", async () => {
	async function* parts(): AsyncGenerator<CompletionPart> {
		yield { type: "text", text: `Well.\n${hermes.slice(0, 30)}` };
		throw new Error("broke off");
	}
	let text = "";
	const reading = async () => {
		for await (const part of withWrittenCalls(parts(), tools)) {
			text += part.type === "text" ? part.text : "";
		}
	};
	await expect(reading()).rejects.toThrow("broke off");
	expect(text).toBe(`Well.\n${hermes.slice(0, 30)}`);
});
