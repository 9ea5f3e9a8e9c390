import * as vscode from "vscode";
import { targetUri } from "./targetUri.ts";

/** Decodes text as the editor shows it, without a byte order mark. Rejects for what is no text there. */
export async function decodeText(path: string | undefined, bytes: Uint8Array): Promise<string> {
	const text =
		path === undefined
			? await vscode.workspace.decode(bytes)
			: await vscode.workspace.decode(bytes, { uri: targetUri({ path }) });
	return text.replace(/^\uFEFF/, "");
}
