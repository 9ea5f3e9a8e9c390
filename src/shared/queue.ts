import * as z from "zod/mini";
import { command, nothing } from "./rpc.ts";

const text = z.string().check(z.minLength(1), z.maxLength(1_000_000));
const id = z.string().check(z.maxLength(64));

/** URLs that the user typed into a message, without pasted or inserted ones. */
export const typedAddressesSchema = z.exactOptional(
	z.array(z.string().check(z.maxLength(10_000))).check(z.maxLength(1000)),
);

/** A message that waits for the answer before it. */
export const queuedMessageSchema = z.strictObject({
	id: z.string(),
	text: z.string(),
	model: z.string(),
	files: z.array(z.string()),
	/** Whether it is being sent, so it can't be changed. */
	isSending: z.boolean(),
});
export type QueuedMessageView = z.infer<typeof queuedMessageSchema>;

/** The queued messages of the chat, in the order they are sent. */
export const queueViewSchema = z.strictObject({
	items: z.array(queuedMessageSchema),
	/** Why the queue waits for the user, as a sentence. Null if it isn't paused. */
	paused: z.nullable(z.string()),
	/** Id of the message held back while it is edited. */
	held: z.nullable(z.string()),
	/** The text of the last removed message, which can be restored, or null. */
	removed: z.nullable(z.string()),
});
export type QueueView = z.infer<typeof queueViewSchema>;

export const emptyQueueView: QueueView = { items: [], paused: null, held: null, removed: null };

/** The chat view's requests about queued messages. Only `resumeQueue` and `sendQueuedNow` resume a paused queue. */
export const queueRequests = {
	/** Adds a message with the current attachments to the end of the queue. */
	queueMessage: command({ text, typed: typedAddressesSchema }),
	/** Changes a queued message's text and ends its editing. */
	editQueued: command({ id, text }),
	/** Marks the message being edited, which is held back; null clears the mark. */
	holdQueued: command({ id: z.nullable(id) }),
	/** Moves a message one position up or down. */
	moveQueued: command({ id, step: z.union([z.literal(-1), z.literal(1)]) }),
	removeQueued: command({ id }),
	/** Restores the last removed message at its position. */
	restoreQueued: { params: nothing, result: nothing },
	/** Stops the running answer and sends the first message. */
	sendQueuedNow: { params: nothing, result: nothing },
	/** Resumes a paused queue. Sends the next message at once, or after the running answer. */
	resumeQueue: { params: nothing, result: nothing },
} as const;
