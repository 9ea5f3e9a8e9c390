import { parseJson } from "../../common/json.ts";
import { literal, startOf } from "./thoughtMarks.ts";
import { type ElementMarks, readElements, type ReadValue } from "./writtenElements.ts";
import { readBareObject, readPythonCalls } from "./writtenValues.ts";

/** The tags around a call, as Hermes and Qwen models were trained. */
export const callStart = "<tool_call>";
export const callEnd = "</tool_call>";
/** Starts the name and arguments of a call between tags. */
export const functionStart = "<function=";
/** Starts a call of Llama 3. */
export const pythonTag = "<|python_tag|>";

type Properties = Readonly<Record<string, unknown>>;

/** Reads arguments, or whole calls where the marks don't name the tool, from a place on. */
type Grammar = (
	written: string,
	from: number,
	properties: Properties,
	isExact: boolean,
) => ReadValue | undefined;

/** A form in which models write calls. */
export interface WrittenForm {
	/**
	 * What an answer's calls begin with, without white space and with `|` and `_` for DeepSeek's own signs. NAME is the name of an offered tool. Enough
	 * of a call that prose about the marks isn't taken for one.
	 */
	readonly signs: readonly string[];
	/** Whether the signs are also text without a call in them, so nothing else may follow, and what can't be read is shown. */
	readonly isPlain?: boolean;
	/** Whether the calls are the whole answer. */
	readonly isWhole?: boolean;
	/** Reads the marks before the arguments of each call, and the tool's name if it is there. Sticky. */
	readonly opening: RegExp;
	readonly arguments: Grammar;
	/** Reads the marks after the arguments. Sticky. */
	readonly closing: RegExp;
}

/** Reads an object or array in JSON that other text may follow. */
function readJson(written: string, from: number): ReadValue | undefined {
	const token = /"[^"\\]*(?:\\[^][^"\\]*)*"|[{}[\]]|[^"{}[\]]+/y;
	token.lastIndex = from;
	let depth = 0;
	for (let found = token.exec(written); found; found = token.exec(written)) {
		const [text] = found;
		depth += /^[{[]/.test(text) ? 1 : /^[}\]]/.test(text) ? -1 : 0;
		if (depth <= 0) {
			const value = parseJson(written.slice(from, token.lastIndex));
			return value === undefined ? undefined : { value, end: token.lastIndex };
		}
	}
	return undefined;
}

/** Reads objects in JSON that follow each other, with or without a list around them. */
function readJsonCalls(written: string, from: number): ReadValue | undefined {
	const calls: unknown[] = [];
	let end = from;
	for (let read = readJson(written, from); read;) {
		calls.push(read.value);
		({ end } = read);
		const next = /\s*(?:[,;]\s*)?(?=[{[])/y;
		next.lastIndex = end;
		read = next.test(written) ? readJson(written, next.lastIndex) : undefined;
	}
	return calls.length === 0 ? undefined : { value: calls.flat(), end };
}

const between =
	(marks: ElementMarks): Grammar =>
	(written, from, properties, isExact) =>
		readElements(written, from, properties, { ...marks, isExact });

const qwenMarks: ElementMarks = {
	opening: /\s*<parameter=([^>\n]+)>(?:\r?\n)?/,
	closing: /^<\/parameter>$/,
	any: /<(?:parameter|function)=[^>\n]*>|<\/(?:parameter|function)>|<\/?(?:\w+:)?tool_call>/,
	rest: /^<\/(?:function>(?:\s*<\/(?:\w+:)?tool_call>)?|(?:\w+:)?tool_call>)\s*(?:$|<(?:\w+:)?tool_call>|<function=)/,
};
/** Names of the marks of GLM and of those that use them: Hunyuan's end with a suffix of the model, K2 Horizon's begin with `ifm|`. */
const glm = (name: string): string => String.raw`(?:ifm\|)?${name}(?::\w{1,16})?>`;
const glmMarks: ElementMarks = {
	opening: new RegExp(
		String.raw`\s*<${glm("arg_key")}([^<\n]+)</${glm("arg_key")}\s*<${glm("arg_value")}`,
	),
	closing: new RegExp(`^</${glm("arg_value")}$`),
	any: new RegExp(`</?${glm("(?:arg_key|arg_value|tool_calls?)")}`),
	rest: new RegExp(
		String.raw`^</${glm("tool_call")}\s*(?:</${glm("tool_calls")}\s*)?(?:$|<${glm("tool_calls?")})`,
	),
	isVerbatim: true,
};
/** What is before the names of the marks of DeepSeek 3.2 and later and of GigaChat, which have bars, and of MiniMax, Muse and Step 3. */
const prefix = String.raw`(?:[|｜]{1,2}[A-Z]{4}[|｜]{1,2}\s?|\w+:)?`;
const section = String.raw`${prefix}(?:(?:dots_)?function_calls?|tool_calls?|calls)`;
const invokeMarks: ElementMarks = {
	opening: new RegExp(
		String.raw`\s*<${prefix}parameter\s+name="([^"\n]+)"(?:\s+string="(true|false)")?\s*>(?:\r?\n)?`,
	),
	closing: new RegExp(`^</${prefix}parameter>$`),
	any: new RegExp(
		String.raw`<${prefix}(?:parameter|invoke)\s[^>\n]*>|</${prefix}(?:parameter|invoke)>|</?${section}>`,
	),
	rest: new RegExp(
		String.raw`^</(?:${prefix}invoke|${section})>(?:\s*</${section}>)?\s*(?:$|<(?:${section}|${prefix}invoke\s))`,
	),
};
const invokePrefixes = ["|DSML|", "|GCML|", "minimax:", "antml:", "atem:", ""];
/** The token before each tag of MiniMax M3. */
export const miniMaxToken = "]<]minimax[>[";
const miniMax = literal(miniMaxToken);
const miniMaxMarks: ElementMarks = {
	opening: new RegExp(String.raw`\s*${miniMax}<([\w.-]+)>`),
	closing: new RegExp(String.raw`^${miniMax}</(?!(?:invoke|tool_call)>)[\w.-]+>$`),
	any: new RegExp(String.raw`${miniMax}</?[^>\n]*>`),
	rest: new RegExp(
		String.raw`^${miniMax}</(?:invoke|tool_call)>\s*(?:$|${miniMax}(?:</tool_call>|<invoke\s))`,
	),
	isVerbatim: true,
};
const kimiMarks: ElementMarks = {
	opening: /\s*<\|open\|>argument\s+key="([^"\n]+)"(?:\s+type="(\w+)")?<\|sep\|>/,
	closing: /^<\|close\|>argument<\|sep\|>$/,
	any: /<\|open\|>(?:argument|call)\s[^<\n]*<\|sep\|>|<\|close\|>(?:argument|call|tools)<\|sep\|>/,
	rest: /^<\|close\|>call<\|sep\|>\s*(?:<\|close\|>tools<\|sep\|>\s*)?(?:$|<\|(?:open|close)\|>)/,
	isVerbatim: true,
};
const miniCpmMarks: ElementMarks = {
	opening: /\s*<param\s+name="([^"\n]+)"\s*>(?:<!\[CDATA\[|\r?\n)?/,
	closing: /^(?:\]\]>)?<\/param>$/,
	any: /<(?:param|function)\s[^>\n]*>|(?:\]\]>)?<\/(?:param|function)>/,
	rest: /^<\/function>\s*(?:$|<function\s)/,
};

/** DeepSeek's marks, whose signs some servers replace. */
const deepSeek = (words: string): string =>
	`<[|｜]${words.replaceAll(" ", String.raw`[\s_▁]`)}[|｜]>`;

/** The marks around calls in JSON with their names, of many models. */
const jsonMarks: readonly (readonly [opening: string, closing: string])[] = [
	["<|tool_call|>", "<|/tool_call|>"],
	["<|tool_call|>", "</|tool_call|>"],
	["<|tool_call>", "<tool_call|>"],
	["<tool_calls>", "</tool_calls>"],
	["<TOOLCALL>", "</TOOLCALL>"],
	["<function_call>", "</function_call>"],
	["<longcat_tool_call>", "</longcat_tool_call>"],
	["<|START_ACTION|>", "<|END_ACTION|>"],
	["<|action_start|><|plugin|>", "<|action_end|>"],
	["<|tools_prefix|>", "<|tools_suffix|>"],
	["<|tool_call_start|>", "<|tool_call_end|>"],
	["<dots_function_call>", "</dots_function_call>"],
	["<|function_call|>", ""],
	["<|message_sep|>function call<|role_sep|>", ""],
];

export const callForms: readonly WrittenForm[] = [
	{
		// Hermes, Qwen 2.5 and 3, Granite 4.
		signs: [`${callStart}{`, `${callStart}[{`],
		opening: /\s*<tool_call>\s*(?=[{[])/y,
		arguments: readJsonCalls,
		closing: /\s*(?:\}\s*)?(?:<\/tool_call>)?/y,
	},
	{
		// Qwen3-Coder, Qwen 3.5, Step 3.5, Nemotron 3, Seed-OSS.
		signs: [
			`${callStart}${functionStart}`,
			`<seed:tool_call>${functionStart}`,
			`${functionStart}NAME>`,
			`${functionStart}NAME{`,
		],
		opening: /\s*(?:<(?:\w+:)?tool_call>\s*)?<function=([^>\n]+)>(?!\s*\{)/y,
		arguments: between(qwenMarks),
		closing: /\s*(?:<\/function>\s*(?:<\/(?:\w+:)?tool_call>)?|<\/(?:\w+:)?tool_call>)/y,
	},
	{
		// Llama 3.1.
		signs: [],
		opening: /\s*<function=([^>\n]+)>\s*(?=\{)/y,
		arguments: readJson,
		closing: /\s*<\/function>/y,
	},
	{
		// GLM 4.5 to 4.7, Ling 3, Hunyuan 3 and 4, K2 Horizon.
		signs: [
			...["<arg_key>", "<tool_sep>", callEnd].flatMap(next => [
				`${callStart}NAME${next}`,
				`<tool_calls>${callStart}NAME${next}`,
			]),
			"<ifm|tool_calls><ifm|tool_call>NAME<",
			"<ifm|tool_call>NAME<",
		],
		opening: new RegExp(
			String.raw`\s*(?:<${glm("tool_calls")}\s*)?<${glm("tool_call")}\s*([\w.-]+)\s*(?:<${glm("tool_sep")}\s*)?(?=<${glm("arg_key")}|</${glm("tool_call")})`,
			"y",
		),
		arguments: between(glmMarks),
		closing: new RegExp(String.raw`\s*</${glm("tool_call")}(?:\s*</${glm("tool_calls")})?`, "y"),
	},
	{
		// DeepSeek 3.2 and later, GigaChat 3.5, MiniMax M2, Muse, dots.
		signs: [
			...["function_calls", "tool_calls", "tool_call", "calls"].flatMap(name =>
				invokePrefixes.map(before => `<${before}${name}><${before}invokename="`),
			),
			'<minimax:tool_call><invokename="',
			'<dots_function_call><invokename="',
			...invokePrefixes.map(before => `<${before}invokename="NAME">`),
			'<|DSML|invokename="',
		],
		opening: new RegExp(
			String.raw`\s*(?:<${section}>\s*)?<${prefix}invoke\s+name="([^"\n]+)"\s*>`,
			"y",
		),
		arguments: between(invokeMarks),
		closing: new RegExp(String.raw`\s*</${prefix}invoke>\s*(?:</${section}>)?`, "y"),
	},
	{
		// MiniMax M3, with the token missing before the first tag of some.
		signs: [
			`${miniMaxToken}<tool_call>${miniMaxToken}<invokename="`,
			`<tool_call>${miniMaxToken}<invokename="`,
			`${miniMaxToken}<invokename="NAME">`,
		],
		opening: new RegExp(
			String.raw`\s*(?:(?:${miniMax})?<tool_call>\s*)?${miniMax}<invoke\s+name="([^"\n]+)"\s*>`,
			"y",
		),
		arguments: between(miniMaxMarks),
		closing: new RegExp(String.raw`\s*${miniMax}</invoke>\s*(?:${miniMax}</tool_call>)?`, "y"),
	},
	{
		// Step 3, whose marks are DeepSeek's and MiniMax's.
		signs: [],
		opening: new RegExp(
			String.raw`\s*(?:${deepSeek("tool calls begin")}\s*)?${deepSeek("tool call begin")}\s*function\s*${deepSeek("tool sep")}\s*<${prefix}invoke\s+name="([^"\n]+)"\s*>`,
			"y",
		),
		arguments: between(invokeMarks),
		closing: new RegExp(
			String.raw`\s*</${prefix}invoke>\s*${deepSeek("tool call end")}\s*(?:${deepSeek("tool calls end")})?`,
			"y",
		),
	},
	{
		// DeepSeek V3, R1 and V3.1.
		signs: [
			"<|tool_calls_begin|><|tool_call_begin|>",
			"<|tool_call_begin|>function<|tool_sep|>",
			"<|tool_call_begin|>NAME<|tool_sep|>",
		],
		opening: new RegExp(
			String.raw`\s*(?:${deepSeek("tool calls begin")}\s*)?${deepSeek("tool call begin")}\s*(?:function\s*${deepSeek("tool sep")}\s*)?([\w.:-]+)\s*(?:${deepSeek("tool sep")}\s*)?(?:${"```"}(?:json)?\s*)?(?=\{)`,
			"y",
		),
		arguments: readJson,
		closing: new RegExp(
			String.raw`\s*(?:\}\s*)?(?:${"```"}\s*)?(?:${deepSeek("tool call end")}\s*)?(?:${deepSeek("tool calls end")})?`,
			"y",
		),
	},
	{
		// Kimi K2.
		signs: [
			"<|tool_calls_section_begin|><|tool_call_begin|>",
			"<|tool_call_begin|>functions.",
			"<|tool_call_begin|>NAME",
		],
		opening:
			/\s*(?:<\|tool_calls?_section_begin\|>\s*)?<\|tool_call_begin\|>\s*([\w.:-]+)\s*<\|tool_call_argument_begin\|>\s*(?=\{)/y,
		arguments: readJson,
		closing: /\s*(?:\}\s*)?(?:<\|tool_call_end\|>\s*)?(?:<\|tool_calls?_section_end\|>)?/y,
	},
	{
		// Kimi K3.
		signs: ["<|open|>tools<|sep|>", "<|close|>response<|sep|><|open|>tools<|sep|>", ""].map(
			before => `${before}<|open|>calltool="`,
		),
		opening:
			/\s*(?:<\|close\|>response<\|sep\|>\s*)?(?:<\|open\|>tools<\|sep\|>\s*)?<\|open\|>call\s+tool="([^"\n]+)"(?:\s+index="\d+")?<\|sep\|>/y,
		arguments: between(kimiMarks),
		closing:
			/\s*<\|close\|>call<\|sep\|>(?:\s*<\|close\|>(?:tools|message)<\|sep\|>)*(?:<\|end_of_msg\|>)?/y,
	},
	{
		// MiniCPM 5.
		signs: ['<functionname="NAME">'],
		opening: /\s*<function\s+name="([^"\n]+)"\s*>/y,
		arguments: between(miniCpmMarks),
		closing: /\s*<\/function>/y,
	},
	{
		// Solar Open.
		signs: [
			...["<|end|><|begin|>assistant", "<|begin|>assistant", "<|flush|>", ""].map(
				before => `${before}<|tool_calls|><|tool_call:begin|>`,
			),
			"<|tool_call:begin|>",
		],
		opening:
			/\s*(?:<\|(?:end|flush)\|>\s*)?(?:<\|begin\|>\s*assistant\s*)?(?:<\|tool_calls\|>\s*)?<\|tool_call:begin\|>\s*\w*\s*<\|tool_call:name\|>\s*([\w.:-]+)\s*<\|tool_call:args\|>\s*(?=\{)/y,
		arguments: readJson,
		closing: /\s*(?:\}\s*)?(?:<\|tool_call:end\|>\s*)?(?:<\|calls\|>)?/y,
	},
	{
		// Inkling.
		signs: ['<|message_model|>NAME<|content_invoke_tool_json|>{"'],
		opening: /\s*<\|message_model\|>\s*[\w.-]+\s*<\|content_invoke_tool_json\|>\s*(?=\{)/y,
		arguments: readJsonCalls,
		closing: /\s*(?:\}\s*)?(?:<\|end_message\|>)?/y,
	},
	{
		// Gemma 4 and FunctionGemma.
		signs: ["<|tool_call>call:", "<start_function_call>call:"],
		opening: /\s*<(?:\|tool_call|start_function_call)>\s*call:\s*([\w.:-]+)\s*(?=\{)/y,
		arguments: readBareObject,
		closing: /(?:\s*<(?:tool_call\||end_function_call|\|tool_response|start_function_response)>)*/y,
	},
	{
		// Mistral.
		signs: [
			"[TOOL_CALLS][{",
			"[TOOL_CALLS]{",
			...["[ARGS]{", "[CALL_ID]", "{"].map(next => `[TOOL_CALLS]NAME${next}`),
		],
		opening:
			/\s*\[TOOL_CALLS\]\s*(?:([\w.-]+)\s*(?:\[CALL_ID\]\s*\w+\s*)?(?:\[ARGS\]\s*)?)?(?=[[{])/y,
		arguments: readJson,
		closing: /\s*(?:\}\s*)?(?:\[\/TOOL_CALLS\])?/y,
	},
	{
		// gpt-oss.
		signs: [
			...["commentary", "analysis"].flatMap(channel => [
				`<|channel|>${channel}to=`,
				`<|start|>assistant<|channel|>${channel}to=`,
			]),
			"<|start|>assistantto=",
		],
		opening:
			/\s*(?:<\|start\|>\s*assistant\s*)?(?:<\|channel\|>\s*\w+\s*)?to=([\w.-]+)\s*(?:<\|channel\|>\s*\w+\s*)?(?:(?:<\|constrain\|>\s*)?json\s*)?<\|message\|>\s*(?=\{)/y,
		arguments: readJson,
		closing: /\s*(?:\}\s*)?(?:<\|(?:call|end)\|>)?/y,
	},
	{
		// LFM2, Olmo 3 and Llama 4, where it writes its marks.
		signs: ["<|tool_call_start|>[", "<function_calls>NAME(", "<|python_start|>[NAME("],
		opening: /\s*<(?:\|tool_call_start\||function_calls|\|python_start\|)>\s*/y,
		arguments: readPythonCalls,
		closing: /\s*(?:<(?:\|tool_call_end\||\/function_calls|\|python_end\|)>)?/y,
	},
	{
		signs: jsonMarks.flatMap(([opening]) => [`${opening}{"`, `${opening}[{"`]),
		opening: new RegExp(
			String.raw`\s*(?:${jsonMarks.map(([opening]) => literal(opening)).join("|")})\s*(?=[{[])`,
			"y",
		),
		arguments: readJsonCalls,
		closing: new RegExp(
			String.raw`\s*(?:\}\s*)?(?:${jsonMarks.map(([, closing]) => literal(closing)).join("|")})?`,
			"y",
		),
	},
	{
		// Llama 3 with its mark.
		signs: [`${pythonTag}{"name":"NAME"`, `${pythonTag}{"type":"function","name":"NAME"`],
		opening: /\s*<\|python_tag\|>\s*(?=\{)/y,
		arguments: readJsonCalls,
		closing: /\s*(?:<\|eom_id\|>)?/y,
	},
	{
		// Phi-4-mini.
		signs: [`functools[{"name":"NAME"`],
		isPlain: true,
		isWhole: true,
		opening: /\s*functools\s*(?=\[)/y,
		arguments: readJsonCalls,
		closing: /\s*/y,
	},
	{
		// Llama 4.
		signs: ["[NAME("],
		isPlain: true,
		opening: /\s*(?=\[\s*[A-Za-z_][\w.-]*\()/y,
		arguments: readPythonCalls,
		closing: /\s*/y,
	},
	{
		// Llama 3 and Qwen2.5-Coder, also in a code block.
		signs: ["", "[", "```json", "```json[", "```"].flatMap(before => [
			`${before}{"name":"NAME"`,
			`${before}{"type":"function","name":"NAME"`,
		]),
		isPlain: true,
		isWhole: true,
		opening: /\s*(?:```(?:json)?\s*)?(?=[{[])/y,
		arguments: readJsonCalls,
		closing: /\s*(?:\}\s*)?(?:```)?/y,
	},
];

/** Marks with which a model's template ends a turn, which some servers leave in the text. */
const endsOfTurn: readonly string[] = [
	...[
		"im_end",
		"eot_id",
		"eom_id",
		"end",
		"return",
		"endoftext",
		"end_of_text",
		"END_OF_TURN_TOKEN",
		"END_RESPONSE",
		"END_TEXT",
		"end_of_solution",
		"end_of_msg",
	].map(name => `<|${name}|>`),
	"<|close|>response<|sep|>",
	"<|close|>message<|sep|>",
	"[END FINAL RESPONSE]",
	"<｜end▁of▁sentence｜>",
	"<end_of_turn>",
	"<turn|>",
	"</s>",
];
export const headsOfTurnEnds = new Set(endsOfTurn.map(mark => mark.slice(0, 2)));

/** Removes the marks of a turn's end from the end of a text. */
export function withoutTurnEnds(text: string): string {
	const trimmed = text.trimEnd();
	const mark = endsOfTurn.find(each => trimmed.endsWith(each));
	return mark === undefined ? text : withoutTurnEnds(trimmed.slice(0, -mark.length)).trimEnd();
}

/** Matches such marks and the start of one, or all of it, at the end of a text. */
export const turnEndStart = new RegExp(
	`^(?:(?:${endsOfTurn.map(literal).join("|")})\\s*)*(?:${endsOfTurn.map(startOf).join("|")})$`,
);
