import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { openChats } from "../../chat/sharing/index.ts";
import {
	type HistoryContext,
	showHistory,
	deleteChat,
	duplicateChat,
	renameChat,
	toggleArchive,
	togglePin,
	copyChat,
	exportChat,
	importChat,
	verifyHistory,
} from "../history/index.ts";

import type { Runtime } from "./runtime.ts";

/** What is done with kept chats, by the end of its command's id. */
export type HistoryStep =
	| "showHistory"
	| "searchChats"
	| "renameChat"
	| "pinChat"
	| "archiveChat"
	| "deleteChat"
	| "duplicateChat"
	| "exportChat"
	| "copyChat"
	| "importChat"
	| "verifyHistory";

/** Runs a command about the history, or about the chat that is shown. */
export async function runHistoryStep(runtime: Runtime, step: HistoryStep): Promise<void> {
	if (step === "verifyHistory") {
		return verifyHistory(runtime.library, runtime.log);
	}
	const context = await historyContext(runtime);
	switch (step) {
		case "showHistory":
			return showHistory(context, false);
		case "searchChats":
			return showHistory(context, true);
		case "importChat":
			return importChat(context);
		default: {
			const { id, turnCount } = context.shown();
			if (turnCount === 0) {
				void vscode.window.showInformationMessage(
					l10n.t("This chat is empty. Chats are saved after your first message."),
				);
				return;
			}
			await shownSteps[step](context, id);
		}
	}
}

/** What is done with the chat that is shown. */
const shownSteps: Readonly<
	Record<
		Exclude<HistoryStep, "showHistory" | "searchChats" | "importChat" | "verifyHistory">,
		(context: HistoryContext, id: string) => Promise<unknown>
	>
> = {
	renameChat,
	pinChat: togglePin,
	archiveChat: toggleArchive,
	deleteChat,
	duplicateChat,
	exportChat,
	copyChat,
};

async function historyContext(runtime: Runtime): Promise<HistoryContext> {
	const controller = await runtime.chat.get();
	const { library, chatsFolder, clock, log, chatView } = runtime;
	return {
		library,
		clock,
		log,
		shown: () => controller.shown,
		open: async (id, turnId) => {
			await controller.open(id);
			await (turnId === undefined ? chatView.open() : chatView.showTurn(turnId));
		},
		stop: () => controller.stop(),
		leave: () => controller.newChat(),
		openIds: () => openChats(chatsFolder, clock),
		folders: () => (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString()),
	};
}
