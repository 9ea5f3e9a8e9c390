import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";

/**
 * Reads a file of a virtual workspace through VS Code, because it has no local path. Prefers the open document if it has unsaved changes or no file
 * system. Throws an error with a message for the user if there is neither.
 */
export async function readVirtualFile(
	uri: vscode.Uri,
): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
	const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
	const open = vscode.workspace.textDocuments.find(
		document => document.uri.toString() === uri.toString(),
	);
	if (open && (open.isUntitled || open.isDirty)) {
		return { name, bytes: new TextEncoder().encode(open.getText()) };
	}
	try {
		return { name, bytes: await vscode.workspace.fs.readFile(uri) };
	} catch {
		if (!open) {
			throw new Error(l10n.t("{0} couldn't be read and wasn't attached.", name));
		}
		return { name, bytes: new TextEncoder().encode(open.getText()) };
	}
}
