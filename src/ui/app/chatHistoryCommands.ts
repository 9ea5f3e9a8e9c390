import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { openChats } from "../../chat/sharing/takeover.ts";
import { type ChatHistoryDependencies, showHistory } from "../history/chatHistory.ts";
import {
	deleteChat,
	duplicateChat,
	renameChat,
	toggleArchive,
	togglePin,
} from "../history/chatHistoryActions.ts";
import { copyChat, exportChat, importChat } from "../history/chatTransfer.ts";
import { verifyHistory } from "../history/verifyHistory.ts";

import type { Runtime } from "./runtime.ts";

/** Actions on saved chats, by the end of the command's id. */
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

type HistoryRuntime = Pick<
	Runtime,
	"chat" | "chatView" | "library" | "chatsFolder" | "clock" | "log"
>;

/** Runs a command about the history, or about the shown chat. */
export async function runHistoryStep(runtime: HistoryRuntime, step: HistoryStep): Promise<void> {
	if (step === "verifyHistory") {
		return verifyHistory(runtime.library, runtime.log);
	}
	const dependencies = await historyDependencies(runtime);
	switch (step) {
		case "showHistory":
			return showHistory(dependencies, false);
		case "searchChats":
			return showHistory(dependencies, true);
		case "importChat":
			return importChat(dependencies);
		default: {
			const { id, turnCount } = dependencies.shown();
			if (turnCount === 0) {
				void vscode.window.showInformationMessage(
					l10n.t("Chats are saved after your first message."),
				);
				return;
			}
			await shownSteps[step](dependencies, id);
		}
	}
}

const shownSteps: Readonly<
	Record<
		Exclude<HistoryStep, "showHistory" | "searchChats" | "importChat" | "verifyHistory">,
		(dependencies: ChatHistoryDependencies, id: string) => Promise<unknown>
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

async function historyDependencies(runtime: HistoryRuntime): Promise<ChatHistoryDependencies> {
	const controller = await runtime.chat.get();
	const { library, chatsFolder, clock, log, chatView } = runtime;
	return {
		library,
		clock,
		log,
		shown: () => controller.shown,
		// Focuses without waiting until the previous chat is saved, because a late focus change would steal keystrokes.
		open: (id, turnId) =>
			controller.open(id, () =>
				turnId === undefined ? chatView.open() : chatView.showTurn(turnId),
			),
		stop: () => controller.stop(),
		leave: () => controller.newChat(),
		openIds: () => openChats(chatsFolder, clock),
		folders: () => (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString()),
	};
}
