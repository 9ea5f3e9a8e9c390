import type { ChatDetail } from "../../client/contract/details.ts";
import type { Thought, Turn } from "./turn.ts";

/** More of a thought, its end, or that it is none. */
export interface ThoughtStep extends Thought {
	/** It is the answer itself, which comes again as text. */
	readonly isDropped?: true;
}

/** The step that a detail after so many messages of the turn is; nothing for other details. */
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

/** The turn with one step of what the model thinks; costs O(step), because V8 keeps appended text as a rope. */
export function applyThought(turn: Turn, step: ThoughtStep): Turn {
	const { after, text, durationMs, isDropped } = step;
	const before = turn.thoughts?.find(thought => thought.after === after);
	const others = turn.thoughts?.filter(thought => thought !== before) ?? [];
	if (isDropped) {
		return withThoughts(turn, others);
	}
	const total = durationMs === undefined ? undefined : durationMs + (before?.durationMs ?? 0);
	const known = total ?? before?.durationMs;
	const thought = {
		after,
		text: (before?.text ?? "") + text,
		durationMs: known,
	};
	return withThoughts(turn, [...others, thought]);
}

/** The turn with the thoughts before its first messages alone. */
export function keepThoughts(turn: Turn, messageCount: number): Turn {
	return withThoughts(turn, turn.thoughts?.filter(({ after }) => after < messageCount) ?? []);
}

/** The turn with the tokens of one more request counted, or with the context of its model. */
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

function sum(one: number | undefined, other: number | undefined): number | undefined {
	return one === undefined ? other : one + (other ?? 0);
}

function withThoughts({ thoughts: _, ...turn }: Turn, thoughts: readonly Thought[]): Turn {
	return thoughts.length === 0 ? turn : { ...turn, thoughts };
}
