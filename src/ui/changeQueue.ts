import type { ChatChange } from "../protocol/chat.ts";

/** Changes waiting for the next animation frame. */
export interface ChangeQueue {
	/** Takes a change; text that continues the text before it is joined, and of one video in a row only the last is kept. */
	add(change: ChatChange): void;
	/** Everything that waits, in order; the queue is empty afterwards. */
	drain(): ChatChange[];
	readonly isEmpty: boolean;
}

/** Makes an empty queue. Its work grows with what arrives, not with what waits. */
export function createChangeQueue(): ChangeQueue {
	let changes: ChatChange[] = [];
	return {
		add: change => {
			const last = changes.at(-1);
			if (change.type === "reset") {
				changes = [change];
			} else if (
				change.type === "text" &&
				last?.type === "text" &&
				last.turnId === change.turnId &&
				last.index === change.index
			) {
				changes[changes.length - 1] = { ...last, text: last.text + change.text };
			} else if (
				change.type === "video" &&
				last?.type === "video" &&
				last.video.jobId === change.video.jobId
			) {
				changes[changes.length - 1] = change;
			} else {
				changes.push(change);
			}
		},
		drain: () => {
			const drained = changes;
			changes = [];
			return drained;
		},
		get isEmpty() {
			return changes.length === 0;
		},
	};
}
