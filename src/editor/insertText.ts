import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";

/**
 * Inserts text at the cursor of the active editor, replacing the selection, and shows that editor. If an image, video or web page is active, uses the
 * only visible text editor. Throws an error with a message for the user if there is none or more than one.
 */
export async function insertAtCursor(text: string): Promise<void> {
	const editor = vscode.window.activeTextEditor ?? onlyEditor();
	if (!editor) {
		throw new Error(l10n.t("Open the document and put the cursor where you want to insert."));
	}
	const shown = await vscode.window.showTextDocument(editor.document, {
		viewColumn: editor.viewColumn,
	});
	const isInserted = await shown.edit(edit => {
		for (const selection of shown.selections) {
			edit.replace(selection, text);
		}
	});
	if (!isInserted) {
		throw new Error(l10n.t("The document can't be changed."));
	}
	// Collapses the selections, because the next key would replace selected text.
	shown.selections = shown.selections.map(({ end }) => new vscode.Selection(end, end));
}

/** The output panel and the debug console are text editors without a column. */
function onlyEditor(): vscode.TextEditor | undefined {
	const [first, second] = vscode.window.visibleTextEditors.filter(
		({ viewColumn }) => viewColumn !== undefined,
	);
	return second === undefined ? first : undefined;
}
