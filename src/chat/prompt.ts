import { canUseServerTools, type ChatMessage, type ChatRequest } from "../client/index.ts";
import { questionContent } from "./attachedText.ts";
import { requestFiles } from "./requestFiles.ts";
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

/**
 * The request that asks the last of `turns`, with the earlier ones as its context: a question that was answered at
 * least in part, followed by those of its messages that closed properly, as they came. Text of an unclosed message
 * does not go back (fault matrix §4.0); nor does a question that got nothing, because what the service turned away
 * once, such as one too long, would make every later request fail as well. Files stay named for as long as the conversation
 * goes on, but only to `code_interpreter`, which the files of the question itself switch on. Interface §4.4.
 */
export function buildChatRequest(turns: readonly Turn[]): ChatRequest {
	const asked = turns.at(-1);
	if (!asked) {
		throw new RangeError("A request needs a turn");
	}
	const { model, parameters } = asked.options;
	const earlier = turns.slice(0, -1).filter(hasContent);
	const tools = toolsOf(asked);
	const files = tools.includes("code_interpreter")
		? requestFiles([...earlier, asked].flatMap(({ attachments }) => attachments))
		: [];
	return {
		...Object.fromEntries(Object.entries(parameters).filter(([name]) => !ownFields.has(name))),
		messages: [...earlier.flatMap(exchangeOf), questionOf(asked)],
		model,
		stream: asked.isStreamed,
		...(tools.length > 0 ? { tools } : {}),
		...(files.length > 0 ? { files: [...files] } : {}),
	};
}

function toolsOf({ options, attachments }: Turn): NonNullable<ChatRequest["tools"]> {
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
	return [questionOf(turn), ...answers];
}

function questionOf(turn: Turn): ChatMessage {
	return { role: "user", content: questionContent(turn.prompt, turn.attachments) };
}
