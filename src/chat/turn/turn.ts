import type { ProjectInstruction } from "../../attachments/files/projectInstructions.ts";
import type { TurnAttachment } from "../../attachments/attachment/turnAttachment.ts";
import { assertNever } from "../../common/assertNever.ts";
import type { LedgerEntry } from "../../tools/tool/toolLedger.ts";
import { type BlockCall, type ToolEnd, placeOfCall, type ToolRecord } from "./toolRecord.ts";
import { toFailure, type TurnFailure } from "./toFailure.ts";
import type { ChatAnswer, ChatEvent } from "../../client/contract/events.ts";
import type { ChatDetail } from "../../client/contract/details.ts";
import type { ChatMessage, ChatRequest } from "../../client/contract/schemas.ts";
import { eventsOfMessages } from "../../client/stream/chatAnswer.ts";
import type { ServiceError } from "../../client/contract/errors.ts";

/** How a turn ended or that it has not; the fields of an ending exist only where they mean something. docs/faults.md. */
export type TurnProgress =
	| { readonly state: "streaming" }
	| { readonly state: "complete" | "stopped" }
	| {
			readonly state: "partlyUnreadable";
			/** Parts of the answer that could not be read (S10, S11, S14, and lost lines of the log, L8); may be 0. */
			readonly unreadableParts: number;
			/** Whether text held bytes that are not UTF-8, shown as U+FFFD (S18). */
			readonly hasReplacedBytes: boolean;
	  }
	| { readonly state: FailedState; readonly failure: TurnFailure };

type FailedState = "interrupted" | "endedEarly" | "empty" | "refused" | "notSent" | "chargeUnknown";

/** One message of an answer, as far as it has come. */
export interface AnswerMessage {
	readonly role: string;
	readonly text: string;
	/** Whether nothing more will come for it. A message its turn's end cut off stays unfinished. */
	readonly isFinished: boolean;
	/** The message as it goes back to the service; present once it closed properly. Interface §2.2, §6. */
	readonly raw?: ChatMessage;
	/** Names of the custom tools it asks for. */
	readonly toolNames: readonly string[];
	/** Frames of it that could not be read; left out when there are none. */
	readonly unreadableFrames?: number;
	/** Present when its text held bytes that are not UTF-8 (S18). */
	readonly hasReplacedBytes?: true;
	/** Present when it holds a call without an id or a name, which is none (U4). */
	readonly hasUnusableCall?: true;
}

/** Thought of a model. It is shown and kept, and never goes back to a service. */
export interface Thought {
	/** How many messages of the turn are before it. */
	readonly after: number;
	readonly text: string;
	/** How long it took, in milliseconds; left out while it goes on, and where it was cut off. */
	readonly durationMs?: number;
}

/** Tokens of an answer, as far as the model's server reported them. */
export interface TurnUsage extends Omit<Extract<ChatDetail, { type: "usage" }>, "type"> {
	/** Tokens of the last request and what it brought: how much of the context the conversation takes after it. */
	readonly taken?: number;
	/** The context of its model, in tokens. */
	readonly contextLength?: number;
}

/** One exchange of a conversation: a question and all that answered it. */
export interface Turn {
	readonly id: string;
	readonly prompt: string;
	/** Attachments of the question, as its last attempt sent them. */
	readonly attachments: readonly TurnAttachment[];
	/** Milliseconds since 1970. */
	readonly createdAt: number;
	readonly options: TurnOptions;
	/** 1 for the first attempt; each further attempt was asked for by a click. */
	readonly attempt: number;
	/** Whether this attempt asked for a stream; «Show the error» does not (docs/interface.md). */
	readonly isStreamed: boolean;
	readonly messages: readonly AnswerMessage[];
	readonly progress: TurnProgress;
	/** How many messages the answer had each time a user had it go on where it was cut off; left out without that. */
	readonly continuedAt?: readonly number[];
	/** Calls of tools that were on record before they ran, of this attempt; left out when there are none (U18). */
	readonly startedTools?: readonly LedgerEntry[];
	/** Code blocks of this attempt that a user had put into files; left out when there are none. */
	readonly blockCalls?: readonly BlockCall[];
	/** How calls of this attempt ended; left out when none did. */
	readonly toolEnds?: readonly ToolEnd[];
	/** Thoughts of the model in this attempt, as far as they were told; left out when there are none. */
	readonly thoughts?: readonly Thought[];
	/** Tokens of this attempt; left out when none were reported. */
	readonly usage?: TurnUsage;
}

/** Choices that a question is asked with. */
export interface TurnOptions {
	readonly model: string;
	readonly serverTools: NonNullable<ChatRequest["tools"]>;
	/** Standard chat-completion parameters, already validated. Interface §4.4. */
	readonly parameters: Readonly<Record<string, unknown>>;
	/** The system prompt, which goes before everything else; left out when there is none. Interface §2.2, role `system`. */
	readonly systemPrompt?: string;
	/** The project's own instructions, which go behind the system prompt; left out when there are none. */
	readonly instructions?: readonly ProjectInstruction[];
	/** Whether the model may ask Cutaway itself for web pages, where no service reads them. */
	readonly mayBrowse?: true;
	/** Whether the demo answers, whatever the model is called. */
	readonly isDemo?: true;
	/** Whether a file that was imported claims all of this. */
	readonly isClaimed?: true;
}

/** Why an attempt is over. */
export type TurnOutcome =
	| { readonly type: "completed" }
	/** The user stopped it (S25). */
	| { readonly type: "stopped" }
	| { readonly type: "failed"; readonly error: ServiceError }
	/** The window went away while it ran (L1, L2). */
	| { readonly type: "reload" };

/** A turn just asked, its first attempt under way. */
export function startTurn(
	question: Pick<Turn, "id" | "prompt" | "createdAt" | "options"> &
		Partial<Pick<Turn, "attachments">>,
): Turn {
	return {
		attachments: [],
		...question,
		attempt: 1,
		isStreamed: true,
		messages: [],
		progress: { state: "streaming" },
	};
}

/**
 * The turn with its next attempt under way. A streamed attempt drops the answer so far; one without streaming keeps it,
 * so that the text is still there when «Show the error» shows one (S28).
 */
export function startAttempt(
	turn: Turn,
	attempt: Pick<Turn, "isStreamed" | "options"> & Partial<Pick<Turn, "attachments">>,
): Turn {
	const { isStreamed, options, attachments = turn.attachments } = attempt;
	return {
		...withoutCalls(turn),
		attachments,
		isStreamed,
		options,
		attempt: turn.attempt + 1,
		messages: isStreamed ? [] : turn.messages,
		...(isStreamed || !turn.thoughts ? {} : { thoughts: turn.thoughts }),
		progress: { state: "streaming" },
	};
}

/**
 * The turn after one event of its stream; costs O(delta), because V8 keeps appended text as a rope. A turn that has
 * ended stays as it is. Throws `RangeError` for an event of a message that is not there.
 */
export function applyEvent(turn: Turn, event: ChatEvent): Turn {
	if (turn.progress.state !== "streaming") {
		return turn;
	}
	switch (event.type) {
		case "message-start":
			return addMessage(turn, event.index, event.role);
		case "text-delta":
			return changeMessage(turn, event.index, message => ({
				...message,
				text: message.text + event.text,
			}));
		case "tool-call":
			return changeMessage(turn, event.index, message => ({
				...message,
				toolNames: [...message.toolNames, event.call.function.name],
			}));
		case "message-end":
			return changeMessage(turn, event.index, message => finishMessage(message, event));
		case "detail":
			return turn;
		case "stream-end":
			return endTurn(turn, { type: "completed" });
		default:
			return assertNever(event);
	}
}

/** The turn with an answer that came whole in place of the one so far, as if it had been streamed. */
export function replaceAnswer(turn: Turn, answer: ChatAnswer): Turn {
	const events = [...eventsOfMessages(answer.messages, answer.unreadable)].filter(
		event => event.type !== "stream-end",
	);
	return events.reduce(applyEvent, { ...withoutThoughts(turn), messages: [] });
}

/** The turn with its attempt over: exactly one of the endings of docs/faults.md, never a silent one (G2). */
export function endTurn(turn: Turn, outcome: TurnOutcome): Turn {
	// An answer that went on is judged by what came since.
	const messages = turn.messages.slice(turn.continuedAt?.at(-1) ?? 0);
	return { ...turn, progress: endingOf({ ...turn, messages }, outcome) };
}

/** Whether any text or tool call has come, readable or not. */
export function hasContent(turn: Turn): boolean {
	return turn.messages.some(
		({ text, toolNames, unreadableFrames }) =>
			text !== "" || toolNames.length > 0 || unreadableFrames !== undefined,
	);
}

function withoutCalls({
	startedTools: _,
	blockCalls: __,
	toolEnds: ___,
	continuedAt: ____,
	thoughts: _____,
	usage: ______,
	...turn
}: Turn): Turn {
	return turn;
}

function withoutThoughts({ thoughts: _, ...turn }: Turn): Turn {
	return turn;
}

function addMessage(turn: Turn, index: number, role: string): Turn {
	if (index !== turn.messages.length) {
		throw new RangeError(`Message ${index} started where ${turn.messages.length} was due`);
	}
	const message: AnswerMessage = { role, text: "", isFinished: false, toolNames: [] };
	return { ...turn, messages: [...turn.messages, message] };
}

function changeMessage(
	turn: Turn,
	index: number,
	change: (message: AnswerMessage) => AnswerMessage,
): Turn {
	const message = turn.messages[index];
	if (!message) {
		throw new RangeError(`There is no message ${index}`);
	}
	return { ...turn, messages: turn.messages.with(index, change(message)) };
}

function finishMessage(
	message: AnswerMessage,
	end: Extract<ChatEvent, { type: "message-end" }>,
): AnswerMessage {
	const called = end.isClosed ? end.message.function_call : undefined;
	return {
		...message,
		isFinished: true,
		toolNames: called ? [...message.toolNames, called.name] : message.toolNames,
		...(end.isClosed ? { raw: end.message } : {}),
		...(end.unreadableFrames > 0 ? { unreadableFrames: end.unreadableFrames } : {}),
		...(end.hasReplacedBytes ? { hasReplacedBytes: true } : {}),
		...(end.hasUnusableCall ? { hasUnusableCall: true } : {}),
	};
}

function endingOf(turn: Turn, outcome: TurnOutcome): TurnProgress {
	switch (outcome.type) {
		case "completed":
			return completionOf(turn);
		case "stopped":
			return { state: "stopped" };
		case "reload":
			return { state: "interrupted", failure: { kind: "reload" } };
		case "failed":
			return {
				state: failedState(turn, outcome.error),
				failure: toFailure(outcome.error),
			};
		default:
			return assertNever(outcome);
	}
}

/** A stream that reached its end may still have delivered nothing, an open message or parts nobody could read. */
function completionOf(turn: Turn): TurnProgress {
	if (!hasContent(turn)) {
		return { state: "empty", failure: { kind: "empty" } };
	}
	if (turn.messages.some(message => !message.raw)) {
		return { state: "endedEarly", failure: { kind: "endedEarly" } };
	}
	const unreadableParts = turn.messages.reduce(
		(sum, message) => sum + (message.unreadableFrames ?? 0),
		0,
	);
	const hasReplacedBytes = turn.messages.some(message => message.hasReplacedBytes);
	return unreadableParts > 0 || hasReplacedBytes
		? { state: "partlyUnreadable", unreadableParts, hasReplacedBytes }
		: { state: "complete" };
}

function failedState(turn: Turn, error: ServiceError): FailedState {
	switch (error.kind) {
		case "interrupted":
		case "stalled":
		case "noText":
			return "interrupted";
		case "endedEarly":
			return "endedEarly";
		case "empty":
			return "empty";
		default:
			return turn.isStreamed && hasContent(turn) ? "interrupted" : stateOfCharge[error.charge];
	}
}

/** State of a failure without any text, by what is known about the user's money. */
const stateOfCharge = {
	notSent: "notSent",
	refused: "refused",
	unknown: "chargeUnknown",
} as const satisfies Record<ServiceError["charge"], FailedState>;

/** The id of the call a record is about. */
export function callIdOf(record: ToolRecord): string {
	switch (record.type) {
		case "tool-started":
			return record.entry.callId;
		case "block-called":
			return record.call.callId;
		case "tool-ended":
			return record.end.callId;
	}
}

/** The turn with what a record says of a call; unchanged by a call of another turn or of an earlier attempt. */
export function applyToolRecord(turn: Turn, record: ToolRecord): Turn {
	const { turnId, attempt } = placeOfCall(callIdOf(record));
	if (turnId !== turn.id || attempt !== turn.attempt) {
		return turn;
	}
	switch (record.type) {
		case "tool-started":
			return { ...turn, startedTools: [...(turn.startedTools ?? []), record.entry] };
		case "block-called":
			return { ...turn, blockCalls: [...(turn.blockCalls ?? []), record.call] };
		case "tool-ended":
			return { ...turn, toolEnds: [...(turn.toolEnds ?? []), record.end] };
	}
}
