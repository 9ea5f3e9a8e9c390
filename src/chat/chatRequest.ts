import type { ChatMessage, ChatRequest, FileReference } from "../client/contract/schemas.ts";
import { questionContent } from "./turn/attachedText.ts";
import { hasContent, type Turn, type TurnOptions } from "./turn/turn.ts";
import { ownFields } from "./extraParameters.ts";
import type { Tool } from "../tools/tool/tool.ts";
import { serverToolsOf, missingAnswers } from "./tools/toolMessages.ts";
import { currentFiles, type TurnAttachment } from "../attachments/attachment/turnAttachment.ts";

/** Parts of a request beside its turns. */
export interface RequestExtras {
	/** The tools of ours the model may call. Interface §2.4. */
	readonly tools?: readonly Pick<Tool, "name" | "description" | "parameters">[];
	readonly isFollowUp?: boolean;
}

/**
 * The request that asks the last of `turns`, after its system prompt and the project's instructions if it has any, with the earlier ones as its context: a question that was answered at
 * least in part, followed by those of its messages that closed properly, as they came, and the text of the one that was stopped or cut
 * off. A question that got nothing does not go back, because what the service turned away
 * once, such as one too long, would make every later request fail as well. Files stay named for as long as the conversation
 * goes on, but only to `code_interpreter`, which the files of the question itself switch on. A
 * follow-up asks with what the last turn has got so far, which are calls of tools and their results, or the text of an answer that
 * is to go on; it is always streamed.
 * Interface §4.4.
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

/** Message that asks a model to go on with an answer that was cut off; words of ours, and the only ones. */
const continueRequest: ChatMessage = {
	role: "user",
	content:
		"Your last message was cut off. Continue it exactly where it ends: repeat nothing of it, and add no introduction.",
};

/**
 * A question and its answer as they go back to the service. Where the answer was asked to go on, the text it was cut off
 * with is before that request; without anything behind it, neither is part of it, unless it is being asked `isAsked`.
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

/**
 * How a request names the files of its turns, oldest first. Names are made different where two files share one, because
 * `code_interpreter` finds them by name. Interface §2.3.
 */
function requestFiles(attachments: readonly TurnAttachment[]): readonly FileReference[] {
	const taken = new Set<string>();
	return currentFiles(attachments).map(({ fileId, name, mimeType }) => {
		const free = freeName(name, taken);
		taken.add(free.toLowerCase());
		return { file_id: fileId, name: free, type: mimeType };
	});
}

/** `data.csv`, `data (2).csv`, `data (3).csv`, whichever is not taken. */
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
