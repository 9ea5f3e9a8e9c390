import * as z from "zod/mini";
import { isRecord, parseJson } from "../../common/json.ts";

/** The tags around a call, as Hermes and Qwen models were trained. */
export const callStart = "<tool_call>";
export const callEnd = "</tool_call>";
/** Starts the name and arguments of a call between tags. */
export const functionStart = "<function=";
/** Starts a call of Llama 3. */
export const pythonTag = "<|python_tag|>";
/** The most closing tags within a JSON argument. */
const maxClosings = 100;
/** The most calls in one answer. */
export const maxCalls = 8;

export const toolSchema = z.looseObject({
	function: z.looseObject({ name: z.string(), parameters: z.optional(z.unknown()) }),
});
export type OfferedTool = z.infer<typeof toolSchema>;
export const propertiesSchema = z.object({ properties: z.record(z.string(), z.unknown()) });

/** Whether an argument between tags is plain text, not JSON. */
export function isTextArgument(schema: unknown): boolean {
	const { type, enum: options } = isRecord(schema) ? schema : {};
	return Array.isArray(options)
		? options.every(option => typeof option === "string")
		: type === "string";
}

/** A line that starts or ends a code block, also in a list or quote. A line of code between back quotes does neither. */
const fenceLine = /^[\s>]*(?:(?:[-*+]|\d{1,3}[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

/** Returns the fence of the code block that is open after a line, or "". `fence` is the one open before it. */
export function fenceAfter(fence: string, line: string): string {
	const [, found = "", info = ""] = fenceLine.exec(line) ?? [];
	if (fence === "") {
		return found;
	}
	return found.startsWith(fence) && info.trim() === "" ? "" : fence;
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

export const argumentsSchema = z.looseObject({});
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
		/\s*(?:<tool_call>|\[TOOL_CALLS\]|<\|python_tag\|>)?\s*(?:([\w.-]+)\s*(?:\[CALL_ID\]\s*\w+\s*)?(?:\[ARGS\]\s*|(?=\{)))?/y;
	opening.lastIndex = from;
	const name = opening.exec(written)?.[1];
	const at = opening.lastIndex;
	const read = written.startsWith(functionStart, at)
		? taggedCall(written, at, tools)
		: (listedCall(written, at, tools) ?? jsonAt(written, at));
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

/** Reads a call of GLM: its name, then pairs of tags with the name and the value of each argument. */
function listedCall(
	written: string,
	from: number,
	tools: readonly OfferedTool[],
): ReadValue | undefined {
	const opening = /([\w.-]+)\s*(?=<arg_key>|<\/tool_call>)/y;
	opening.lastIndex = from;
	const name = opening.exec(written)?.[1];
	const properties = propertiesOf(name, tools);
	const pair =
		/\s*<arg_key>([^<\n]+)<\/arg_key>\s*<arg_value>([^]*?)<\/arg_value>(?=\s*<(?:arg_key|\/tool_call)>)/y;
	pair.lastIndex = opening.lastIndex;
	let end = opening.lastIndex;
	const values = new Map<string, unknown>();
	for (let found = pair.exec(written); found; found = pair.exec(written)) {
		const [, key = "", text = ""] = found;
		const value = isTextArgument(properties[key]) ? undefined : parseJson(text);
		if (!values.has(key)) {
			values.set(key, value === undefined ? text : value);
		}
		end = pair.lastIndex;
	}
	return name === undefined || !/^\s*<\/tool_call>/.test(written.slice(end))
		? undefined
		: { value: { name, arguments: Object.fromEntries(values) }, end };
}

function propertiesOf(
	name: string | undefined,
	tools: readonly OfferedTool[],
): Readonly<Record<string, unknown>> {
	const tool = tools.find(each => each.function.name === name);
	return propertiesSchema.safeParse(tool?.function.parameters).data?.properties ?? {};
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
	const properties = propertiesOf(name, tools);
	const values = new Map<string, unknown>();
	const start = /\s*<parameter=([^>\n]+)>\n?/y;
	let at = opening.lastIndex;
	start.lastIndex = at;
	for (let found = start.exec(written); found; found = start.exec(written)) {
		const [, key = ""] = found;
		const isText = isTextArgument(properties[key]);
		const { value, end } = taggedValue(written, start.lastIndex, isText);
		// The first of a name counts, so that later text can't set it.
		if (!values.has(key)) {
			values.set(key, value);
		}
		at = end;
		start.lastIndex = at;
	}
	const closing = /\s*(?:<\/function>|(?=<\/tool_call>))/y;
	closing.lastIndex = at;
	return closing.test(written)
		? { value: { name, arguments: Object.fromEntries(values) }, end: closing.lastIndex }
		: undefined;
}

/**
 * Reads an argument between tags. Text ends with the first closing tag on a line of its own, or with the first if it begins beside the opening one.
 * JSON ends with the first after which it is whole.
 */
function taggedValue(written: string, from: number, isText: boolean): ReadValue {
	const closing = "</parameter>";
	let at = isText ? -1 : written.indexOf(closing, from);
	for (let count = 0; at !== -1 && count < maxClosings; count += 1) {
		const value = parseJson(written.slice(from, at));
		if (value !== undefined) {
			return { value, end: at + closing.length };
		}
		at = written.indexOf(closing, at + 1);
	}
	const mark = written[from - 1] === "\n" ? `\n${closing}` : closing;
	const last = written.indexOf(mark, from);
	const end = last === -1 ? written.length : last;
	return { value: written.slice(from, end), end: end + mark.length };
}
