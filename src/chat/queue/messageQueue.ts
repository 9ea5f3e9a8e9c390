import type { TurnAttachment } from "../../attachments/attachment/turnAttachment.ts";
import type { TurnOptions, TurnProgress } from "../turn/turn.ts";

/** A message that waits until the answer before it has come. */
export interface QueuedMessage {
	/** Its turn will have the same id: once the chat's log holds such a turn, the message was asked and waits no more. */
	readonly id: string;
	readonly text: string;
	/** Options it is asked with, as chosen when it was written. */
	readonly options: TurnOptions;
	/** Attachments, read and uploaded when it was written. */
	readonly attachments: readonly TurnAttachment[];
}

/** Why nothing goes out until a user says so. */
export type QueuePauseReason =
	/** The last answer ended like this. */
	| {
			readonly type: "ended";
			readonly state: Exclude<TurnProgress["state"], "streaming" | "complete">;
	  }
	/** The question before was not asked. */
	| { readonly type: "notAsked" }
	/** The next message could not be asked; `sentence` says why. */
	| { readonly type: "failed"; readonly sentence: string }
	/** The chat was deleted. */
	| { readonly type: "deleted" }
	/** They were written while another service answered. */
	| { readonly type: "otherService" }
	/** The messages are from before the chat was opened. */
	| { readonly type: "kept" };

/** The messages of one chat that wait, in the order they are asked. */
export interface MessageQueue {
	readonly items: readonly QueuedMessage[];
	readonly mode: { readonly type: "waiting" } | PausedMode;
	/** The message on its way from here to its record in the chat's log. */
	readonly sending: string | undefined;
	/** The message a user is changing, which is not sent meanwhile. */
	readonly held: string | undefined;
	/** Message taken out last, and its position. */
	readonly removed: { readonly item: QueuedMessage; readonly index: number } | undefined;
}

interface PausedMode {
	readonly type: "paused";
	readonly reason: QueuePauseReason;
}

/** Why a change of the queue was refused. */
export type QueueRefusal =
	/** The message was asked, or taken out, or is of another chat. */
	| "gone"
	/** The message is being asked at this moment. */
	| "sending"
	/** There is no room for more. */
	| "full";

/** Result of a change of the queue. */
export type QueueChange = (queue: MessageQueue) => MessageQueue | QueueRefusal;

/** Nothing waits. */
export const emptyQueue: MessageQueue = {
	items: [],
	mode: { type: "waiting" },
	sending: undefined,
	held: undefined,
	removed: undefined,
};

/** How many messages wait at most; more than a user can look over are asked for by mistake. */
const maxMessages = 50;

/** How many characters wait at most, texts of attachments included: what the queue's file takes with every change. */
const maxCharacters = 5_000_000;

/** The queue as it was found on disk: whatever the chat's log holds now was asked, and nothing goes out by itself. */
export function foundQueue(
	items: readonly QueuedMessage[],
	wasAsked: (id: string) => boolean,
): MessageQueue {
	const waiting = items.filter(({ id }) => !wasAsked(id));
	return settled({ ...emptyQueue, items: waiting, mode: pausedMode({ type: "kept" }) });
}

/** Puts a message at the end. */
export function addMessage(item: QueuedMessage): QueueChange {
	return queue => {
		const items = [...queue.items, item];
		const isFull = items.length > maxMessages || charactersOf(items) > maxCharacters;
		return isFull ? "full" : { ...queue, items, removed: undefined };
	};
}

/** Gives a message other words, which ends its being changed. */
export function editMessage(id: string, text: string): QueueChange {
	return changed(id, queue => {
		const items = queue.items.map(item => (item.id === id ? { ...item, text } : item));
		return charactersOf(items) > maxCharacters
			? "full"
			: { ...queue, items, held: queue.held === id ? undefined : queue.held };
	});
}

/** Moves a message one place towards the front (-1) or the end (1); at the ends, and before one being asked, it stays. */
export function moveMessage(id: string, step: 1 | -1): QueueChange {
	return changed(id, queue => {
		const index = queue.items.findIndex(item => item.id === id);
		const [item, other] = [queue.items[index], queue.items[index + step]];
		return !item || !other || other.id === queue.sending
			? queue
			: { ...queue, items: queue.items.with(index, other).with(index + step, item) };
	});
}

/** Takes a message out, which can be taken back until something else happens. */
export function removeMessage(id: string): QueueChange {
	return changed(id, queue => {
		const index = queue.items.findIndex(item => item.id === id);
		const item = queue.items[index];
		return item ? settled({ ...without(queue, id), removed: { item, index } }) : "gone";
	});
}

/** Puts back what was taken out last, where it was; nothing goes out because of it. */
export function restoreMessage(): QueueChange {
	return queue => {
		const { removed, items } = queue;
		if (!removed) {
			return "gone";
		}
		const sent = items[0]?.id === queue.sending && queue.sending !== undefined ? 1 : 0;
		const index = Math.min(Math.max(removed.index, sent), items.length);
		const mode = items.length === 0 ? pausedMode({ type: "kept" }) : queue.mode;
		return {
			...queue,
			items: items.toSpliced(index, 0, removed.item),
			mode,
			removed: undefined,
		};
	};
}

/** A user begins to change a message, or nobody changes any. One that is being asked cannot be changed. */
export function holdMessage(id: string | undefined): QueueChange {
	return queue =>
		id === undefined
			? { ...queue, held: undefined }
			: changed(id, same => ({ ...same, held: id }))(queue);
}

/** From here on nothing goes out by itself; an empty queue has nothing to hold back. */
export function pauseQueue(queue: MessageQueue, reason: QueuePauseReason): MessageQueue {
	return settled({ ...queue, mode: pausedMode(reason) });
}

/** A user lets the messages go out again. */
export function resumeQueue(queue: MessageQueue): MessageQueue {
	return { ...queue, mode: { type: "waiting" } };
}

/** The message to ask now that nothing runs; none while the queue is paused, asks already or the next one is being changed. */
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

/** A message is on its way: nobody changes it any more. */
export function startSending(queue: MessageQueue, id: string): MessageQueue {
	return { ...queue, sending: id };
}

/** The chat's log holds the message as a question. */
export function messageAsked(queue: MessageQueue, id: string): MessageQueue {
	return settled({ ...without(queue, id), sending: undefined, removed: undefined });
}

/** The message was not asked: it stays the first, and a user has to say what becomes of it. */
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

/** Where nothing waits, nothing is held back either. */
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
