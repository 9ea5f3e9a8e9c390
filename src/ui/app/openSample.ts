import * as vscode from "vscode";

/** A few lines that are worth asking about and fit on a clip; the function is what gets selected. */
const sample = `/** The price of an order in cents, with the discount that its size earns. */
function priceOf(items: readonly { cents: number; count: number }[]): number {
	const sum = items.reduce((total, { cents, count }) => total + cents * count, 0);
	const discount = sum > 100_00 ? 0.1 : sum > 50_00 ? 0.05 : 0;
	return Math.round(sum * (1 - discount));
}
`;

/**
 * Opens an untitled document with a short function in it, selected, for who wants to try Cutaway without code of their own.
 * Nothing is written to disk.
 */
export async function openSample(): Promise<void> {
	const document = await vscode.workspace.openTextDocument({
		language: "typescript",
		content: sample,
	});
	const editor = await vscode.window.showTextDocument(document, { preview: false });
	const end = document.lineAt(document.lineCount - 1).range.end;
	editor.selection = new vscode.Selection(end, new vscode.Position(0, 0));
}
