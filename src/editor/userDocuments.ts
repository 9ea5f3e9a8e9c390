import * as vscode from "vscode";

const own = new WeakSet<vscode.TextDocument>();

/** Opens a text that Cutaway wrote for editing, such as a storyboard, in an untitled document. */
export async function openOwnDocument(
	content: string,
	language?: string,
): Promise<vscode.TextDocument> {
	const document = await vscode.workspace.openTextDocument({
		content,
		...(language === undefined ? {} : { language }),
	});
	own.add(document);
	await vscode.window.showTextDocument(document, { preview: false });
	return document;
}

/** Schemes of documents with a user's text. Outputs, reports, user settings, comments and versions in source control aren't among them. */
export const userDocumentSchemes: readonly string[] = [
	"file",
	"untitled",
	"cutaway-sample",
	"vscode-remote",
	"vscode-vfs",
	"vscode-notebook-cell",
];

/** Whether a document holds a user's text: none that Cutaway wrote, and no unsaved one without text. */
export function isUserDocument(document: vscode.TextDocument): boolean {
	return (
		userDocumentSchemes.includes(document.uri.scheme) &&
		!own.has(document) &&
		(!document.isUntitled || document.getText().trim() !== "")
	);
}
