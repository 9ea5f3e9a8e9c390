import { addedAddresses } from "../../shared/webAddresses.ts";
import type { queueRequests } from "../../shared/queue.ts";
import type { RequestHandlers } from "../../shared/rpc.ts";
import type { ChatController } from "../chat/chatController.ts";

/** Handles requests about queued messages. */
export function queueHandlers(
	chatOf: () => Promise<ChatController>,
): RequestHandlers<typeof queueRequests> {
	const ask = async (
		use: (chat: ChatController) => Promise<void>,
	): Promise<Record<string, never>> => {
		await use(await chatOf());
		return {};
	};
	return {
		queueMessage: ({ text, typed = [] }) =>
			ask(chat => {
				chat.noteTyped(typed);
				return chat.queue.add(text);
			}),
		editQueued: ({ id, text }) =>
			ask(chat => {
				const { text: before = "" } = chat.queue.view().items.find(item => item.id === id) ?? {};
				chat.noteTyped(addedAddresses(before, text));
				return chat.queue.edit(id, text);
			}),
		holdQueued: ({ id }) => ask(({ queue }) => queue.hold(id ?? undefined)),
		moveQueued: ({ id, step }) => ask(({ queue }) => queue.move(id, step)),
		removeQueued: ({ id }) => ask(({ queue }) => queue.remove(id)),
		restoreQueued: () => ask(({ queue }) => queue.restore()),
		sendQueuedNow: async () => {
			const chat = await chatOf();
			await chat.queue.sendNow(() => chat.stop());
			return {};
		},
		resumeQueue: () => ask(({ queue }) => queue.resume()),
	};
}
