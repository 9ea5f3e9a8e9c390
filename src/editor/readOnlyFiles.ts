import * as vscode from "vscode";
import type { Target } from "../paths/index.ts";
import { isWriteProtected } from "../tools/tool/index.ts";
import { targetUri } from "./targetUri.ts";

/**
 * Whether a person told the editor that a file is read-only, by `files.readonlyInclude` or `files.readonlyFromPermissions`.
 * That keeps their own keyboard from it, but not the edits of an extension. Fault matrix U14.
 */
export function isReadOnly(target: Target): boolean {
	const uri = targetUri(target);
	const files = vscode.workspace.getConfiguration("files", uri);
	if (isNamed(files.get("readonlyExclude"), uri)) {
		return false;
	}
	return (
		isNamed(files.get("readonlyInclude"), uri) ||
		(files.get("readonlyFromPermissions") === true && isWriteProtected(target))
	);
}

function isNamed(patterns: unknown, uri: vscode.Uri): boolean {
	const folder = vscode.workspace.getWorkspaceFolder(uri);
	// oxlint-disable-next-line no-unsafe-type-assertion -- The editor's matcher looks at nothing else of a document, and a file need not be open.
	const document = { uri, languageId: "" } as vscode.TextDocument;
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
