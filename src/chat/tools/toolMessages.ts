import {
	type ChatMessage,
	canUseServerTools,
	type ChatRequest,
} from "../../client/contract/schemas.ts";
import { eventsOfMessages } from "../../client/stream/chatAnswer.ts";
import { revealHidden } from "../../common/hiddenText.ts";
import { CallCollector, isOwnIdOf, type RequestedCall } from "./requestedCalls.ts";
import { placeOfCall } from "../turn/toolRecord.ts";
import type { Turn } from "../turn/turn.ts";

/** The message that answers a call: role `tool`, or `function` for the deprecated form, its content JSON. Interface §2.2. */
export function answerMessage(call: RequestedCall, content: string): ChatMessage {
	return call.form === "tool"
		? { role: "tool", tool_call_id: call.id, content }
		: { role: "function", name: call.name, content: JSON.stringify(content) };
}

/**
 * Answers for the calls of a turn that got none, because it was stopped, cut off or reloaded: a service waits for an answer to
 * every call it made. They say truthfully what is known (U17, U18).
 */
export function missingAnswers({
	messages,
	startedTools = [],
	...turn
}: Pick<Turn, "messages" | "startedTools" | "options" | "attachments">): ChatMessage[] {
	const raws = messages.flatMap(({ raw }) => (raw ? [raw] : []));
	const collector = new CallCollector();
	for (const event of eventsOfMessages(raws)) {
		collector.take(event);
	}
	const waiting = collector
		.calls()
		.filter(call => !collector.answered().has(call) && !runsOnServer(turn, call.name));
	return waiting.map(call => {
		const hasStarted = startedTools.some(({ callId, tool }) => {
			const { cardId } = placeOfCall(callId);
			return call.form === "tool"
				? isOwnIdOf(cardId, call.id)
				: cardId.startsWith("function-") && tool === call.name;
		});
		return answerMessage(call, hasStarted ? mayHaveRun : wasNotRun);
	});
}

/** Whether an answer is one of those that stand for a result that is not there. */
export function isMissingResultNote(content: string): boolean {
	return [wasNotRun, mayHaveRun].some(sentence =>
		[sentence, JSON.stringify(sentence)].includes(content),
	);
}

const wasNotRun =
	"Error: the call was not run, because it was not approved before the answer was stopped.";
const mayHaveRun =
	"Error: the call may have taken effect, but its result was lost. Look at the files before you call again.";

/** How much of a call's arguments, and of its result, its card shows, in UTF-16 code units. */
export const maxShownLength = 20_000;

/** The arguments of a call as its card shows them: JSON indented, anything else as it came, hidden characters by their codes. */
export function shownArguments(text: string): string {
	try {
		return revealHidden(JSON.stringify(JSON.parse(text), undefined, 2));
	} catch {
		return revealHidden(text);
	}
}

/** The server tools a turn's requests switch on; files of its question switch on `code_interpreter`. Interface §4.4. */
export function serverToolsOf({
	options,
	attachments,
}: Pick<Turn, "options" | "attachments">): NonNullable<ChatRequest["tools"]> {
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

/** Whether a tool of this name runs on the server for a turn, so that its calls need no answer. Interface §4.4. */
export function runsOnServer(turn: Pick<Turn, "options" | "attachments">, name: string): boolean {
	return serverToolsOf(turn).some(tool => tool === name);
}
