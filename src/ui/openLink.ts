import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";

/** The longest query and fragment that open without a question of our own (threat T17). */
const maxQuietLength = 64;

/**
 * Opens a link from an answer in the browser. Only https is opened; a link that carries much data in its query or fragment
 * is shown whole first, because an answer may have been written to carry data out (threat T17).
 */
export async function openLink(text: string): Promise<void> {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url?.protocol !== "https:" || url.username || url.password) {
		void vscode.window.showWarningMessage(l10n.t("Only plain https links are opened."));
		return;
	}
	if (url.search.length + url.hash.length > maxQuietLength) {
		const open = l10n.t("Open");
		const choice = await vscode.window.showWarningMessage(
			l10n.t("Open this link to {0}?", url.host),
			{
				modal: true,
				detail: l10n.t(
					"It carries {0} characters of data to that site:\n\n{1}",
					url.search.length + url.hash.length,
					url.href,
				),
			},
			open,
		);
		if (choice !== open) {
			return;
		}
	}
	await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
}
