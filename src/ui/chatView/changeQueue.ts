import type { ChatChange, ChatViewState, TurnView } from "../../shared/chat.ts";

/** Changes waiting for the next animation frame. Its cost depends on new changes, not on waiting ones. */
export class ChangeQueue {
	private changes: ChatChange[] = [];
	private chatId: string | undefined;

	/** Adds a change. Merges consecutive text, and keeps only the last of consecutive changes of a video. */
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

	/** Returns the changes to send now, in order. When switching to a long chat, returns the part around the turn `at` first; the rest waits. */
	drain(at?: string): ChatChange[] {
		const [first, ...others] = this.changes;
		this.changes = [];
		// The scroll position in the current chat is unknown.
		if (first?.type !== "reset" || first.state.chatId === this.chatId) {
			return first ? [first, ...others] : [];
		}
		const reset = { ...first, state: this.begin(first.state, at) };
		if (this.changes.length === 0) {
			return [reset, ...others];
		}
		this.changes.push(...others);
		return [reset];
	}

	get isEmpty(): boolean {
		return this.changes.length === 0;
	}

	/** Starts with an empty page: waiting changes are part of `state`. Returns the state to send first, around the turn `at`; the rest waits. */
	begin(state: ChatViewState, at: string | undefined): ChatViewState {
		const { first, earlier } = splitForFirstPaint(state, at);
		this.chatId = state.chatId;
		this.changes = earlier.length === 0 ? [] : [{ type: "earlier-turns", turns: [...earlier] }];
		return first;
	}
}

/** The number of turns to send before the first visible one: enough to scroll until the others have arrived. */
const firstTurns = 24;

/** A chat split into two messages, so that the time until it is readable doesn't depend on its length. */
interface SplitChatState {
	readonly first: ChatViewState;
	/** The turns before; empty unless the chat is long. */
	readonly earlier: readonly TurnView[];
}

/** Splits a chat that is shown at its end, or at the turn `at`. */
export function splitForFirstPaint(state: ChatViewState, at?: string): SplitChatState {
	const { turns } = state;
	const index = turns.findIndex(turn => turn.id === at);
	const read = index === -1 ? turns.length : index;
	const from = read - firstTurns;
	// Not worth a separate message if it isn't longer than the first part.
	return from <= firstTurns
		? { first: state, earlier: [] }
		: { first: { ...state, turns: turns.slice(from) }, earlier: turns.slice(0, from) };
}
