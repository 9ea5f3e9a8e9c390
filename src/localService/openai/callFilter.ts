import * as z from "zod/mini";
import type { CompletionPart } from "./completionReader.ts";
import { type CompletionCall, synthesizeId } from "./toolCalls.ts";
import {
	callEnd,
	callStart,
	fenceAfter,
	functionStart,
	type OfferedTool,
	pythonTag,
	readCalls,
	toolSchema,
} from "./writtenCalls.ts";

/** The most characters after which a text must be recognizable as a call. */
const maxStart = 400;

/**
 * Reads calls that a model wrote as text, as a server passes them on that doesn't know the form of the model's calls: the tags of Hermes, Qwen and
 * GLM, Mistral's mark and Llama's JSON. Only offered tools are called. A text that turns out to be no call is passed on as it was written.
 */
export async function* withWrittenCalls(
	parts: AsyncIterable<CompletionPart>,
	tools: unknown,
): AsyncGenerator<CompletionPart, void, undefined> {
	const filter = new CallFilter(toolsIn(tools));
	try {
		for await (const part of parts) {
			if (part.type === "text") {
				yield* textParts(filter.push(part.text));
			} else if (part.type === "end") {
				const written = part.calls.length === 0 ? filter.end(part.isCut) : undefined;
				yield* textParts(written?.text ?? filter.release());
				const calls = written?.calls ?? part.calls;
				yield { ...part, calls: calls.map(call => ({ ...call, name: filter.nameOf(call) })) };
			} else {
				yield part;
			}
		}
	} catch (error) {
		yield* textParts(filter.release());
		throw error;
	}
}

/** Returns the calls of offered tools that a thought ends with, because some models forget to end the thought before. */
export function callsAfter(thought: string, tools: unknown): readonly CompletionCall[] {
	const filter = new CallFilter(toolsIn(tools));
	filter.push(thought);
	const { text, calls } = filter.end(false);
	return text.trim() === "" ? calls : [];
}

function toolsIn(tools: unknown): readonly OfferedTool[] {
	return z.array(toolSchema).safeParse(tools).data ?? [];
}

function textParts(text: string): CompletionPart[] {
	return text === "" ? [] : [{ type: "text", text }];
}

/** Returns the JSON of a call in a code block. Other text is unchanged. */
function withoutFence(text: string): string {
	const block = text.trim();
	return block.startsWith("```")
		? block.slice(block.search(/[[{]/), block.endsWith("```") ? -3 : undefined)
		: text;
}

/** Holds back the text of a call: from the start of a line outside code, or in JSON alone as the whole answer. */
class CallFilter {
	private readonly tools: readonly OfferedTool[];
	private readonly names: ReadonlySet<string>;
	/** Starts of calls without white space: of those on any line, and of those that are the whole answer. */
	private readonly lineStarts: readonly string[];
	private readonly wholeStarts: readonly string[];
	/** Text from the start of a line that is a call, or may become one. */
	private held: string[] = [];
	private isCall = false;
	private hasText = false;
	/** The current line up to the end of the text passed on. */
	private line = "";
	/** The fence of the open code block, or empty. */
	private fence = "";

	constructor(tools: readonly OfferedTool[]) {
		this.tools = tools;
		this.names = new Set(tools.map(({ function: { name } }) => name));
		const names = [...this.names];
		const mark = "[TOOL_CALLS]";
		this.lineStarts = [
			...[`${callStart}{`, `${callStart}[{`, `${mark}[{`, `${mark}{`],
			...names.flatMap(name => [
				...[`${callStart}${functionStart}${name}>`, `${functionStart}${name}>`],
				...["<arg_key>", callEnd].map(next => `${callStart}${name}${next}`),
				...["[ARGS]{", "[CALL_ID]", "{"].map(next => `${mark}${name}${next}`),
				`${pythonTag}{"name":${JSON.stringify(name)}`,
			]),
		];
		this.wholeStarts = names.flatMap(name =>
			["", "[", "```json", "```json[", "```"].flatMap(before => [
				`${before}{"name":${JSON.stringify(name)}`,
				`${before}{"type":"function","name":${JSON.stringify(name)}`,
			]),
		);
	}

	/** Returns the text that certainly belongs to no call. */
	push(piece: string): string {
		if (this.isCall || this.tools.length === 0) {
			this.held.push(...(this.isCall ? [piece] : []));
			return this.isCall ? "" : piece;
		}
		let rest = this.release() + piece;
		let text = "";
		while (rest !== "") {
			const kind = this.line === "" && this.fence === "" ? this.kindOf(rest) : "text";
			if (kind !== "text") {
				this.isCall = kind === "call";
				this.held = [rest];
				break;
			}
			const part = rest.slice(0, rest.indexOf("\n") + 1 || undefined);
			text += part;
			rest = rest.slice(part.length);
			this.pass(part);
		}
		return text;
	}

	/** Returns the text held back. */
	release(): string {
		return this.held.splice(0).join("");
	}

	/** Returns the calls, and the text held back that belongs to none. A call that a limit cut has no name. */
	end(isCut: boolean): { readonly text: string; readonly calls: readonly CompletionCall[] } {
		const written = this.release();
		if (!this.isCall) {
			return { text: written, calls: [] };
		}
		const { text, calls } = readCalls(withoutFence(written), this.tools, false);
		if (isCut && text !== "" && this.kindOf(text) !== "text") {
			return { text: "", calls: [{ id: "", name: "", arguments: "{}", extra: {} }] };
		}
		const mustBeWhole = /^\s*(?:`|\{|\[\s*\{)/.test(written);
		return (mustBeWhole && text !== "") || calls.some(({ name }) => !this.names.has(name))
			? { text: written, calls: [] }
			: { text, calls: calls.map(call => ({ ...call, id: synthesizeId(), extra: {} })) };
	}

	/** Returns the offered name in a name with a namespace, or with marks of gpt-oss behind it, which some servers leave in it. */
	nameOf({ name }: CompletionCall): string {
		const plain = name.replace(/^(?:functions|default_api)[.:]/, "").replace(/<\|[^]*$/, "");
		return this.names.has(name) || !this.names.has(plain) ? name : plain;
	}

	private kindOf(text: string): "call" | "maybe" | "text" {
		const start = text.slice(0, maxStart).replaceAll(/\s/g, "");
		const starts = this.hasText ? this.lineStarts : [...this.lineStarts, ...this.wholeStarts];
		if (starts.some(each => start.startsWith(each))) {
			return "call";
		}
		return text.length < maxStart && starts.some(each => each.startsWith(start)) ? "maybe" : "text";
	}

	private pass(part: string): void {
		this.hasText ||= part.trim() !== "";
		this.line += part;
		if (part.endsWith("\n")) {
			this.fence = fenceAfter(this.fence, this.line.trimEnd());
			this.line = "";
		}
	}
}
