import * as vscode from "vscode";
import { cellsText, outputText, shownOutput } from "./notebookText.ts";

/** The cells and outputs of a notebook as its editor shows them, unsaved changes included. */
export function openNotebookText(notebook: vscode.NotebookDocument): string {
	return cellsText(
		notebook.getCells().map(({ kind, document, outputs }) => ({
			kind: kind === vscode.NotebookCellKind.Markup ? "markdown" : document.languageId,
			source: document.getText(),
			outputs: outputs.map(outputOf),
		})),
	);
}

/** Outputs that every kernel has: what was printed, and errors. */
const printed = /^application\/vnd\.code\.notebook\.(?:stdout|stderr)$/;
const failed = "application/vnd.code.notebook.error";

function outputOf({ items }: vscode.NotebookCellOutput): string {
	const text = new TextDecoder();
	const [first] = items;
	if (first && (printed.test(first.mime) || first.mime === failed)) {
		return shownOutput(items.map(({ data }) => text.decode(data)).join(""));
	}
	return outputText(
		items.map(({ mime, data }) => ({
			mimeType: mime,
			text: mime.startsWith("text/") ? text.decode(data) : undefined,
			size: data.length,
		})),
	);
}
