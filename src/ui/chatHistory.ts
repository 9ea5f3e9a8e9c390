import * as vscode from "vscode";
import { plainLabel } from "../common/plainLabel.ts";
import type { ChatSummary } from "../chat/chatSummary.ts";

/** Offers the kept chats, the latest first, and returns the id of the chosen one. */
export async function pickChat(
	chats: readonly ChatSummary[],
	currentId: string,
): Promise<string | undefined> {
	if (chats.length === 0) {
		void vscode.window.showInformationMessage(
			"No chats are kept yet. A chat is kept from its first question on.",
		);
		return undefined;
	}
	const picked = await vscode.window.showQuickPick(
		chats.map(chat => ({
			id: chat.id,
			label: plainLabel(chat.title || "Untitled chat"),
			iconPath: new vscode.ThemeIcon(iconOf(chat, currentId)),
			description: new Date(chat.updatedAt).toLocaleString(undefined, {
				dateStyle: "medium",
				timeStyle: "short",
			}),
			detail: detailOf(chat),
		})),
		{ title: "History", placeHolder: "Choose a chat to open", matchOnDescription: true },
	);
	return picked?.id;
}

function iconOf({ id, condition }: ChatSummary, currentId: string): string {
	if (condition === "unreadable") {
		return "warning";
	}
	return id === currentId ? "check" : "comment-discussion";
}

function detailOf({ condition, turnCount }: ChatSummary): string {
	switch (condition) {
		case "unreadable":
			return "Could not be read; its file is kept";
		case "newer":
			return "Written by a newer version of Cutaway; can be read";
		case "readable":
			return turnCount === 1 ? "1 question" : `${turnCount} questions`;
	}
}
