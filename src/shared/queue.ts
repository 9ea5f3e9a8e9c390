import * as z from "zod/mini";

const text = z.string().check(z.minLength(1), z.maxLength(1_000_000));
const id = z.string().check(z.maxLength(64));
const nothing = z.strictObject({});

/** Web addresses that the user typed into a message; those that something else put there are not among them. */
export const typedAddressesSchema = z.exactOptional(
	z.array(z.string().check(z.maxLength(10_000))).check(z.maxLength(1000)),
);

/** A message that waits until the answer before it has come. */
export const queuedMessageSchema = z.strictObject({
	id: z.string(),
	text: z.string(),
	/** Options it is asked with, chosen when it was written. */
	model: z.string(),
	/** The names of what is sent with it. */
	files: z.array(z.string()),
	/** Whether it is being asked at this moment, so that it cannot be changed any more. */
	isSending: z.boolean(),
});
export type QueuedMessageView = z.infer<typeof queuedMessageSchema>;

/** The messages that wait in the chat, in the order they are asked. */
export const queueViewSchema = z.strictObject({
	items: z.array(queuedMessageSchema),
	/** Why nothing goes out until a user says so, as a sentence; null while the next goes out by itself. */
	paused: z.nullable(z.string()),
	/** The message that is not asked because somebody is changing it. */
	held: z.nullable(z.string()),
	/** The words that were taken out last, which can be put back; null for none. */
	removed: z.nullable(z.string()),
});
export type QueueView = z.infer<typeof queueViewSchema>;

/** Nothing waits. */
export const emptyQueueView: QueueView = { items: [], paused: null, held: null, removed: null };

/** Requests of the chat view about queued messages. Only `resumeQueue` and `sendQueuedNow` let a paused queue go on. */
export const queueRequests = {
	/** Puts words, with what is attached, behind the messages that wait. */
	queueMessage: { params: z.strictObject({ text, typed: typedAddressesSchema }), result: nothing },
	/** Gives a message that waits other words, which ends its being changed. */
	editQueued: { params: z.strictObject({ id, text }), result: nothing },
	/** Says which message is being changed, and so is not asked; null when none is. */
	holdQueued: { params: z.strictObject({ id: z.nullable(id) }), result: nothing },
	/** Moves a message one place to the front or to the end. */
	moveQueued: {
		params: z.strictObject({ id, step: z.union([z.literal(-1), z.literal(1)]) }),
		result: nothing,
	},
	/** Takes a message out. */
	removeQueued: { params: z.strictObject({ id }), result: nothing },
	/** Puts back what was taken out last, where it was. */
	restoreQueued: { params: nothing, result: nothing },
	/** Ends the answer that runs, and asks the first message in its place. */
	sendQueuedNow: { params: nothing, result: nothing },
	/** Lets paused messages go out: the next one at once, or when the answer that runs has come. */
	resumeQueue: { params: nothing, result: nothing },
} as const;
