import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { crashedHtml } from "../webview/chatHtml.ts";

/** Shows in the view that the page stopped working, and in a notification in case the view shows nothing. Offers Reload. */
export function showCrashedPage(view: vscode.WebviewView, extensionUri: vscode.Uri): void {
	const title = l10n.t("The chat view stopped working.");
	const kept = l10n.t("Your chats are kept, and a running answer continues.");
	view.webview.html = crashedHtml(view.webview, extensionUri, {
		title,
		paragraphs: [
			kept,
			l10n.t(
				"It was reloaded and failed again within a minute. To try again, run the command “Cutaway: Reload Chat View”.",
			),
		],
	});
	const hint = l10n.t(
		"If it stays blank, reload the window. That stops a running answer and keeps its text.",
	);
	void offerReload(`${title} ${kept} ${hint}`);
}

async function offerReload(message: string): Promise<void> {
	const reload = l10n.t("Reload Chat View");
	// All pages of a view share a process, so only reloading the window ends one that hangs.
	const reloadWindow = l10n.t("Reload Window");
	const choice = await vscode.window.showWarningMessage(message, reload, reloadWindow);
	if (choice !== undefined) {
		await vscode.commands.executeCommand(
			choice === reload ? "cutaway.reloadChatView" : "workbench.action.reloadWindow",
		);
	}
}
