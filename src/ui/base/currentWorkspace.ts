import * as vscode from "vscode";
import type { ChatWorkspace } from "../../chat/log/chatRecord.ts";

/** The workspace of this window; undefined when no folder is open. */
export function currentWorkspace(): ChatWorkspace | undefined {
	const { workspaceFolders = [], name } = vscode.workspace;
	return workspaceFolders.length === 0
		? undefined
		: { folders: workspaceFolders.map(({ uri }) => uri.toString()), name: name ?? "" };
}
