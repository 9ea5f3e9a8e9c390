import * as z from "zod/mini";
import { parseJson } from "../../common/json.ts";
import { type ElementMarks, readElements, type ReadValue } from "./writtenElements.ts";

/** The tags around a call, as Hermes and Qwen models were trained. */
export const callStart = "<tool_call>";
export const callEnd = "</tool_call>";
/** Starts the name and arguments of a call between tags. */
export const functionStart = "<function=";
/** Starts a call of Llama 3. */
export const pythonTag = "<|python_tag|>";
/** The most calls in one answer. */
export const maxCalls = 8;

export const toolSchema = z.looseObject({
	function: z.looseObject({ name: z.string(), parameters: z.optional(z.unknown()) }),
});
export type OfferedTool = z.infer<typeof toolSchema>;
export const propertiesSchema = z.object({ properties: z.record(z.string(), z.unknown()) });

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

/**
 * Reads the calls in the text from the start of the first, in any form. Returns text that is none. A call that a limit truncated has no name. `isExact`
 * if a grammar kept the model to the form.
 */
export function readCalls(
	written: string,
	tools: readonly OfferedTool[],
	isCut: boolean,
	isExact = false,
): { readonly text: string; readonly calls: WrittenCall[] } {
	const calls: WrittenCall[] = [];
	let at = 0;
	while (at < written.length && calls.length < maxCalls) {
		const read = callsAt(written, at, tools, isExact);
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
	isExact: boolean,
): ReadCalls | undefined {
	const opening =
		/\s*(?:<tool_call>|\[TOOL_CALLS\]|<\|python_tag\|>)?\s*(?:([\w.-]+)\s*(?:\[CALL_ID\]\s*\w+\s*)?(?:\[ARGS\]\s*|(?=\{)))?/y;
	opening.lastIndex = from;
	const name = opening.exec(written)?.[1];
	const at = opening.lastIndex;
	const read = written.startsWith(functionStart, at)
		? taggedCall(written, at, tools, isExact)
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
	const read = readElements(written, opening.lastIndex, propertiesOf(name, tools), glmMarks);
	return name === undefined ||
		!read ||
		!/^\s*<\/tool_call>/.test(written.slice(read.end, read.end + 100))
		? undefined
		: { value: { name, arguments: read.value }, end: read.end };
}

const glmMarks: ElementMarks = {
	opening: /\s*<arg_key>([^<\n]+)<\/arg_key>\s*<arg_value>/,
	closing: "</arg_value>",
	any: /<\/?(?:arg_key|arg_value|tool_call)>/,
	rest: /^<\/tool_call>\s*(?:$|<tool_call>)/,
	isVerbatim: true,
};

const qwenMarks: ElementMarks = {
	opening: /\s*<parameter=([^>\n]+)>(?:\r?\n)?/,
	closing: "</parameter>",
	any: /<(?:parameter|function)=[^>\n]*>|<\/(?:parameter|function)>|<\/?tool_call>/,
	rest: /^<\/(?:function>(?:\s*<\/tool_call>)?|tool_call>)\s*(?:$|<tool_call>|<function=)/,
};

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
	isExact: boolean,
): ReadValue | undefined {
	const opening = /<function=([^>\n]+)>/y;
	opening.lastIndex = from;
	const name = opening.exec(written)?.[1];
	const read = readElements(written, opening.lastIndex, propertiesOf(name, tools), {
		...qwenMarks,
		isExact,
	});
	const closing = /\s*(?:<\/function>|(?=<\/tool_call>))/y;
	closing.lastIndex = read?.end ?? 0;
	return read && closing.test(written)
		? { value: { name, arguments: read.value }, end: closing.lastIndex }
		: undefined;
}
