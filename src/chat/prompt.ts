import { canUseServerTools, type ChatMessage, type ChatRequest } from "../client/index.ts";
import { questionContent } from "./attachedText.ts";
import { ownFields } from "./extraParameters.ts";
import { requestFiles } from "./requestFiles.ts";
import type { Tool } from "../tools/tool.ts";
import { missingAnswers } from "./toolMessages.ts";
import { hasContent, type Turn } from "./turn.ts";

/** What a request may hold beside its turns. */
export interface RequestExtras {
	/** The tools of ours the model may call. Interface §2.4. */
	readonly tools?: readonly Pick<Tool, "name" | "description" | "parameters">[];
	readonly isFollowUp?: boolean;
}

/**
 * The request that asks the last of `turns`, after its system prompt if it has one, with the earlier ones as its context: a question that was answered at
 * least in part, followed by those of its messages that closed properly, as they came. Text of an unclosed message
 * does not go back (fault matrix §4.0); nor does a question that got nothing, because what the service turned away
 * once, such as one too long, would make every later request fail as well. Files stay named for as long as the conversation
 * goes on, but only to `code_interpreter`, which the files of the question itself switch on. A
 * follow-up asks with what the last turn has got so far, which are calls of tools and their results; it is always streamed.
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
	const { model, parameters, systemPrompt } = asked.options;
	const earlier = turns.slice(0, -1).filter(hasContent);
	const serverTools = serverToolsOf(asked);
	const files = serverTools.includes("code_interpreter")
		? requestFiles([...earlier, asked].flatMap(({ attachments }) => attachments))
		: [];
	return {
		...Object.fromEntries(Object.entries(parameters).filter(([name]) => !ownFields.has(name))),
		messages: [
			...(systemPrompt === undefined ? [] : [{ role: "system", content: systemPrompt }]),
			...earlier.flatMap(exchangeOf),
			...(isFollowUp ? exchangeOf(asked) : [questionOf(asked)]),
		],
		model,
		stream: isFollowUp || asked.isStreamed,
		...(serverTools.length > 0 ? { tools: serverTools } : {}),
		...(files.length > 0 ? { files: [...files] } : {}),
		...(tools.length > 0 ? { custom_tools: tools.map(customTool) } : {}),
	};
}

function serverToolsOf({ options, attachments }: Turn): NonNullable<ChatRequest["tools"]> {
	const { model, serverTools } = options;
	if (!canUseServerTools(model)) {
		return [];
	}
	const isNeeded = hasFiles(attachments) && !serverTools.includes("code_interpreter");
	return [...(isNeeded ? (["code_interpreter"] as const) : []), ...serverTools];
}

/** Whether a question itself came with what reaches the model through `code_interpreter` alone. Interface §4.4. */
export function hasFiles(attachments: Turn["attachments"]): boolean {
	return attachments.some(each => each.kind === "file" && !each.isCarried);
}

function exchangeOf(turn: Turn): ChatMessage[] {
	const answers = turn.messages.flatMap(message => (message.raw ? [message.raw] : []));
	return [questionOf(turn), ...answers, ...missingAnswers(turn)];
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
