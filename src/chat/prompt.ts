import type { ChatMessage, ChatRequest } from "../client/index.ts";
import { hasContent, type Turn } from "./turn.ts";

/** Fields of a chat request that Cutaway fills in itself; free parameters of these names are left out. Interface §4.4. */
const ownFields: ReadonlySet<string> = new Set([
	"messages",
	"model",
	"stream",
	"tools",
	"custom_tools",
	"functions",
	"files",
]);

/** Whether a model may use the tools that run on the server: its id contains `tools`. Interface §4.4. */
export function canUseServerTools(model: string): boolean {
	return model.includes("tools");
}

/**
 * The request that asks the last of `turns`, with the earlier ones as its context: a question that was answered at
 * least in part, followed by those of its messages that closed properly, as they came. Text of an unclosed message
 * does not go back (fault matrix §4.0); nor does a question that got nothing, because what the service turned away
 * once, such as one too long, would make every later request fail as well.
 */
export function buildChatRequest(turns: readonly Turn[]): ChatRequest {
	const asked = turns.at(-1);
	if (!asked) {
		throw new RangeError("A request needs a turn");
	}
	const { model, serverTools, parameters } = asked.options;
	const earlier = turns.slice(0, -1).filter(hasContent);
	return {
		...Object.fromEntries(Object.entries(parameters).filter(([name]) => !ownFields.has(name))),
		messages: [...earlier.flatMap(exchangeOf), questionOf(asked)],
		model,
		stream: asked.isStreamed,
		...(canUseServerTools(model) && serverTools.length > 0 ? { tools: [...serverTools] } : {}),
	};
}

function exchangeOf(turn: Turn): ChatMessage[] {
	const answers = turn.messages.flatMap(message => (message.raw ? [message.raw] : []));
	return [questionOf(turn), ...answers];
}

function questionOf(turn: Turn): ChatMessage {
	return { role: "user", content: turn.prompt };
}
