import { isAbsolute, matchesGlob, relative, sep } from "node:path";
import * as vscode from "vscode";
import { excludedPatterns } from "../editor/workspaceFiles.ts";

/** Whether the settings `files.exclude` and `search.exclude` leave a path out; for absolute paths. */
export function isExcludedPath(path: string): boolean {
	const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
	const inFolder = folders
		.map(folder => relative(folder, path))
		.find(inner => !inner.startsWith("..") && !isAbsolute(inner));
	const shown = (inFolder ?? path).split(sep).join("/").replace(/^\/+/, "");
	return excludedPatterns().some(pattern => matchesGlob(shown, pattern));
}
