import * as vscode from "vscode";
import { sampleUri } from "./sampleDocument.ts";

/** Opens a read-only document with a short selected function, for trying Cutaway without own code. */
export async function openSample(): Promise<void> {
	const document = await vscode.workspace.openTextDocument(sampleUri);
	const editor = await vscode.window.showTextDocument(document, { preview: false });
	const end = document.lineAt(document.lineCount - 1).range.end;
	editor.selection = new vscode.Selection(end, new vscode.Position(0, 0));
}
