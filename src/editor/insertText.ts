import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";

/**
 * Puts text at the cursor of the active editor, in place of what is selected, and shows that editor. Where an image, a video or a
 * page is active, it takes the one text editor beside it. Throws the sentence where there is none, or more than one.
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
	// A selected text would be replaced by the next key.
	shown.selections = shown.selections.map(({ end }) => new vscode.Selection(end, end));
}

/** The output panel and the debug console are text editors without a column. */
function onlyEditor(): vscode.TextEditor | undefined {
	const [first, second] = vscode.window.visibleTextEditors.filter(
		({ viewColumn }) => viewColumn !== undefined,
	);
	return second === undefined ? first : undefined;
}
