import * as z from "zod/mini";
import { parseJson } from "../../common/json.ts";
import { callsOf, type WireMessage } from "../openai/wireRequest.ts";
import {
	callEnd,
	type CallForm,
	callGrammar,
	callStart,
	isTextArgument,
	maxCalls,
	type OfferedTool,
	startOf,
} from "./callGrammar.ts";

/** Starts the name and arguments of a call between tags. */
const functionStart = "<function=";
/** Starts a call of Llama 3. */
const pythonTag = "<|python_tag|>";

/** Tokens that some vocabularies hide as control tokens, though they separate thinking from the answer. */
export const thoughtMarks: readonly string[] = ["<think>", "</think>"];
/** The same of calls. */
export const callMarks: readonly string[] = [
	...[callStart, callEnd, pythonTag, "[TOOL_CALLS]", "[CALL_ID]", "[ARGS]"],
];

/** Returns the form of calls that a template asks for, or undefined for another form or none. */
export function formIn(template: string): CallForm | undefined {
	if ([callStart, functionStart, "<parameter="].every(part => template.includes(part))) {
		return "tags";
	}
	if (/<tool_call>(?:\\n|\s)*\{\\?"name\\?":/.test(template)) {
		return "json";
	}
	if (template.includes(startOf.mistral)) {
		return template.includes("[ARGS]") ? "mistralArgs" : "mistral";
	}
	return /\{\\?"name\\?": function name, \\?"parameters\\?":/.test(template) ? "llama" : undefined;
}

/** Whether a form, which may have no escapes, can express a tool's names. */
export function canName({ function: { name, parameters } }: OfferedTool, form: CallForm): boolean {
	if (form === "tags") {
		const { data } = propertiesSchema.safeParse(parameters);
		return [name, ...Object.keys(data?.properties ?? {})].every(each => /^[^>\n]+$/.test(each));
	}
	return form !== "mistralArgs" || /^[\w.-]+$/.test(name);
}

/** Returns the messages for a template that formats calls itself. Such templates list the arguments of an earlier call, so those can't be text. */
export function withParsedCalls(messages: readonly WireMessage[]): readonly WireMessage[] {
	return messages.map(message => {
		const calls = callsOf(message).map(({ function: { name, arguments: input }, ...call }) => ({
			...call,
			function: { name, arguments: argumentsSchema.safeParse(parseJson(input)).data ?? {} },
		}));
		return calls.length > 0 ? { ...message, tool_calls: calls } : message;
	});
}

/** Adds the tools to the system message, and formats earlier calls and results as text, for a template that doesn't. */
export function withTools(
	messages: readonly WireMessage[],
	tools: readonly OfferedTool[],
): readonly WireMessage[] {
	const described = [
		"# Tools\n\nYou may call one of these functions to help with the user's question:",
		`<tools>\n${tools.map(tool => JSON.stringify(tool)).join("\n")}\n</tools>`,
		"To call one, write its name and arguments as JSON. Only further calls may follow:",
		`${callStart}\n{"name": <name>, "arguments": <object>}\n${callEnd}`,
	].join("\n\n");
	const [first, ...rest] = messages;
	const isSystem = first?.role === "system";
	const system = isSystem ? `${String(first["content"])}\n\n${described}` : described;
	const others = isSystem || !first ? rest : messages;
	const told: WireMessage[] = [{ role: "system", content: system }];
	for (const message of others.map(inWords)) {
		const last = told.at(-1);
		// Templates require alternating roles, but results of several calls follow each other.
		if (last?.role === message.role) {
			const content = `${String(last["content"])}\n${String(message["content"])}`;
			told.splice(-1, 1, { ...last, content });
		} else {
			told.push(message);
		}
	}
	return told;
}

function inWords(message: WireMessage): WireMessage {
	const { role, content } = message;
	if (role === "tool") {
		return { role: "user", content: `<tool_response>\n${String(content)}\n</tool_response>` };
	}
	const calls = role === "assistant" ? callsOf(message) : [];
	if (calls.length === 0) {
		return message;
	}
	const written = calls.map(
		({ function: { name, arguments: input } }) =>
			`${callStart}\n{"name": ${JSON.stringify(name)}, "arguments": ${input}}\n${callEnd}`,
	);
	return { role, content: [content, ...written].filter(Boolean).join("\n") };
}

interface CallStart {
	/** The answer up to and including the start. */
	readonly answer: string;
	/** The length of the answer before the call. */
	readonly from: number;
	/** Whether the model wrote the start in another way. */
	readonly isRewritten: boolean;
}

/** A line that starts or ends a code block, also in a list or quote. A line of code between back quotes does neither. */
const fenceLine = /^[\s>]*(?:(?:[-*+]|\d{1,3}[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

/**
 * Finds the start of a call while an answer is written: at the start of a line outside code, or where a mark of the form's own is one token. Also
 * where a model leaves its tag out at the start of the answer, or writes more in the same token.
 */
export class CallFinder {
	/** Grammars of a call, in order of preference. */
	readonly grammars: readonly string[];
	private readonly names: readonly string[];
	private readonly start: string;
	private readonly lineStarts: readonly string[];
	private readonly isInThought: boolean;
	private readonly isRequired: boolean;
	/** Where the text after the thinking starts. */
	private from = 0;
	/** Start of the first line that isn't complete. */
	private lineAt = 0;
	/** The fence of the code block that this line is in, or empty. */
	private fence = "";

	/** `isRequired` starts a call as soon as the thinking is over. */
	constructor(
		tools: readonly OfferedTool[],
		form: CallForm,
		isInThought: boolean,
		isRequired: boolean,
	) {
		this.names = tools.map(tool => tool.function.name);
		this.grammars = [callGrammar(tools, form), callGrammar([], form)];
		this.start = startOf[form];
		this.lineStarts = [
			this.start.trim() || pythonTag,
			...this.names.map(name => `${functionStart}${name}>`),
		];
		this.isInThought = isInThought;
		this.isRequired = isRequired;
	}

	/** Returns the start of a call in an answer so far, which ends with the text of its last token. */
	startIn(answer: string, token: string): CallStart | undefined {
		const from = this.textStart(answer);
		if (from === undefined) {
			return undefined;
		}
		const at =
			this.lineStart(answer, from) ?? this.markIn(answer, token) ?? this.other(answer, from);
		if (at === undefined) {
			return undefined;
		}
		const isAsItIs = this.start !== "" && answer.slice(at).trim() === this.start.trim();
		return isAsItIs
			? { answer, from: at, isRewritten: false }
			: { answer: answer.slice(0, at) + this.start, from: at, isRewritten: true };
	}

	/** Returns the length of an answer that is certainly not the start of a call. */
	certainIn(answer: string): number {
		const from = this.textStart(answer);
		if (from === undefined) {
			return answer.length;
		}
		if (this.bareJson(answer.slice(from)) === "maybe") {
			return from;
		}
		this.lineStart(answer, from);
		const line = this.fence === "" ? answer.slice(this.lineAt).trimStart() : "";
		const isHeld =
			line !== "" &&
			(this.lineStarts.some(start => start.startsWith(line)) || this.jsonLine(line) === "maybe");
		return answer.length - (isHeld ? line.length : 0);
	}

	/** Returns where the text after the thinking starts, or undefined during thinking. */
	private textStart(answer: string): number | undefined {
		const end = "</think>";
		const [opened, closed] = [answer.lastIndexOf("<think>"), answer.lastIndexOf(end)];
		const isThinking = this.isInThought ? closed <= opened : closed < opened;
		return isThinking ? undefined : closed === -1 ? 0 : closed + end.length;
	}

	/** Returns where a new line outside code starts with a call. */
	private lineStart(answer: string, from: number): number | undefined {
		if (from !== this.from) {
			this.from = from;
			this.lineAt = from;
			this.fence = "";
		}
		for (;;) {
			const end = answer.indexOf("\n", this.lineAt);
			const line = answer.slice(this.lineAt, end === -1 ? undefined : end);
			const text = line.trimStart();
			if (this.fence === "") {
				const at = this.lineAt + line.length - text.length;
				const json = this.jsonLine(answer.slice(at));
				if (json === "yes" || this.lineStarts.some(start => text.startsWith(start))) {
					return at;
				}
				if (json === "maybe") {
					return undefined;
				}
			}
			if (end === -1) {
				return undefined;
			}
			const [, fence = "", info = ""] = fenceLine.exec(line) ?? [];
			if (this.fence === "") {
				this.fence = fence;
			} else if (fence.startsWith(this.fence) && info.trim() === "") {
				this.fence = "";
			}
			this.lineAt = end + 1;
		}
	}

	/** Returns where a mark of the form's own starts. Mistral's models write it in a line as a token that text never has. */
	private markIn(answer: string, token: string): number | undefined {
		const isMark = this.start.startsWith("[") && this.fence === "" && token === this.start;
		return isMark ? answer.length - token.length : undefined;
	}

	private other(answer: string, from: number): number | undefined {
		if (this.isRequired) {
			return answer.length;
		}
		return this.bareJson(answer.slice(from)) === "yes" ? from : undefined;
	}

	/** Whether a text at the start of a line is a call in bare JSON, as Llama's models write it after words. */
	private jsonLine(text: string): "yes" | "maybe" | "no" {
		return this.start === "" && text.startsWith("{") ? this.bareJson(text) : "no";
	}

	/** Whether a text is a call in JSON, bare, in a code block or in another tag. Other JSON, such as a package's, has no name of a tool. */
	private bareJson(text: string): "yes" | "maybe" | "no" {
		const start = text.slice(0, 400);
		const json = start
			.replace(/^\s*(?:```\w*\s*|<\w+>\s*)?\[?/, "")
			.replaceAll(/\s/g, "")
			.replace(/^\{"type":"function",/, "{");
		const starts = this.names.flatMap(name => [
			`{"name":${JSON.stringify(name)}`,
			`{"type":"function","name":`,
		]);
		if (starts.some(each => json.startsWith(each))) {
			return "yes";
		}
		return start.length === text.length &&
			(starts.some(each => each.startsWith(json)) || /^(?:`{1,2}|<\w*)$/.test(json))
			? "maybe"
			: "no";
	}
}

/** A call as a model wrote it. */
export interface WrittenCall {
	/** Empty for a truncated call. */
	readonly name: string;
	/** An object as JSON. */
	readonly arguments: string;
}

/** Reads the calls in the text from the start of the first, in any form. Returns text that is none. A call that a limit truncated has no name. */
export function readCalls(
	written: string,
	tools: readonly OfferedTool[],
	isCut: boolean,
): { readonly text: string; readonly calls: WrittenCall[] } {
	const calls: WrittenCall[] = [];
	let at = 0;
	while (at < written.length && calls.length < maxCalls) {
		const read = callsAt(written, at, tools);
		if (!read) {
			break;
		}
		calls.push(...read.calls);
		at = read.end;
	}
	const rest = written.slice(at);
	if (rest.trim() !== "" && isCut) {
		calls.push({ name: "", arguments: "{}" });
	}
	return { text: isCut || rest.trim() === "" ? "" : rest, calls: calls.slice(0, maxCalls) };
}

const argumentsSchema = z.looseObject({});
const callSchema = z.object({
	name: z.string(),
	arguments: z.optional(argumentsSchema),
	parameters: z.optional(argumentsSchema),
});

interface ReadCalls {
	readonly calls: readonly WrittenCall[];
	readonly end: number;
}

function callsAt(
	written: string,
	from: number,
	tools: readonly OfferedTool[],
): ReadCalls | undefined {
	const opening =
		/\s*(?:<tool_call>|\[TOOL_CALLS\])?\s*(?:([\w.-]+)\s*(?:\[CALL_ID\]\s*\w+\s*)?\[ARGS\]\s*)?/y;
	opening.lastIndex = from;
	const name = opening.exec(written)?.[1];
	const at = opening.lastIndex;
	const read = written.startsWith(functionStart, at)
		? taggedCall(written, at, tools)
		: jsonAt(written, at);
	if (!read) {
		return undefined;
	}
	const calls = [read.value].flat().map(value => {
		const { data } = callSchema.safeParse(name === undefined ? value : { name, arguments: value });
		const input = data?.arguments ?? data?.parameters;
		return data && input ? [{ name: data.name, arguments: JSON.stringify(input) }] : undefined;
	});
	const closing = /\s*(?:<\/tool_call>)?\s*/y;
	closing.lastIndex = read.end;
	closing.test(written);
	return calls.some(call => call === undefined)
		? undefined
		: { calls: calls.flatMap(call => call ?? []), end: closing.lastIndex };
}

interface ReadValue {
	readonly value: unknown;
	readonly end: number;
}

/** Reads an object or array in JSON that other text may follow. */
function jsonAt(written: string, from: number): ReadValue | undefined {
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

/** Reads a call with each argument between tags. */
function taggedCall(
	written: string,
	from: number,
	tools: readonly OfferedTool[],
): ReadValue | undefined {
	const opening = /<function=([^>\n]+)>/y;
	opening.lastIndex = from;
	const name = opening.exec(written)?.[1];
	const tool = tools.find(each => each.function.name === name);
	const { data: schema } = propertiesSchema.safeParse(tool?.function.parameters);
	const values = new Map<string, unknown>();
	const start = /\s*<parameter=([^>\n]+)>\n/y;
	let at = opening.lastIndex;
	start.lastIndex = at;
	for (let found = start.exec(written); found; found = start.exec(written)) {
		const [, key = ""] = found;
		const isText = isTextArgument(schema?.properties[key]);
		const { value, end } = taggedValue(written, start.lastIndex, isText);
		// The first of a name counts, so that later text can't set it.
		if (!values.has(key)) {
			values.set(key, value);
		}
		at = end;
		start.lastIndex = at;
	}
	const closing = /\s*<\/function>/y;
	closing.lastIndex = at;
	return closing.test(written)
		? { value: { name, arguments: Object.fromEntries(values) }, end: closing.lastIndex }
		: undefined;
}

/** Reads an argument between tags. Text ends with the first closing tag on a line of its own, JSON with the first after which it is whole. */
function taggedValue(written: string, from: number, isText: boolean): ReadValue {
	const closing = "</parameter>";
	for (
		let at = isText ? -1 : written.indexOf(closing, from);
		at !== -1;
		at = written.indexOf(closing, at + 1)
	) {
		const value = parseJson(written.slice(from, at));
		if (value !== undefined) {
			return { value, end: at + closing.length };
		}
	}
	const last = written.indexOf(`\n${closing}`, from);
	const end = last === -1 ? written.length : last;
	return { value: written.slice(from, end), end: end + closing.length + 1 };
}

const propertiesSchema = z.object({ properties: z.record(z.string(), z.unknown()) });
