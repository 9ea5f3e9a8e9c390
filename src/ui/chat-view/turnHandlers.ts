import * as vscode from "vscode";
import { withoutHidden } from "../../common/hiddenText.ts";
import { addedAddresses } from "../../shared/webAddresses.ts";
import type { ChatRequests } from "../../shared/chat.ts";
import type { RequestHandlers } from "../../shared/rpc.ts";
import type { ChatController } from "../chat/chatController.ts";

/** Takes what a user does with a question, its answer and the calls of tools in it; `ask` uses the chat that is shown. */
export function turnHandlers(
	ask: (use: (chat: ChatController) => unknown) => Promise<Record<string, never>>,
) {
	return {
		duplicateChat: ({ turnId }) => ask(chat => chat.duplicate(turnId)),
		retryTurn: ({ turnId, model }) => ask(({ again }) => again.retry(turnId, model)),
		editQuestion: ({ turnId, text, without }) =>
			ask(chat => {
				chat.noteTyped(addedAddresses(chat.sourceOf(turnId, -1), text));
				return chat.again.edit(turnId, text, without);
			}),
		showVersion: ({ turnId, step }) => ask(({ again }) => again.showVersion(turnId, step)),
		runAction: ({ turnId, action }) => ask(({ again }) => again.runAction(turnId, action)),
		answerTool: answer => ask(chat => chat.answerTool(answer)),
		showProposal: place => ask(({ tools }) => tools.cards.showProposal(place)),
		answerQuestion: answer => ask(chat => chat.answerQuestion(answer)),
		cancelTool: place => ask(({ tools }) => tools.cancel(place)),
		undoTool: place => ask(({ tools }) => tools.history.undo(place)),
		showChangedFiles: () => ask(({ tools }) => tools.history.showChangedFiles()),
		copyMessage: ({ turnId, index }) =>
			ask(chat => {
				const text = chat.sourceOf(turnId, index);
				return vscode.env.clipboard.writeText(index < 0 ? text : withoutHidden(text));
			}),
	} satisfies Partial<RequestHandlers<ChatRequests>>;
}
