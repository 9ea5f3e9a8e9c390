import type { ChatChange, ChatViewState, TurnView } from "../../shared/chat.ts";

/** Changes waiting for the next animation frame. Its work grows with what arrives, not with what waits. */
export class ChangeQueue {
	private changes: ChatChange[] = [];
	private chatId: string | undefined;

	/** Takes a change; text that continues the text before it is joined, and of one video in a row only the last is kept. */
	add(change: ChatChange): void {
		const last = this.changes.at(-1);
		if (change.type === "reset") {
			this.changes = [change];
		} else if (
			change.type === "text" &&
			last?.type === "text" &&
			last.turnId === change.turnId &&
			last.index === change.index
		) {
			this.changes[this.changes.length - 1] = { ...last, text: last.text + change.text };
		} else if (
			change.type === "thought" &&
			last?.type === "thought" &&
			last.turnId === change.turnId &&
			last.thought.after === change.thought.after
		) {
			const text = last.thought.text + change.thought.text;
			this.changes[this.changes.length - 1] = { ...change, thought: { ...change.thought, text } };
		} else if (
			change.type === "video" &&
			last?.type === "video" &&
			last.video.jobId === change.video.jobId
		) {
			this.changes[this.changes.length - 1] = change;
		} else {
			this.changes.push(change);
		}
	}

	/**
	 * Begins with a page that shows nothing: what waits is part of `state`. Returns what the page gets at first, read from the
	 * turn `at`; the rest waits.
	 */
	begin(state: ChatViewState, at: string | undefined): ChatViewState {
		return this.part(state, at);
	}

	/** Returns the changes to send now, in order. A long chat that takes the place of another is read from the turn `at`; its rest waits. */
	drain(at?: string): ChatChange[] {
		const [first, ...others] = this.changes;
		this.changes = [];
		// Of the chat that is shown already, its reader may be anywhere.
		if (first?.type !== "reset" || first.state.chatId === this.chatId) {
			return first ? [first, ...others] : [];
		}
		const reset = { ...first, state: this.part(first.state, at) };
		if (this.changes.length === 0) {
			return [reset, ...others];
		}
		this.changes.push(...others);
		return [reset];
	}

	get isEmpty(): boolean {
		return this.changes.length === 0;
	}

	private part(state: ChatViewState, at: string | undefined): ChatViewState {
		const { first, earlier } = splitForFirstPaint(state, at);
		this.chatId = state.chatId;
		this.changes = earlier.length === 0 ? [] : [{ type: "earlier-turns", turns: [...earlier] }];
		return first;
	}
}

/** How many turns before what is read first come with it: enough to scroll through until the others are there. */
const firstTurns = 24;

/** A chat in two messages, so that how soon it can be read does not depend on how long it is. */
interface SplitChatState {
	/** The chat with its last turns only. */
	readonly first: ChatViewState;
	/** The turns before; none of a chat that is not long. */
	readonly earlier: readonly TurnView[];
}

/** Parts a chat that is read from its end, or from the turn `at`. */
export function splitForFirstPaint(state: ChatViewState, at?: string): SplitChatState {
	const { turns } = state;
	const index = turns.findIndex(turn => turn.id === at);
	const read = index === -1 ? turns.length : index;
	const from = read - firstTurns;
	// A rest that is no longer than what comes first is not worth a message of its own.
	return from <= firstTurns
		? { first: state, earlier: [] }
		: { first: { ...state, turns: turns.slice(from) }, earlier: turns.slice(0, from) };
}
