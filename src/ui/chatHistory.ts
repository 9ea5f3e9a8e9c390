import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { locale } from "../protocol/locale.ts";
import { plainLabel } from "../common/plainLabel.ts";
import type { ChatSummary } from "../chat/chatSummary.ts";

/** Offers the kept chats, the latest first, and returns the id of the chosen one. */
export async function pickChat(
	chats: readonly ChatSummary[],
	currentId: string,
): Promise<string | undefined> {
	if (chats.length === 0) {
		void vscode.window.showInformationMessage(
			l10n.t("No chats are kept yet. A chat is kept from its first question on."),
		);
		return undefined;
	}
	const picked = await vscode.window.showQuickPick(
		chats.map(chat => ({
			id: chat.id,
			label: plainLabel(chat.title || l10n.t("Untitled chat")),
			iconPath: new vscode.ThemeIcon(iconOf(chat, currentId)),
			description: new Date(chat.updatedAt).toLocaleString(locale(), {
				dateStyle: "medium",
				timeStyle: "short",
			}),
			detail: detailOf(chat),
		})),
		{
			title: l10n.t("History"),
			placeHolder: l10n.t("Choose a chat to open"),
			matchOnDescription: true,
		},
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
			return l10n.t("Could not be read; its file is kept");
		case "newer":
			return l10n.t("Written by a newer version of Cutaway; can be read");
		case "readable":
			return turnCount === 1 ? l10n.t("1 question") : l10n.t("{0} questions", turnCount);
	}
}
