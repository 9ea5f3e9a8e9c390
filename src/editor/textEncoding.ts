import * as vscode from "vscode";
import { savedNotebookText } from "./notebookText.ts";
import { targetUri } from "./targetUri.ts";

/** Decodes text like the editor, without a byte order mark. Rejects if it isn't text. */
export async function decodeText(path: string, bytes: Uint8Array): Promise<string> {
	const text = await vscode.workspace.decode(bytes, { uri: targetUri({ path }) });
	return text.replace(/^\uFEFF/, "");
}

/** Decodes text like the editor, and a notebook as its cells. Rejects if it isn't text. */
export async function decodeShown(path: string, bytes: Uint8Array): Promise<string> {
	const text = await decodeText(path, bytes);
	return (path.endsWith(".ipynb") ? savedNotebookText(text) : undefined) ?? text;
}
