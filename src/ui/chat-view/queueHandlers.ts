import type { queueRequests, RequestHandlers } from "../../shared/index.ts";
import type { ChatQueue } from "../chat/index.ts";

/** Handles requests about queued messages. */
export function queueHandlers(
	queueOf: () => Promise<ChatQueue>,
): RequestHandlers<typeof queueRequests> {
	const ask = async (use: (queue: ChatQueue) => Promise<void>): Promise<Record<string, never>> => {
		await use(await queueOf());
		return {};
	};
	return {
		queueMessage: ({ text }) => ask(queue => queue.add(text)),
		editQueued: ({ id, text }) => ask(queue => queue.edit(id, text)),
		holdQueued: ({ id }) => ask(queue => queue.hold(id ?? undefined)),
		moveQueued: ({ id, step }) => ask(queue => queue.move(id, step)),
		removeQueued: ({ id }) => ask(queue => queue.remove(id)),
		restoreQueued: () => ask(queue => queue.restore()),
		resumeQueue: () => ask(queue => queue.resume()),
	};
}
