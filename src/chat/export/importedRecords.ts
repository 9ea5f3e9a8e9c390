import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import type { TurnAttachment } from "../../attachments/attachment/turnAttachment.ts";
import { type ChatMessage, toolCallSchema } from "../../client/contract/schemas.ts";
import { eventsOfMessages } from "../../client/stream/chatAnswer.ts";
import { revealHidden, splitHidden } from "../../common/hiddenText.ts";
import type { ChatRecord } from "../log/chatRecord.ts";
import { CallCollector, OwnIds } from "../tools/requestedCalls.ts";
import { maxShownLength, shownArguments } from "../tools/toolMessages.ts";
import { questionContent } from "../turn/attachedText.ts";
import type { Turn } from "../turn/turn.ts";
import { ChatImportError } from "./chatExport.ts";

type RecordedOptions = Extract<ChatRecord, { type: "turn-started" }>["options"];
type RecordedMessage = Extract<ChatRecord, { type: "answer-replaced" }>["messages"][number];

/** The records of an import as `shownRecord` makes them, one by one, for chats of any length. */
export function* shownRecords(records: readonly ChatRecord[]): Generator<undefined, ChatRecord[]> {
	const shown: ChatRecord[] = [];
	for (const record of records) {
		shown.push(shownRecord(record));
		yield;
	}
	return shown;
}

/**
 * A record of a file that anyone may have written, with nothing in it that a service gets and the chat does not show: what
 * goes back is the text that is shown, under the role of who wrote it, and calls of tools as their cards show them. Texts
 * that were attached are part of the question's words. Threat T40.
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

/** Throws `ChatImportError` when a result of a tool is on no card of its turn, so that nobody sees it. */
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
		const collector = new CallCollector();
		for (const event of eventsOfMessages(raw ? [raw] : [])) {
			collector.take(event);
		}
		for (const call of collector.calls()) {
			const own = ownIds.of(call).id;
			// A call that is made again has no card of its own.
			if (!known.has(own)) {
				known.add(own);
				waiting.add(call.form === "tool" ? call.id : call.name);
			}
		}
		return false;
	});
}

/** Nobody but a model and its tools has written what answers a question. */
function roleOf(role: string): "assistant" | "tool" | "function" {
	return role === "tool" || role === "function" ? role : "assistant";
}

function shownMessage<Message extends Omit<RecordedMessage, "text" | "isFinished">>(
	message: Message,
	content: string,
): Message {
	const role = roleOf(message.role);
	return {
		...message,
		role,
		...(message.raw ? { raw: rawOf(role, message.raw, content) } : {}),
	};
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
		: {
				role,
				content,
				tool_call_id: answered,
				name,
			};
}

/** The model and what it was asked with, as the file claims; no text of a prompt, none of instructions. */
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

function filesOf({ attachments }: { attachments?: TurnAttachment[] }): {
	attachments?: TurnAttachment[];
} {
	return attachments ? { attachments: attachments.filter(({ kind }) => kind !== "text") } : {};
}

/** What a message wrote, as the chat shows it: of the result of a tool, what its card has room for. */
function shownText({ role, text }: Pick<RecordedMessage, "role" | "text">): string {
	const shown = readable(text);
	if (roleOf(role) === "assistant") {
		return shown;
	}
	const onCard = revealHidden(shown);
	return onCard.length > maxShownLength ? onCard.slice(0, maxShownLength) : shown;
}

/** A call without arguments that are longer than its card. */
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
