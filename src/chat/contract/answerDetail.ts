import type { AnswerNote, ChatDetail } from "../../client/contract/schemas.ts";
import type { Thought, Turn, TurnOptions } from "./turn.ts";

/** Further thinking, its end, or its removal. */
export interface ThoughtStep extends Thought {
	/** The thinking is the answer itself, which is repeated as text. */
	readonly isDropped?: true;
}

/** Converts a detail after this number of messages. Returns undefined for details other than thinking. */
export function thoughtStepOf(detail: ChatDetail, after: number): ThoughtStep | undefined {
	switch (detail.type) {
		case "thinking":
			return { after, text: detail.text };
		case "thought":
			return { after, text: "", durationMs: Math.round(detail.ms) };
		case "not-thinking":
			return { after, text: "", isDropped: true };
		default:
			return undefined;
	}
}

/** Applies a step of thinking to a turn. Costs O(step), because V8 appends text as a rope. */
export function applyThought(turn: Turn, step: ThoughtStep): Turn {
	const { after, text, durationMs, isDropped } = step;
	const before = turn.thoughts?.find(thought => thought.after === after);
	const others = turn.thoughts?.filter(thought => thought !== before) ?? [];
	if (isDropped) {
		return withThoughts(turn, others);
	}
	const total = durationMs === undefined ? undefined : durationMs + (before?.durationMs ?? 0);
	const known = total ?? before?.durationMs;
	const thought = { after, text: (before?.text ?? "") + text, durationMs: known };
	return withThoughts(turn, [...others, thought]);
}

/** Makes the text of an unfinished message thinking. Returns the turn itself if there is no such message or text. */
export function textAsThought(turn: Turn, index: number): Turn {
	const message = turn.messages[index];
	return message === undefined || message.isFinished || message.text === ""
		? turn
		: applyThought(
				{ ...turn, messages: turn.messages.with(index, { ...message, text: "" }) },
				{ after: index, text: message.text },
			);
}

/** Keeps only the thinking before a turn's first messages. */
export function keepThoughts(turn: Turn, messageCount: number): Turn {
	return withThoughts(turn, turn.thoughts?.filter(({ after }) => after < messageCount) ?? []);
}

/** Adds the tokens of another request, or sets the model's context. */
export function addUsage(
	turn: Turn,
	more: Extract<ChatDetail, { type: "usage" | "context" }>,
): Turn {
	const { usage = {} } = turn;
	if (more.type === "context") {
		return { ...turn, usage: { ...usage, contextLength: more.tokens } };
	}
	const input = sum(usage.input, more.input);
	const output = sum(usage.output, more.output);
	return {
		...turn,
		usage: {
			...usage,
			...(more.perSecond === undefined ? {} : { perSecond: more.perSecond }),
			...(input === undefined ? {} : { input }),
			...(output === undefined ? {} : { output }),
			...(more.input === undefined ? {} : { taken: more.input + (more.output ?? 0) }),
		},
	};
}

/** Adds a note, unless a turn of the chat has it for the same model. One with a text is always added. `turns` contains this one. */
export function addNote(turn: Turn, note: AnswerNote, turns: readonly Turn[]): Turn {
	const { kind, names, text } = note;
	if (text !== undefined) {
		return { ...turn, notes: [...(turn.notes ?? []), { kind, names, text }] };
	}
	const isKnown = turns
		.filter(({ options }) => options.model === turn.options.model)
		.flatMap(({ notes = [] }) => notes)
		.some(known => known.kind === kind && names.every(name => known.names.includes(name)));
	return isKnown ? turn : { ...turn, notes: [...(turn.notes ?? []), { kind, names }] };
}

/** Sets the options of a resumed or continued attempt. Drops the notes if they are about another model. */
export function withOptions({ notes, ...turn }: Turn, options: TurnOptions): Turn {
	const isSameModel = options.model === turn.options.model;
	return { ...turn, ...(notes && isSameModel ? { notes } : {}), options };
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
	return one === undefined ? other : one + (other ?? 0);
}

function withThoughts({ thoughts: _, ...turn }: Turn, thoughts: readonly Thought[]): Turn {
	return thoughts.length === 0 ? turn : { ...turn, thoughts };
}

/** Whether a truncated answer can be continued: its last message is text of the model without calls, closed or not. */
export function canContinue({ messages, progress }: Turn): boolean {
	const last = messages.at(-1);
	const isCutOff = ["stopped", "interrupted", "endedEarly"].includes(progress.state);
	return isCutOff && last?.role === "assistant" && last.text !== "" && last.toolNames.length === 0;
}

/** Whether a continuation was requested and nothing has arrived since. */
export function isWaitingForContinuation({ messages, continuedAt }: Turn): boolean {
	return continuedAt?.at(-1) === messages.length;
}

/** Continues a turn's truncated answer. Keeps its messages; the last one gets no further text. */
export function continueAttempt(turn: Turn, options: TurnOptions): Turn {
	const { messages, continuedAt = [] } = turn;
	return {
		...withOptions(turn, options),
		isStreamed: true,
		messages: messages.map(message =>
			message.isFinished ? message : { ...message, isFinished: true },
		),
		continuedAt: isWaitingForContinuation(turn) ? continuedAt : [...continuedAt, messages.length],
		progress: { state: "streaming" },
	};
}
