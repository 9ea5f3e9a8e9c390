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

/** The schemes of files and other texts of a user that are known. */
export const userDocumentSchemes: readonly string[] = [
	"file",
	"untitled",
	"cutaway-sample",
	"vscode-remote",
	"vscode-vfs",
	"vscode-notebook-cell",
];

/** Schemes of outputs, reports, user settings, comments and versions in source control. Those of other file systems can't be listed. */
const otherSchemes =
	/^(?:output|debug|comment|git|gitfs|search-editor|vscode|vscode-(?:userdata|scm|terminal|notebook-cell-output)|cutaway-(?:edit|help|report))$/;

/** Whether a document holds a user's text: none that Cutaway wrote, and no unsaved one without text. */
export function isUserDocument(document: vscode.TextDocument): boolean {
	return (
		!otherSchemes.test(document.uri.scheme) &&
		!own.has(document) &&
		(!document.isUntitled || document.getText().trim() !== "")
	);
}
