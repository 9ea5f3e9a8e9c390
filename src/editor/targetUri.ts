import * as vscode from "vscode";
import { openedPath } from "../paths/openedPath.ts";
import type { PathTarget } from "../paths/resolveTarget.ts";

/**
 * Returns a file's URI as the editor uses it. If a workspace folder was opened through a link, its documents, problems and tabs have the link's path,
 * but a target's path has no links. The editor wouldn't match the other path.
 */
export function targetUri({ path }: Pick<PathTarget, "path">): vscode.Uri {
	const folders = vscode.workspace.workspaceFolders ?? [];
	const roots = folders.filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath);
	return vscode.Uri.file(openedPath(path, roots));
}
