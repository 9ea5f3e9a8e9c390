import type { ChatViewState, TurnView } from "../../shared/index.ts";

/** How many turns before what is read first come with it: enough to scroll through until the others are there. */
const firstTurns = 24;

/** A chat in two messages, so that how soon it can be read does not depend on how long it is. */
export interface ChatInParts {
	/** The chat with its last turns only. */
	readonly first: ChatViewState;
	/** The turns before; none of a chat that is not long. */
	readonly earlier: readonly TurnView[];
}

/** Parts a chat that is read from its end, or from the turn `at`. */
export function inParts(state: ChatViewState, at?: string): ChatInParts {
	const { turns } = state;
	const index = turns.findIndex(turn => turn.id === at);
	const read = index === -1 ? turns.length : index;
	const from = read - firstTurns;
	// A rest that is no longer than what comes first is not worth a message of its own.
	return from <= firstTurns
		? { first: state, earlier: [] }
		: { first: { ...state, turns: turns.slice(from) }, earlier: turns.slice(0, from) };
}
