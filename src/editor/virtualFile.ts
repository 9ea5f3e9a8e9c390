import * as vscode from "vscode";

/** A file of a virtual workspace: it has no path on this machine, so its bytes come from VS Code. */
export async function readVirtualFile(
	uri: vscode.Uri,
): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
	const bytes = await vscode.workspace.fs.readFile(uri);
	return { name: uri.path.slice(uri.path.lastIndexOf("/") + 1), bytes };
}
