import type { ChatPushes, ChatRequests, ChatViewState } from "../../../src/shared/chat.ts";
import type { Host } from "../../shared/host.ts";
import type { ConversationCopy } from "../messages/conversation.ts";
import { describeFailure, type Draft } from "../draft/draft.ts";
import type { QueueEdits } from "./queueEdit.ts";

/** Actions on queued messages. */
export interface QueueActions {
	/** Opens a message for changing, in its own place. */
	beginQueueEdit(id: string): void;
	changeQueueEdit(text: string): void;
	/** Leaves the message that is being changed as it was. */
	leaveQueueEdit(): void;
	/** Gives it its new words. */
	keepQueueEdit(): void;
	moveQueued(id: string, step: 1 | -1): void;
	removeQueued(id: string): void;
	/** Puts back what was removed last. */
	restoreQueued(): void;
	/** Ends the answer that runs for the first message. */
	sendNow(): void;
	/** Lets messages go out that are held back. */
	resumeQueue(): void;
	/** Goes to the message before (-1) or behind one. */
	stepInQueue(id: string, step: 1 | -1): void;
}

/** Dependencies of the actions of queued messages. */
export interface QueueActionDependencies {
	readonly host: Host<ChatRequests, ChatPushes>;
	readonly conversation: Pick<ConversationCopy, "state">;
	readonly queueEdits: QueueEdits;
	/** Puts the focus on a message that waits, or on a part of it. */
	readonly page: { focusQueued(id: string, selector?: string): void };
	readonly draft: Pick<Draft, "say">;
}

/** Makes them; the focus goes into an editor that opens, and back to its message when it closes. */
export function createQueueActions(dependencies: QueueActionDependencies): QueueActions {
	const { host, conversation, queueEdits, page, draft } = dependencies;
	const ask: Host<ChatRequests, ChatPushes>["call"] = (method, params) => {
		const call = host.call(method, params);
		call.catch((error: unknown) => draft.say(describeFailure(error)));
		return call;
	};
	const withState = (use: (state: ChatViewState) => void): void => {
		const { state } = conversation;
		if (state) {
			use(state);
		}
	};
	/** The message that was changed a moment ago, or is. */
	const editedId = (state: ChatViewState): string => queueEdits.of(state)?.id ?? "";
	return {
		beginQueueEdit: id =>
			withState(state => page.focusQueued(queueEdits.begin(state, id), "textarea")),
		changeQueueEdit: text => withState(({ chatId }) => queueEdits.change(chatId, text)),
		leaveQueueEdit: () =>
			withState(state => {
				const id = editedId(state);
				queueEdits.leave(state.chatId);
				page.focusQueued(id);
			}),
		keepQueueEdit: () =>
			withState(state => {
				const id = editedId(state);
				void queueEdits.keep(state.chatId).then(isKept => {
					if (isKept) {
						page.focusQueued(id);
					}
				});
			}),
		moveQueued: (id, step) => void ask("moveQueued", { id, step }),
		removeQueued: id => void ask("removeQueued", { id }),
		restoreQueued: () => void ask("restoreQueued", {}),
		sendNow: () => void ask("sendQueuedNow", {}),
		resumeQueue: () => void ask("resumeQueue", {}),
		stepInQueue: (id, step) =>
			withState(({ queue: { items } }) => {
				const next = items[items.findIndex(item => item.id === id) + step];
				if (next) {
					page.focusQueued(next.id);
				}
			}),
	};
}
