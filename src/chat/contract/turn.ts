import type { ProjectInstruction } from "../../attachments/files/projectInstructions.ts";
import type { TurnAttachment } from "../../attachments/contract/turnAttachment.ts";
import { assertNever } from "../../common/errors.ts";
import type { LedgerEntry } from "../../tools/contract/tool.ts";
import { type BlockCall, type ToolEnd, placeOfCall, type ToolRecord } from "./toolRecord.ts";
import type { ChatAnswer, ChatEvent } from "../../client/contract/serviceClient.ts";
import type {
	AnswerNote,
	ChatDetail,
	ChatMessage,
	ChatRequest,
} from "../../client/contract/schemas.ts";
import { eventsOfMessages } from "../../client/stream/chatAnswer.ts";
import type { ServiceError } from "../../client/contract/serviceError.ts";
import { isFileRefusal, toFailure, type TurnFailure } from "./turnFailure.ts";

/** How a turn ended, or that it hasn't. docs/faults.md. */
export type TurnProgress =
	| { readonly state: "streaming" }
	| { readonly state: "complete" | "stopped" }
	| {
			readonly state: "partlyUnreadable";
			/** Unreadable parts of the answer, including lost lines of the log; may be 0. */
			readonly unreadableParts: number;
			/** Whether text contained invalid UTF-8, shown as U+FFFD. */
			readonly hasReplacedBytes: boolean;
	  }
	| { readonly state: FailedState; readonly failure: TurnFailure };

type FailedState = "interrupted" | "endedEarly" | "empty" | "refused" | "notSent" | "chargeUnknown";

/** A message of an answer so far. */
export interface AnswerMessage {
	readonly role: string;
	readonly text: string;
	/** Whether it is complete. A message truncated at the turn's end remains unfinished. */
	readonly isFinished: boolean;
	/** The message as it is sent back to the service; set once it was properly closed. docs/interface.md §2.2, §6. */
	readonly raw?: ChatMessage;
	readonly toolNames: readonly string[];
	readonly unreadableFrames?: number;
	/** Set if its text contained invalid UTF-8. */
	readonly hasReplacedBytes?: true;
	/** Set if it contains an invalid call, without id or name. */
	readonly hasUnusableCall?: true;
}

/** Thinking of a model. It is shown and stored, but never sent to a service. */
export interface Thought {
	/** The number of messages of the turn before it. */
	readonly after: number;
	readonly text: string;
	/** Duration in milliseconds. Absent while it continues and if it was interrupted. */
	readonly durationMs?: number;
}

/** Tokens of an answer, as reported by the model's server. */
export interface TurnUsage extends Omit<Extract<ChatDetail, { type: "usage" }>, "type"> {
	/** Tokens of the last request and its answer, which is the context used after it. */
	readonly taken?: number;
	/** The model's context, in tokens. */
	readonly contextLength?: number;
}

/** A question and its answer. */
export interface Turn {
	readonly id: string;
	readonly prompt: string;
	/** Attachments of the question, as of its last attempt. */
	readonly attachments: readonly TurnAttachment[];
	/** Milliseconds since 1970. */
	readonly createdAt: number;
	readonly options: TurnOptions;
	/** 1 for the first attempt. Each further attempt is requested by a click. */
	readonly attempt: number;
	/** Whether this attempt is streamed; that of “Show the error” isn't (docs/interface.md). */
	readonly isStreamed: boolean;
	readonly messages: readonly AnswerMessage[];
	readonly progress: TurnProgress;
	/** The number of messages before each continuation of a truncated answer, if any. */
	readonly continuedAt?: readonly number[];
	/** Tool calls of this attempt that were recorded before they ran, if any. */
	readonly startedTools?: readonly LedgerEntry[];
	/** Code blocks of this attempt that the user applied to files, if any. */
	readonly blockCalls?: readonly BlockCall[];
	/** How calls of this attempt ended, if any. */
	readonly toolEnds?: readonly ToolEnd[];
	/** Thinking of the model in this attempt, if any. */
	readonly thoughts?: readonly Thought[];
	/** Tokens of this attempt, if reported. */
	readonly usage?: TurnUsage;
	/** What the model was asked without in this attempt, if not shown before. Never sent to a service. */
	readonly notes?: readonly AnswerNote[];
}

export interface TurnOptions {
	readonly model: string;
	readonly serverTools: NonNullable<ChatRequest["tools"]>;
	/** Standard chat-completion parameters, validated. docs/interface.md §4.4. */
	readonly parameters: Readonly<Record<string, unknown>>;
	/** The system prompt, first in the request, if any. docs/interface.md §2.2, role `system`. */
	readonly systemPrompt?: string;
	/** The project's instructions, after the system prompt, if any. */
	readonly instructions?: readonly ProjectInstruction[];
	/** Whether the model can use Cutaway's own tool to read web pages, because the service doesn't. */
	readonly mayBrowse?: true;
	/** Whether the demo answers, regardless of the model. */
	readonly isDemo?: true;
	/** Whether these options are unverified claims of an imported file. */
	readonly isClaimed?: true;
}

/** How an attempt ended. */
export type TurnOutcome =
	| { readonly type: "completed" }
	| { readonly type: "stopped" }
	| { readonly type: "failed"; readonly error: ServiceError }
	/** The window was closed while it ran. */
	| { readonly type: "reload" };

/** Creates a turn with its first attempt in progress. */
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
 * Starts the next attempt of a turn. A streamed attempt discards the answer so far; one without streaming keeps it for the case that “Show the error”
 * fails.
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
 * Applies an event of a turn's stream. Costs O(delta), because V8 appends text as a rope. Returns a finished turn unchanged. Throws `RangeError` for
 * an event of a missing message.
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

/** Replaces the answer so far by a complete one, as if it had been streamed. */
export function replaceAnswer(turn: Turn, answer: ChatAnswer): Turn {
	const events = [...eventsOfMessages(answer.messages, answer.unreadable)].filter(
		event => event.type !== "stream-end",
	);
	return events.reduce(applyEvent, { ...withoutThoughts(turn), messages: [] });
}

/** Ends a turn's attempt with one of the endings of docs/faults.md. */
export function endTurn(turn: Turn, outcome: TurnOutcome): Turn {
	// The ending of a continued answer depends only on the messages since then.
	const messages = turn.messages.slice(turn.continuedAt?.at(-1) ?? 0);
	return { ...turn, progress: endingOf({ ...turn, messages }, outcome) };
}

/** Whether any text or tool call has arrived, readable or not. */
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
	notes: _______,
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
			return { state: failedState(turn, outcome.error), failure: toFailure(outcome.error) };
		default:
			return assertNever(outcome);
	}
}

/** A stream that reached its end may still be empty, or have an open message or unreadable parts. */
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

/** The state of a failure without text, by its effect on charges. */
const stateOfCharge = {
	notSent: "notSent",
	refused: "refused",
	unknown: "chargeUnknown",
} as const satisfies Record<ServiceError["charge"], FailedState>;

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

/** Applies a call's record to a turn. Ignores calls of other turns or earlier attempts. */
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

/**
 * Whether a question was rejected because of its files, for example because the service lost them; they must be uploaded again before a retry. Only
 * the local service has error codes; for others, which have none in the interface (docs/interface.md §7), the message decides.
 */
export function wasRefusedForFiles({ progress }: Turn): boolean {
	return progress.state === "refused" && isFileRefusal(progress.failure);
}
