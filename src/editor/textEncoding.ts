import * as vscode from "vscode";
import { savedNotebookText } from "./notebookText.ts";
import { targetUri } from "./targetUri.ts";

/** Decodes text as the editor shows it, without a byte order mark. Rejects for what is no text there. */
export async function decodeText(path: string, bytes: Uint8Array): Promise<string> {
	const text = await vscode.workspace.decode(bytes, { uri: targetUri({ path }) });
	return text.replace(/^\uFEFF/, "");
}

/** Decodes text as the editor shows it, a notebook as its cells. Rejects for what is no text there. */
export async function decodeShown(path: string, bytes: Uint8Array): Promise<string> {
	const text = await decodeText(path, bytes);
	return (path.endsWith(".ipynb") ? savedNotebookText(text) : undefined) ?? text;
}
