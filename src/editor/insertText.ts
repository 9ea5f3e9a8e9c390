import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";

/** Puts text at the cursor of the editor a user was in last, in place of what is selected, and shows that editor. */
export async function insertAtCursor(text: string): Promise<void> {
	const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
	if (!editor) {
		throw new Error(l10n.t("Open the document and put the cursor where you want to insert."));
	}
	const shown = await vscode.window.showTextDocument(editor.document, {
		...(editor.viewColumn === undefined ? {} : { viewColumn: editor.viewColumn }),
	});
	const isInserted = await shown.edit(edit => {
		for (const selection of shown.selections) {
			edit.replace(selection, text);
		}
	});
	if (!isInserted) {
		throw new Error(l10n.t("The document can't be changed."));
	}
	// A selected text would be replaced by the next key.
	shown.selections = shown.selections.map(({ end }) => new vscode.Selection(end, end));
}
