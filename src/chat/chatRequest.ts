import { charactersPerToken } from "../common/modelSetup.ts";
import type { ChatMessage, ChatRequest, FileReference } from "../client/contract/schemas.ts";
import {
	questionContent,
	currentFiles,
	type TurnAttachment,
} from "../attachments/contract/turnAttachment.ts";
import { hasContent, type Turn, type TurnOptions, startTurn } from "./contract/turn.ts";
import { ownFields } from "./extraParameters.ts";
import type { Tool } from "../tools/contract/tool.ts";
import { serverToolsOf, missingAnswers } from "./toolLoop/toolMessages.ts";

interface RequestExtras {
	/** Cutaway's tools for the model. docs/interface.md §2.4. */
	readonly tools?: readonly Pick<Tool, "name" | "description" | "parameters">[];
	readonly isFollowUp?: boolean;
}

/**
 * Builds the request for the last of `turns`, after its system prompt and the project's instructions, with earlier turns as context: questions with
 * at least a partial answer, their properly closed messages unchanged, and the text of a stopped or truncated one. Omits questions without an answer,
 * because what the service rejected once, for example as too long, would make every later request fail. Files stay available for the whole
 * conversation, but only to `code_interpreter`, which the question's own files enable. A follow-up includes the last turn's answer so far: tool calls
 * with results, or text to continue; it is always streamed. docs/interface.md §4.4.
 */
export function buildChatRequest(
	turns: readonly Turn[],
	{ tools = [], isFollowUp = false }: RequestExtras = {},
): ChatRequest {
	const asked = turns.at(-1);
	if (!asked) {
		throw new RangeError("A request needs a turn");
	}
	const { model, parameters } = asked.options;
	const instructions = instructionsOf(asked.options);
	const earlier = turns.slice(0, -1).filter(hasContent);
	const serverTools = serverToolsOf(asked);
	const files = serverTools.includes("code_interpreter")
		? requestFiles([...earlier, asked].flatMap(({ attachments }) => attachments))
		: [];
	return {
		...Object.fromEntries(Object.entries(parameters).filter(([name]) => !ownFields.has(name))),
		messages: [
			...(instructions === "" ? [] : [{ role: "system", content: instructions }]),
			...earlier.flatMap(turn => exchangeOf(turn)),
			...(isFollowUp ? exchangeOf(asked, true) : [questionOf(asked)]),
		],
		model,
		stream: isFollowUp || asked.isStreamed,
		...(serverTools.length > 0 ? { tools: serverTools } : {}),
		...(files.length > 0 ? { files: [...files] } : {}),
		...(tools.length > 0 ? { custom_tools: tools.map(customTool) } : {}),
	};
}

function instructionsOf({ systemPrompt, instructions = [] }: TurnOptions): string {
	return [
		...(systemPrompt === undefined ? [] : [systemPrompt]),
		...instructions.map(({ name, text }) => `Instructions of this project (${name}):\n\n${text}`),
	].join("\n\n");
}

/** Asks a model to continue a truncated answer. The only prompt text that Cutaway adds itself. */
const continueRequest: ChatMessage = {
	role: "user",
	content:
		"Your last message was cut off. Continue it exactly where it ends: repeat nothing of it, and add no introduction.",
};

/**
 * Converts a question and its answer for a request. Text of an answer that was continued precedes the continue request. If nothing followed, both are
 * omitted, unless the continuation `isAsked` now.
 */
function exchangeOf(turn: Turn, isAsked = false): ChatMessage[] {
	const { messages, continuedAt = [] } = turn;
	const isWanted = (count: number): boolean =>
		isAsked || messages.slice(count).some(({ raw }) => raw !== undefined);
	const ends = continuedAt.filter(isWanted);
	const parts = [...ends, messages.length].map((end, index) =>
		messages.slice(ends[index - 1] ?? 0, end),
	);
	return [
		questionOf(turn),
		...parts.flatMap((part, index) => {
			const isLast = index === ends.length;
			const answers = part.flatMap(({ raw }) => (raw ? [raw] : []));
			const cutOff =
				isLast && isAsked
					? []
					: part.filter(({ role, raw, text }) => role === "assistant" && !raw && text !== "");
			return [
				...answers,
				...missingAnswers({ ...turn, messages: part }),
				...cutOff.map(({ role, text }) => ({ role, content: text })),
				...(isLast ? [] : [continueRequest]),
			];
		}),
	];
}

function questionOf(turn: Turn): ChatMessage {
	return { role: "user", content: questionContent(turn.prompt, turn.attachments) };
}

function customTool({
	name,
	description,
	parameters,
}: Pick<Tool, "name" | "description" | "parameters">): NonNullable<
	ChatRequest["custom_tools"]
>[number] {
	return { type: "function", function: { name, description, parameters } };
}

/** Converts the turns' files, oldest first, with unique names, which `code_interpreter` needs. docs/interface.md §2.3. */
function requestFiles(attachments: readonly TurnAttachment[]): readonly FileReference[] {
	const taken = new Set<string>();
	return currentFiles(attachments).map(({ fileId, name, mimeType }) => {
		const free = freeName(name, taken);
		taken.add(free.toLowerCase());
		return { file_id: fileId, name: free, type: mimeType };
	});
}

/** Returns the first unused of `data.csv`, `data (2).csv`, `data (3).csv` and so on. */
function freeName(name: string, taken: ReadonlySet<string>): string {
	const dot = name.lastIndexOf(".");
	const stem = dot > 0 ? name.slice(0, dot) : name;
	const ending = name.slice(stem.length);
	let free = name;
	for (let number = 2; taken.has(free.toLowerCase()); number += 1) {
		free = `${stem} (${number})${ending}`;
	}
	return free;
}

/** The parts of a model's context: text of the chat, tool results, the offered tools, the system prompt. */
export const contextParts = ["messages", "results", "tools", "instructions"] as const;
export type ContextPart = (typeof contextParts)[number];

/** Share of a model's context that the next question uses before its own text, in tokens. */
export interface ContextUse {
	readonly taken: number;
	readonly contextLength: number;
	/** Whether the model's server reported it. Otherwise it is estimated from the length of the text. */
	readonly isReported: boolean;
	/** Tokens by part, always estimated. */
	readonly parts: Readonly<Record<ContextPart, number>>;
}

/** Returns the context used by a question with `options` after `turns`, or undefined if the model's context length is unknown. Costs O(turns). */
export function contextUse(
	turns: readonly Turn[],
	options: TurnOptions,
	tools: RequestExtras["tools"] = [],
): ContextUse | undefined {
	const answered = turns.filter(hasContent);
	const ofModel = answered.filter(turn => turn.options.model === options.model);
	const contextLength = contextLengthOf(turns, options.model);
	if (contextLength === undefined) {
		return undefined;
	}
	const measured = measure(answered, options, tools);
	const characters = sum(measured);
	const reported = ofModel.findLast(({ usage }) => usage?.taken !== undefined);
	const isReported = reported !== undefined && reported === answered.at(-1);
	const known = reported?.usage?.taken;
	const taken =
		isReported || reported === undefined || known === undefined
			? (known ?? characters / charactersPerToken)
			: (known * characters) /
				sum(measure(answered.slice(0, answered.indexOf(reported) + 1), options, tools));
	const share = (part: ContextPart): number =>
		characters === 0 ? 0 : Math.round((taken * measured[part]) / characters);
	return {
		taken: Math.round(taken),
		contextLength,
		isReported,
		parts: {
			messages: share("messages"),
			results: share("results"),
			tools: share("tools"),
			instructions: share("instructions"),
		},
	};
}

/** Returns the context length in tokens that a model's latest answer reported, or undefined. */
export function contextLengthOf(turns: readonly Turn[], model: string): number | undefined {
	const ofModel = turns.filter(turn => hasContent(turn) && turn.options.model === model);
	return ofModel.findLast(({ usage }) => usage?.contextLength)?.usage?.contextLength;
}

type Characters = Readonly<Record<ContextPart, number>>;

/** Returns the number of characters by part in a request with an empty question. */
function measure(
	turns: readonly Turn[],
	options: TurnOptions,
	tools: RequestExtras["tools"] = [],
): Characters {
	const asked = startTurn({ id: "", prompt: "", createdAt: 0, options });
	const { messages, custom_tools: offered } = buildChatRequest([...turns, asked], { tools });
	const lengthOf = (roles: (role: string) => boolean): number =>
		messages
			.filter(({ role }) => roles(role))
			.reduce((total, message) => total + charactersOf(message), 0);
	const isResult = (role: string): boolean => role === "tool" || role === "function";
	return {
		messages: lengthOf(role => role !== "system" && !isResult(role)),
		results: lengthOf(isResult),
		tools: offered === undefined ? 0 : JSON.stringify(offered).length,
		instructions: lengthOf(role => role === "system"),
	};
}

/** Tool calls are in separate fields. */
function charactersOf({ role: _, content, ...calls }: ChatMessage): number {
	return content.length + (Object.keys(calls).length === 0 ? 0 : JSON.stringify(calls).length);
}

function sum(characters: Characters): number {
	return contextParts.reduce((total, part) => total + characters[part], 0);
}
