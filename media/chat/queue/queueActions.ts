import type { ChatPushes, ChatRequests, ChatViewState } from "../../../src/shared/chat.ts";
import type { Host } from "../../shared/host.ts";
import type { ConversationCopy } from "../messages/conversation.ts";
import { describeFailure, type Draft } from "../draft/draft.ts";
import type { QueueEdits } from "./queueEdit.ts";

export interface QueueActions {
	/** Opens a message for editing in place. */
	beginQueueEdit(id: string): void;
	changeQueueEdit(text: string): void;
	/** Cancels editing. */
	leaveQueueEdit(): void;
	/** Saves the edited text. */
	keepQueueEdit(): void;
	moveQueued(id: string, step: 1 | -1): void;
	removeQueued(id: string): void;
	/** Restores the last removed message. */
	restoreQueued(): void;
	/** Stops the running answer to send the first message. */
	sendNow(): void;
	resumeQueue(): void;
	/** Focuses the previous (-1) or next message. */
	stepInQueue(id: string, step: 1 | -1): void;
}

export interface QueueActionDependencies {
	readonly host: Host<ChatRequests, ChatPushes>;
	readonly conversation: Pick<ConversationCopy, "state">;
	readonly queueEdits: QueueEdits;
	/** Focuses a queued message, or a part of it. */
	readonly page: { focusQueued(id: string, selector?: string): void };
	readonly draft: Pick<Draft, "say">;
}

/** Creates the actions. Focuses an editor that opens, and its message when it closes. */
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
	/** Returns the message being edited now or until a moment ago. */
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
