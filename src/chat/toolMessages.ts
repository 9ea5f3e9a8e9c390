import { type ChatMessage, eventsOfMessages } from "../client/index.ts";
import { createCallCollector, type RequestedCall } from "./requestedCalls.ts";
import { placeOfCall } from "./toolCallId.ts";
import type { Turn } from "./turn.ts";

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
}: Pick<Turn, "messages" | "startedTools">): ChatMessage[] {
	const raws = messages.flatMap(({ raw }) => (raw ? [raw] : []));
	const collector = createCallCollector();
	for (const event of eventsOfMessages(raws)) {
		collector.take(event);
	}
	const answers = new Map<string, number>();
	for (const raw of raws.filter(({ role }) => role === "tool" || role === "function")) {
		const key = answerKey(raw.tool_call_id, raw.name);
		answers.set(key, (answers.get(key) ?? 0) + 1);
	}
	return collector.calls().flatMap(call => {
		const key =
			call.form === "tool" ? answerKey(call.id, undefined) : answerKey(undefined, call.name);
		const left = answers.get(key) ?? 0;
		answers.set(key, left - 1);
		const hasStarted = startedTools.some(({ callId, tool }) => {
			const { cardId } = placeOfCall(callId);
			return call.form === "tool"
				? cardId === call.id
				: cardId.startsWith("function-") && tool === call.name;
		});
		return left > 0 ? [] : [answerMessage(call, hasStarted ? mayHaveRun : wasNotRun)];
	});
}

/** Whether an answer is one of those that stand for a result that is not there. */
export function standsForNoResult(content: string): boolean {
	return [wasNotRun, mayHaveRun].some(sentence =>
		[sentence, JSON.stringify(sentence)].includes(content),
	);
}

const wasNotRun =
	"Error: the call was not run, because it was not approved before the answer was stopped.";
const mayHaveRun =
	"Error: the call may have taken effect, but its result was lost. Look at the files before you call again.";

function answerKey(id: string | undefined, name: string | undefined): string {
	return id === undefined ? `name ${name ?? ""}` : `id ${id}`;
}
