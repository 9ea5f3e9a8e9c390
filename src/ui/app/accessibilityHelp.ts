import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";

/** The scheme of the help's document, which is made when it is opened and cannot be changed. */
const scheme = "cutaway-help";

/** Makes the document of the accessibility help for whoever opens it; its text is loaded with the first. */
export function registerAccessibilityHelp(): vscode.Disposable {
	return vscode.workspace.registerTextDocumentContentProvider(scheme, {
		provideTextDocumentContent: async () => {
			const { accessibilityHelpText } = await import("./accessibilityHelpText.ts");
			return accessibilityHelpText(vscode.extensions.getExtension("cutaway.cutaway")?.packageJSON);
		},
	});
}

/** Opens the accessibility help in an editor: what is where, and every key. */
export async function showAccessibilityHelp(): Promise<void> {
	const path = `/${l10n.t("Cutaway Accessibility Help")}.txt`;
	const opened = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme, path }));
	// The manifest has editors wrap this language, so that no sentence runs out of sight.
	const document = await vscode.languages.setTextDocumentLanguage(opened, "cutaway-help");
	await vscode.window.showTextDocument(document, { preview: true });
}
