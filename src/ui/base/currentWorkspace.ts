import * as vscode from "vscode";
import type { ChatWorkspace } from "../../chat/log/chatRecord.ts";

/** Returns the workspace of this window, or undefined if no folder is open. */
export function currentWorkspace(): ChatWorkspace | undefined {
	const { workspaceFolders = [], name } = vscode.workspace;
	return workspaceFolders.length === 0
		? undefined
		: { folders: workspaceFolders.map(({ uri }) => uri.toString()), name: name ?? "" };
}
