import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { type TurnAttachment, questionContent } from "../../attachments/contract/turnAttachment.ts";
import { type ChatMessage, toolCallSchema } from "../../client/contract/schemas.ts";
import { revealHidden, splitHidden } from "../../common/hiddenText.ts";
import type { ChatRecord } from "../log/chatRecord.ts";
import { callsOf, OwnIds } from "../toolLoop/requestedCalls.ts";
import { maxShownLength, shownArguments } from "../toolLoop/toolMessages.ts";
import type { Turn } from "../contract/turn.ts";
import { ChatImportError } from "./chatExport.ts";

type RecordedOptions = Extract<ChatRecord, { type: "turn-started" }>["options"];
type RecordedMessage = Extract<ChatRecord, { type: "answer-replaced" }>["messages"][number];

export function* shownRecords(records: readonly ChatRecord[]): Generator<undefined, ChatRecord[]> {
	const shown: ChatRecord[] = [];
	for (const record of records) {
		shown.push(shownRecord(record));
		yield;
	}
	return shown;
}

/**
 * Reduces an untrusted record to what the chat shows, so that nothing hidden is sent to a service: the visible text, under the role of its author,
 * and tool calls as shown on their cards. Attached texts become part of the message. docs/security.md.
 */
function shownRecord(record: ChatRecord): ChatRecord {
	switch (record.type) {
		case "turn-started": {
			const { prompt, attachments = [], options } = record;
			return {
				...record,
				...filesOf(record),
				prompt: readable(questionContent(prompt, attachments).trimEnd()),
				options: claimedOptions(options),
			};
		}
		case "attempt-started":
		case "attempt-resumed":
			return { ...record, ...filesOf(record), options: claimedOptions(record.options) };
		case "attempt-continued":
			return { ...record, options: claimedOptions(record.options) };
		case "text":
			return { ...record, role: roleOf(record.role), text: shownText(record) };
		case "message-finished":
			return { ...record, isContentSaved: true, message: shownMessage(record.message, "") };
		case "answer-replaced":
			return {
				...record,
				messages: record.messages.map(message => {
					const text = shownText(message);
					return { ...shownMessage(message, text), text };
				}),
			};
		default:
			return record;
	}
}

/** Throws `ChatImportError` if a tool's result has no card in its turn and would be invisible. */
export function assertResultsAreShown(turns: readonly Turn[]): void {
	if (turns.some(hidesResult)) {
		throw new ChatImportError(
			"hidden",
			l10n.t("This file would send text that the chat doesn't show. Nothing was imported."),
		);
	}
}

function hidesResult({ messages }: Turn): boolean {
	const ownIds = new OwnIds();
	const known = new Set<string>();
	const waiting = new Set<string>();
	return messages.some(({ role, raw }) => {
		if (role !== "assistant") {
			return raw !== undefined && !waiting.delete(raw.tool_call_id ?? raw.name ?? "");
		}
		for (const call of callsOf(raw)) {
			const own = ownIds.of(call).id;
			// A repeated call has no card of its own.
			if (!known.has(own)) {
				known.add(own);
				waiting.add(call.form === "tool" ? call.id : call.name);
			}
		}
		return false;
	});
}

/** Answers can only come from a model or its tools. */
function roleOf(role: string): "assistant" | "tool" | "function" {
	return role === "tool" || role === "function" ? role : "assistant";
}

function shownMessage<Message extends Omit<RecordedMessage, "text" | "isFinished">>(
	message: Message,
	content: string,
): Message {
	const role = roleOf(message.role);
	return { ...message, role, ...(message.raw ? { raw: rawOf(role, message.raw, content) } : {}) };
}

const callsSchema = z.array(toolCallSchema);

function rawOf(role: ReturnType<typeof roleOf>, raw: ChatMessage, content: string): ChatMessage {
	const { tool_call_id: answered, name, function_call: called } = raw;
	const calls = callsSchema
		.safeParse(raw["tool_calls"])
		.data?.map(call => ({ ...call, function: shownCall(call.function) }));
	return role === "assistant"
		? {
				role,
				content,
				...(calls ? { tool_calls: calls } : {}),
				...(called ? { function_call: shownCall(called) } : {}),
			}
		: { role, content, tool_call_id: answered, name };
}

/** Returns the claimed model and parameters, without system prompt and text of instructions. */
function claimedOptions({
	model,
	serverTools,
	instructions,
	isDemo,
}: RecordedOptions): RecordedOptions {
	return {
		model,
		serverTools,
		parameters: {},
		...(instructions ? { instructions: instructions.map(({ name }) => ({ name, text: "" })) } : {}),
		...(isDemo ? { isDemo } : {}),
		isClaimed: true,
	};
}

function filesOf({ attachments }: { readonly attachments?: readonly TurnAttachment[] }): {
	readonly attachments?: readonly TurnAttachment[];
} {
	return attachments ? { attachments: attachments.filter(({ kind }) => kind !== "text") } : {};
}

/** Returns a message's text as the chat shows it. A tool's result is cut to what its card shows. */
function shownText({ role, text }: Pick<RecordedMessage, "role" | "text">): string {
	const shown = readable(text);
	if (roleOf(role) === "assistant") {
		return shown;
	}
	const onCard = revealHidden(shown);
	return onCard.length > maxShownLength ? onCard.slice(0, maxShownLength) : shown;
}

/** Replaces arguments that are longer than the call's card. */
function shownCall(call: z.infer<typeof toolCallSchema>["function"]): typeof call {
	return shownArguments(call.arguments).length > maxShownLength
		? { ...call, arguments: JSON.stringify({ omitted: "too long to show" }) }
		: call;
}

function readable(text: string): string {
	return splitHidden(text)
		.map(part => (part.isHidden ? "" : part.text))
		.join("");
}
