import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ChatLibrary } from "../../chat/library/chatLibrary.ts";
import type { ChatSummary } from "../../chat/library/chatSummary.ts";
import { toError } from "../../common/errors.ts";
import { plainLabel } from "../../common/plainMarkdown.ts";
import { isConfirmed } from "../base/dialogs.ts";
import type { ShownChat } from "../chat/shownChat.ts";
import { nameOf } from "./chatHistoryRows.ts";

const maxNameCharacters = 200;

export interface HistoryActionDependencies {
	readonly library: ChatLibrary;
	readonly shown: () => ShownChat;
	/** Opens a chat, at a turn or at its end, and reveals the view. */
	readonly open: (id: string, turnId?: string) => Promise<void>;
	readonly stop: () => void;
	/** Closes the shown chat and shows an empty one. */
	readonly leave: () => Promise<void>;
}

/** Asks for a chat's name. An empty name restores that of its first question. */
export async function renameChat(
	{ library }: HistoryActionDependencies,
	id: string,
): Promise<void> {
	const chat = await chatOf(library, id);
	const title = await vscode.window.showInputBox({
		title: l10n.t("Rename Chat"),
		value: chat.title,
		prompt: l10n.t("Leave empty to name it after its first message."),
		validateInput: text =>
			[...text.trim()].length > maxNameCharacters
				? l10n.t("Use at most {0} characters.", maxNameCharacters)
				: undefined,
	});
	if (title !== undefined && title.trim() !== chat.title) {
		await library.rename(id, title);
	}
}

export async function togglePin({ library }: HistoryActionDependencies, id: string): Promise<void> {
	const chat = await chatOf(library, id);
	await library.setPinned(id, !chat.isPinned);
	say(
		chat.isPinned
			? l10n.t("“{0}” is no longer pinned.", nameOf(chat))
			: l10n.t("“{0}” is pinned in the history.", nameOf(chat)),
	);
}

/** Archives or unarchives a chat and reports where it is now. */
export async function toggleArchive(
	dependencies: HistoryActionDependencies,
	id: string,
): Promise<void> {
	const { library } = dependencies;
	const chat = await chatOf(library, id);
	await library.setArchived(id, !chat.isArchived);
	const undo = async (): Promise<void> => library.setArchived(id, chat.isArchived);
	offer(
		chat.isArchived
			? l10n.t("“{0}” is no longer archived.", nameOf(chat))
			: l10n.t("Archived “{0}”. The history lists it under its archive button.", nameOf(chat)),
		l10n.t("Undo"),
		undo,
	);
}

/**
 * Deletes a chat and offers to undo that. If it is shown, shows an empty chat instead. Asks first if an answer is running. Resolves to whether it was
 * deleted, without waiting for the undo.
 */
export async function deleteChat(
	dependencies: HistoryActionDependencies,
	id: string,
): Promise<boolean> {
	const { library, shown, open, stop, leave } = dependencies;
	const chat = await chatOf(library, id);
	const isShown = shown().id === id;
	if (isShown && shown().isAnswering && !(await mayStopAnswer(chat))) {
		return false;
	}
	if (isShown) {
		// Leaving without stopping would mark the answer as interrupted rather than stopped.
		stop();
		await leave();
	}
	await library.delete(id);
	offer(
		l10n.t("Deleted “{0}”. It can be restored for 30 days.", nameOf(chat)),
		l10n.t("Undo"),
		async () => {
			await library.restore(id);
			if (isShown) {
				await open(id);
			}
		},
	);
	return true;
}

export async function restoreChat(
	{ library }: HistoryActionDependencies,
	id: string,
): Promise<void> {
	await library.restore(id);
	const chat = await chatOf(library, id);
	say(l10n.t("Restored “{0}”.", nameOf(chat)));
}

/** Copies a chat and shows the copy. */
export async function duplicateChat(
	{ library, open }: HistoryActionDependencies,
	id: string,
): Promise<void> {
	const chat = await chatOf(library, id);
	await open(await library.duplicate(id));
	say(l10n.t("This is a copy of “{0}”. The original stays as it is.", nameOf(chat)));
}

function mayStopAnswer(chat: ChatSummary): Promise<boolean> {
	return isConfirmed(
		plainLabel(l10n.t("“{0}” is receiving an answer.", nameOf(chat))),
		l10n.t("Stop and Delete"),
		l10n.t("Deleting the chat stops it. The chat can be restored for 30 days."),
	);
}

async function chatOf(library: ChatLibrary, id: string): Promise<ChatSummary> {
	const chat = await library.get(id);
	if (!chat) {
		throw new Error(l10n.t("This chat no longer exists."));
	}
	return chat;
}

/** Shows a notification with a button that runs `act`. Doesn't wait for the user. Shows an error if `act` fails. */
export function offer(sentence: string, button: string, act: () => Promise<unknown>): void {
	const run = async (): Promise<void> => {
		if (await vscode.window.showInformationMessage(plainLabel(sentence), button)) {
			await act();
		}
	};
	run().catch((error: unknown) => {
		const { message } = toError(error);
		void vscode.window.showErrorMessage(plainLabel(l10n.t("The action failed: {0}", message)));
	});
}

/** How long a status bar message stays, in milliseconds. */
const sayMs = 5000;

function say(sentence: string): void {
	vscode.window.setStatusBarMessage(plainLabel(sentence), sayMs);
}
