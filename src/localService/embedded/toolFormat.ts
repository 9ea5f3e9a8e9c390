import { parseJson } from "../../common/json.ts";
import { callsOf, type WireMessage } from "../openai/wireRequest.ts";
import { callEnd, callStart, functionStart, pythonTag } from "../openai/callForms.ts";
import {
	argumentsSchema,
	fenceAfter,
	type OfferedTool,
	propertiesSchema,
} from "../openai/writtenCalls.ts";
import { type CallForm, callGrammar, startOf } from "./callGrammar.ts";

/** Tokens that some vocabularies hide as control tokens, though they separate thinking from the answer. */
export const thoughtMarks: readonly string[] = ["<think>", "</think>"];
/** The same of calls. */
export const callMarks: readonly string[] = [
	callStart,
	callEnd,
	pythonTag,
	"[TOOL_CALLS]",
	"[CALL_ID]",
	"[ARGS]",
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
			this.fence = fenceAfter(this.fence, line);
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
