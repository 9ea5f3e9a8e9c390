import * as vscode from "vscode";

/**
 * Whether a person told the editor that a document's file is read-only, by `files.readonlyInclude`. That keeps their own
 * keyboard from it, but not the edits of an extension. Fault matrix U14.
 */
export function isReadOnly(document: vscode.TextDocument): boolean {
	const files = vscode.workspace.getConfiguration("files", document.uri);
	return (
		isNamed(files.get("readonlyInclude"), document) &&
		!isNamed(files.get("readonlyExclude"), document)
	);
}

function isNamed(patterns: unknown, document: vscode.TextDocument): boolean {
	const folder = vscode.workspace.getWorkspaceFolder(document.uri);
	return (
		typeof patterns === "object" &&
		patterns !== null &&
		Object.entries(patterns)
			.filter(([, isOn]) => isOn === true)
			// A pattern begins at the root or at the workspace folder; the editor's own matcher knows both.
			.flatMap(([glob]) => [glob, ...(folder ? [new vscode.RelativePattern(folder, glob)] : [])])
			.some(pattern => vscode.languages.match({ pattern }, document) > 0)
	);
}
