import type { TurnAttachment } from "../../attachments/contract/turnAttachment.ts";
import type { TurnOptions, TurnProgress } from "../contract/turn.ts";

/** A message that is sent after the current answer. */
export interface QueuedMessage {
	/** Also the id of its future turn. If the chat's log contains that turn, the message has been sent. */
	readonly id: string;
	readonly text: string;
	readonly options: TurnOptions;
	/** Attachments, read and uploaded when it was written. */
	readonly attachments: readonly TurnAttachment[];
}

/** Why the queue is paused until the user resumes it. */
export type QueuePauseReason =
	/** The last answer ended in this state. */
	| {
			readonly type: "ended";
			readonly state: Exclude<TurnProgress["state"], "streaming" | "complete">;
	  }
	/** The previous message couldn't be sent. */
	| { readonly type: "notAsked" }
	/** The next message couldn't be sent; `sentence` explains why. */
	| { readonly type: "failed"; readonly sentence: string }
	| { readonly type: "deleted" }
	| { readonly type: "otherService" }
	/** The messages were queued before the chat was opened. */
	| { readonly type: "kept" };

/** The queued messages of a chat, in sending order. */
export interface MessageQueue {
	readonly items: readonly QueuedMessage[];
	readonly mode: { readonly type: "waiting" } | PausedMode;
	/** The message being sent, until it is recorded in the chat's log. */
	readonly sending: string | undefined;
	/** The message being edited, which isn't sent meanwhile. */
	readonly held: string | undefined;
	/** The last removed message and its position. */
	readonly removed: { readonly item: QueuedMessage; readonly index: number } | undefined;
}

interface PausedMode {
	readonly type: "paused";
	readonly reason: QueuePauseReason;
}

export type QueueRefusal =
	/** The message was sent or removed, or belongs to another chat. */
	"gone" | "sending" | "full";

export type QueueChange = (queue: MessageQueue) => MessageQueue | QueueRefusal;

export const emptyQueue: MessageQueue = {
	items: [],
	mode: { type: "waiting" },
	sending: undefined,
	held: undefined,
	removed: undefined,
};

/** The most messages. More than a user can review would be sent by mistake. */
const maxMessages = 50;

/** The most characters including attached texts, which are written with every change. */
const maxCharacters = 5_000_000;

/** Restores a stored queue without the messages that the chat's log contains. The queue is paused. */
export function foundQueue(
	items: readonly QueuedMessage[],
	wasAsked: (id: string) => boolean,
): MessageQueue {
	const waiting = items.filter(({ id }) => !wasAsked(id));
	return settled({ ...emptyQueue, items: waiting, mode: pausedMode({ type: "kept" }) });
}

export function addMessage(item: QueuedMessage): QueueChange {
	return queue => {
		const items = [...queue.items, item];
		const isFull = items.length > maxMessages || charactersOf(items) > maxCharacters;
		return isFull ? "full" : { ...queue, items, removed: undefined };
	};
}

/** Changes a message's text and ends editing. */
export function editMessage(id: string, text: string): QueueChange {
	return changed(id, queue => {
		const items = queue.items.map(item => (item.id === id ? { ...item, text } : item));
		return charactersOf(items) > maxCharacters
			? "full"
			: { ...queue, items, held: queue.held === id ? undefined : queue.held };
	});
}

/** Moves a message one place towards the start (-1) or end (1). Does nothing at the ends and before a message being sent. */
export function moveMessage(id: string, step: 1 | -1): QueueChange {
	return changed(id, queue => {
		const index = queue.items.findIndex(item => item.id === id);
		const [item, other] = [queue.items[index], queue.items[index + step]];
		return !item || !other || other.id === queue.sending
			? queue
			: { ...queue, items: queue.items.with(index, other).with(index + step, item) };
	});
}

/** Removes a message. Can be undone until the next change. */
export function removeMessage(id: string): QueueChange {
	return changed(id, queue => {
		const index = queue.items.findIndex(item => item.id === id);
		const item = queue.items[index];
		return item ? settled({ ...without(queue, id), removed: { item, index } }) : "gone";
	});
}

/** Restores the last removed message at its position. Nothing is sent because of that. */
export function restoreMessage(): QueueChange {
	return queue => {
		const { removed, items } = queue;
		if (!removed) {
			return "gone";
		}
		const sent = items[0]?.id === queue.sending && queue.sending !== undefined ? 1 : 0;
		const index = Math.min(Math.max(removed.index, sent), items.length);
		const mode = items.length === 0 ? pausedMode({ type: "kept" }) : queue.mode;
		return { ...queue, items: items.toSpliced(index, 0, removed.item), mode, removed: undefined };
	};
}

/** Marks the message being edited, or clears the mark. Refuses a message that is being sent. */
export function holdMessage(id: string | undefined): QueueChange {
	return queue =>
		id === undefined
			? { ...queue, held: undefined }
			: changed(id, same => ({ ...same, held: id }))(queue);
}

/** Pauses the queue. An empty queue is never paused. */
export function pauseQueue(queue: MessageQueue, reason: QueuePauseReason): MessageQueue {
	return settled({ ...queue, mode: pausedMode(reason) });
}

export function resumeQueue(queue: MessageQueue): MessageQueue {
	return { ...queue, mode: { type: "waiting" } };
}

/** Returns the message to send now, or undefined if the queue is paused, a message is being sent, or the next one is being edited. */
export function nextMessage({
	items,
	mode,
	sending,
	held,
}: MessageQueue): QueuedMessage | undefined {
	const [next] = items;
	const isFree = mode.type === "waiting" && sending === undefined;
	return isFree && next && next.id !== held ? next : undefined;
}

/** Marks a message as being sent, which locks it. */
export function startSending(queue: MessageQueue, id: string): MessageQueue {
	return { ...queue, sending: id };
}

/** Removes a message that is recorded in the chat's log. */
export function messageAsked(queue: MessageQueue, id: string): MessageQueue {
	return settled({ ...without(queue, id), sending: undefined, removed: undefined });
}

/** Keeps an unsent message at the start and pauses the queue. */
export function sendingFailed(queue: MessageQueue, sentence: string): MessageQueue {
	return pauseQueue({ ...queue, sending: undefined }, { type: "failed", sentence });
}

function changed(id: string, change: QueueChange): QueueChange {
	return queue => {
		if (!queue.items.some(item => item.id === id)) {
			return "gone";
		}
		return queue.sending === id ? "sending" : change(queue);
	};
}

function without(queue: MessageQueue, id: string): MessageQueue {
	return {
		...queue,
		items: queue.items.filter(item => item.id !== id),
		held: queue.held === id ? undefined : queue.held,
	};
}

/** An empty queue is never paused. */
function settled(queue: MessageQueue): MessageQueue {
	return queue.items.length === 0 ? { ...queue, mode: { type: "waiting" } } : queue;
}

function pausedMode(reason: QueuePauseReason): PausedMode {
	return { type: "paused", reason };
}

function charactersOf(items: readonly QueuedMessage[]): number {
	const attached = ({ attachments }: QueuedMessage): number =>
		attachments.reduce((sum, each) => sum + (each.kind === "text" ? each.text.length : 0), 0);
	return items.reduce((sum, item) => sum + item.text.length + attached(item), 0);
}
