import * as z from "zod/mini";
import { parsed } from "../openai/plainText.ts";
import { type CompletionCall, CompletionCallCollector } from "../openai/toolCalls.ts";
import { callsOf, type WireMessage } from "../openai/wireRequest.ts";

/**
 * Formats tools, calls and results for models on this machine, as Hermes and Qwen models were trained, regardless of a model's own template, so that
 * one grammar works for all.
 */
const callStart = "<tool_call>";
const callEnd = "</tool_call>";

/** Adds the tools to the system message, and formats earlier calls and results as the model would have written and read them. */
export function withTools(
	messages: readonly WireMessage[],
	tools: readonly unknown[],
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
	return [{ role: "system", content: system }, ...others.map(inWords)];
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

/** Returns the names of tools in OpenAI's format. */
export function namesOf(tools: readonly unknown[]): string[] {
	const { data = [] } = z
		.array(z.object({ function: z.object({ name: z.string() }) }))
		.safeParse(tools);
	return data.map(tool => tool.function.name);
}

/**
 * Returns the llama.cpp GBNF grammar for the text after the start of a call: JSON with the name of one of these tools.
 * @see https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md
 */
export function callGrammar(names: readonly string[]): string {
	// Each name is serialized as JSON, and that as a literal of the grammar.
	const literals = names.map(name => JSON.stringify(JSON.stringify(name)));
	return String.raw`root ::= ws "{" ws "\"name\":" ws name ws "," ws "\"arguments\":" ws object ws "}" ws "${callEnd}"
name ::= ${literals.join(" | ")}
object ::= "{" ws (pair ("," ws pair)*)? "}" ws
pair ::= string ws ":" ws value
array ::= "[" ws (value ("," ws value)*)? "]" ws
value ::= object | array | string ws | number ws | ("true" | "false" | "null") ws
string ::= "\"" ([^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4}))* "\""
number ::= "-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,3})?
ws ::= [ \t\n]{0,8}
`;
}

/** Whether an answer so far ends with the start of a call. Calls inside thinking don't count. */
export function beginsCall(answer: string, isInThought: boolean): boolean {
	if (!answer.trimEnd().endsWith(callStart)) {
		return false;
	}
	const [opened, closed] = [answer.lastIndexOf("<think>"), answer.lastIndexOf("</think>")];
	return isInThought ? closed > opened : closed >= opened;
}

const callSchema = z.object({ name: z.string(), arguments: z.looseObject({}) });

/** Separates a call at the end of an answer from the text before it. */
export class CallReader {
	private held = "";
	private hasText = false;

	/** Adds text and returns the part that certainly isn't a call. */
	push(text: string): string {
		this.held += text;
		const start = this.held.indexOf(callStart);
		const certain = start === -1 ? this.held.length - beginningOf(this.held) : start;
		return this.release(certain);
	}

	/** Returns the call, or the text held back. A truncated call has no name. */
	end(isCut: boolean): { readonly text: string; readonly calls: readonly CompletionCall[] } {
		const held = this.held.trim();
		const isCall = held.startsWith(callStart);
		const end = held.endsWith(callEnd) ? -callEnd.length : undefined;
		const json = isCall ? held.slice(callStart.length, end) : "";
		const { data } = callSchema.safeParse(parsed(json));
		const call = data ?? (isCall && isCut ? { name: "", arguments: {} } : undefined);
		if (!call) {
			return { text: this.release(this.held.length), calls: [] };
		}
		const collector = new CompletionCallCollector();
		collector.push([{ function: { name: call.name, arguments: JSON.stringify(call.arguments) } }]);
		return { text: "", calls: collector.calls() };
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

/** Returns how many of the last characters may be the start of a call. */
function beginningOf(text: string): number {
	for (let length = Math.min(callStart.length - 1, text.length); length > 0; length -= 1) {
		if (callStart.startsWith(text.slice(-length))) {
			return length;
		}
	}
	return 0;
}
