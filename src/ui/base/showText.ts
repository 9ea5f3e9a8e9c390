import * as vscode from "vscode";

/** So that a second text of one name is a document of its own. */
let shown = 0;

/** Shows a text that is of no file, so that it can't be changed and closing it asks for nothing. */
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
