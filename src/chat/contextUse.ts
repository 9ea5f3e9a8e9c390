import type { ChatMessage } from "../client/contract/schemas.ts";
import { buildChatRequest, type RequestExtras } from "./chatRequest.ts";
import { hasContent, startTurn, type Turn, type TurnOptions } from "./turn/turn.ts";

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

/** Average characters per token in English text and code, used until a server has reported tokens. */
const charactersPerToken = 4;

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
