import * as z from "zod/mini";
import { parsed } from "../openai/plainText.ts";
import { type CompletionCall, CompletionCallCollector } from "../openai/toolCalls.ts";
import { callsOf, type WireMessage } from "../openai/wireRequest.ts";
import {
	callEnd,
	type CallForm,
	callGrammar,
	isTextArgument,
	type OfferedTool,
} from "./callGrammar.ts";

/** Formats tools, calls and results for models on this machine, as their templates do, or as Hermes and Qwen models were trained. */
const callStart = "<tool_call>";
const functionStart = "<function=";

/** Tokens that some vocabularies hide as control tokens, though they separate parts of an answer. */
export const visibleMarks: readonly string[] = ["<think>", "</think>", callStart, callEnd];

/** Returns the form of calls that a template asks for, or undefined for another form or none. */
export function formIn(template: string): CallForm | undefined {
	if ([callStart, functionStart, "<parameter="].every(part => template.includes(part))) {
		return "tags";
	}
	return /<tool_call>(?:\\n|\s)*\{\\?"name\\?":/.test(template) ? "json" : undefined;
}

/** Returns the messages for a template that formats calls itself. Such templates list the arguments of an earlier call, so those can't be text. */
export function withParsedCalls(messages: readonly WireMessage[]): readonly WireMessage[] {
	return messages.map(message => {
		const calls = callsOf(message).map(({ function: { name, arguments: input }, ...call }) => ({
			...call,
			function: { name, arguments: argumentsSchema.safeParse(parsed(input)).data ?? {} },
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
		"To call one, write its name and arguments as JSON, and nothing after it:",
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

/** What a call in an answer is to begin with, so that its grammar applies to all after it. */
const wholeStart = `${callStart}\n`;

/** The start of a call in an answer. */
interface CallStart {
	/** The answer up to and including the start. */
	readonly answer: string;
	/** The length of the answer before the call, or undefined if the model wrote the start as it is. */
	readonly rewrittenFrom: number | undefined;
}

/** Finds the start of a call while an answer is written, also where a model leaves its tag out or writes more in the same token. */
export class CallFinder {
	/** Grammars of a call, in order of preference. */
	readonly grammars: readonly string[];
	private readonly names: readonly string[];
	private readonly isInThought: boolean;
	private readonly isRequired: boolean;

	/** `isRequired` starts a call as soon as the thinking is over. */
	constructor(
		tools: readonly OfferedTool[],
		form: CallForm,
		isInThought: boolean,
		isRequired: boolean,
	) {
		this.names = tools.map(tool => tool.function.name);
		this.grammars = [callGrammar(tools, form), callGrammar([], form)];
		this.isInThought = isInThought;
		this.isRequired = isRequired;
	}

	startIn(answer: string): CallStart | undefined {
		const from = this.textStart(answer);
		if (from === undefined) {
			return undefined;
		}
		const text = answer.slice(from);
		const tag = text.indexOf(callStart);
		if (tag !== -1 && text.slice(tag + callStart.length).trim() === "") {
			return { answer, rewrittenFrom: undefined };
		}
		const at =
			tag !== -1
				? tag
				: this.isRequired
					? text.length
					: this.bareJson(text) === "yes"
						? 0
						: this.bareTag(text);
		return at === undefined
			? undefined
			: { answer: answer.slice(0, from + at) + wholeStart, rewrittenFrom: from + at };
	}

	/** Returns the length of an answer that is certainly not the start of a call without its tag. */
	certainIn(answer: string): number {
		const from = this.textStart(answer);
		if (from === undefined) {
			return answer.length;
		}
		const text = answer.slice(from);
		const line = answer.lastIndexOf("\n") + 1;
		const last = answer.slice(Math.max(line, from));
		const isTag =
			last !== "" &&
			(functionStart.startsWith(last) ||
				this.names.some(name => `${functionStart}${name}>`.startsWith(last)));
		return this.bareJson(text) === "maybe" ? from : isTag ? Math.max(line, from) : answer.length;
	}

	/** Returns where the text after the thinking starts, or undefined during thinking. */
	private textStart(answer: string): number | undefined {
		const end = "</think>";
		const [opened, closed] = [answer.lastIndexOf("<think>"), answer.lastIndexOf(end)];
		const isThinking = this.isInThought ? closed <= opened : closed < opened;
		return isThinking ? undefined : closed === -1 ? 0 : closed + end.length;
	}

	/** Whether a text is a call in JSON, bare, in a code block or in another tag. Other JSON, such as a package's, has no name of a tool. */
	private bareJson(text: string): "yes" | "maybe" | "no" {
		const start = text.slice(0, 400);
		const json = start.replace(/^\s*(?:```\w*\s*)?(?:<\w+>\s*)?/, "").replaceAll(/\s/g, "");
		const starts = this.names.map(name => `{"name":${JSON.stringify(name)}`);
		if (starts.some(each => json.startsWith(each))) {
			return "yes";
		}
		return start.length === text.length &&
			(starts.some(each => each.startsWith(json)) || /^(?:`{1,2}|<\w*)$/.test(json))
			? "maybe"
			: "no";
	}

	private bareTag(text: string): number | undefined {
		const tags = this.names.map(name => `${functionStart}${name}>`);
		const found = tags.map(tag => `\n${text}`.indexOf(`\n${tag}`)).filter(at => at !== -1);
		return found.length > 0 ? Math.min(...found) : undefined;
	}
}

const argumentsSchema = z.looseObject({});
const callSchema = z.object({ name: z.string(), arguments: argumentsSchema });

/** Separates a call at the end of an answer from the text before it. */
export class CallReader {
	private readonly tools: readonly OfferedTool[];
	private held = "";
	private hasText = false;

	constructor(tools: readonly OfferedTool[]) {
		this.tools = tools;
	}

	/** Adds text and returns the part that certainly isn't a call. */
	push(text: string): string {
		this.held += text;
		const start = this.held.indexOf(callStart);
		const certain = start === -1 ? this.held.length - beginningOf(this.held) : start;
		return this.release(certain);
	}

	/** Whether the rest of the answer is a call. */
	get isInCall(): boolean {
		return this.held.includes(callStart);
	}

	/** Returns the call, or the text held back. A truncated call has no name. */
	end(isCut: boolean): { readonly text: string; readonly calls: readonly CompletionCall[] } {
		const held = this.held.trim();
		const isCall = held.startsWith(callStart);
		const end = held.endsWith(callEnd) ? -callEnd.length : undefined;
		const written = isCall ? held.slice(callStart.length, end).trim() : "";
		const read = written.startsWith(functionStart)
			? this.taggedCall(written, end !== undefined)
			: parsed(written);
		const { data } = callSchema.safeParse(read);
		const call = data ?? (isCall && isCut ? { name: "", arguments: {} } : undefined);
		if (!call) {
			return { text: this.release(this.held.length), calls: [] };
		}
		const collector = new CompletionCallCollector();
		collector.push([{ function: { name: call.name, arguments: JSON.stringify(call.arguments) } }]);
		return { text: "", calls: collector.calls() };
	}

	/** Reads a call with each argument between tags. */
	private taggedCall(written: string, isWhole: boolean): unknown {
		const name = /^<function=([^>\n]+)>/.exec(written)?.[1];
		const tool = this.tools.find(each => each.function.name === name);
		const { data: schema } = propertiesSchema.safeParse(tool?.function.parameters);
		const values = new Map<string, unknown>();
		const start = /\s*<parameter=([^>\n]+)>\n/y;
		start.lastIndex = written.indexOf(">") + 1;
		for (let found = start.exec(written); found; found = start.exec(written)) {
			const [, key = ""] = found;
			const isText = isTextArgument(schema?.properties[key]);
			const { value, end } = taggedValue(written, start.lastIndex, isText);
			// The first of a name counts, so that later text can't set it.
			if (!values.has(key)) {
				values.set(key, value);
			}
			start.lastIndex = end;
		}
		return isWhole ? { name, arguments: Object.fromEntries(values) } : undefined;
	}

	/** Omits white space before a call. */
	private release(length: number): string {
		const text = this.held.slice(0, length);
		if (!this.hasText && text.trim() === "") {
			return "";
		}
		this.hasText ||= true;
		this.held = this.held.slice(length);
		return text;
	}
}

/** Reads an argument between tags. Text ends with the first closing tag on a line of its own, JSON with the first after which it is whole. */
function taggedValue(
	written: string,
	from: number,
	isText: boolean,
): { readonly value: unknown; readonly end: number } {
	const closing = "</parameter>";
	for (
		let at = isText ? -1 : written.indexOf(closing, from);
		at !== -1;
		at = written.indexOf(closing, at + 1)
	) {
		const value = parsed(written.slice(from, at));
		if (value !== undefined) {
			return { value, end: at + closing.length };
		}
	}
	const last = written.indexOf(`\n${closing}`, from);
	const end = last === -1 ? written.length : last;
	return { value: written.slice(from, end), end: end + closing.length + 1 };
}

const propertiesSchema = z.object({ properties: z.record(z.string(), z.unknown()) });

/** Returns how many of the last characters may be the start of a call. */
function beginningOf(text: string): number {
	for (let length = Math.min(callStart.length - 1, text.length); length > 0; length -= 1) {
		if (callStart.startsWith(text.slice(-length))) {
			return length;
		}
	}
	return 0;
}
