import * as vscode from "vscode";

/** Makes the URIs of texts with the same name unique. */
let shown = 0;

/** Shows a text in a read-only document without a file, which closes without a prompt. */
export async function showText(name: string, text: string): Promise<void> {
	shown += 1;
	const uri = vscode.Uri.from({
		scheme: "cutaway-report",
		path: `/${name.replaceAll(/[/\\]/g, " ")}`,
		query: String(shown),
	});
	const provider = vscode.workspace.registerTextDocumentContentProvider(uri.scheme, {
		provideTextDocumentContent: () => text,
	});
	try {
		const document = await vscode.workspace.openTextDocument(uri);
		await vscode.window.showTextDocument(document, { preview: true });
	} finally {
		provider.dispose();
	}
}
