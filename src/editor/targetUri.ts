import * as vscode from "vscode";
import { openedPath } from "../paths/openedPath.ts";
import type { PathTarget } from "../paths/resolveTarget.ts";

/**
 * A file as the editor names it. A workspace folder that was opened by a link keeps the link's name in every document,
 * problem and tab, whereas a target's path is without links; under the other name the editor would know none of them.
 */
export function targetUri({ path }: Pick<PathTarget, "path">): vscode.Uri {
	const folders = vscode.workspace.workspaceFolders ?? [];
	const roots = folders.filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath);
	return vscode.Uri.file(openedPath(path, roots));
}
