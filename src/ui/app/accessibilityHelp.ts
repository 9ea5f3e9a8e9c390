import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";

/** Scheme of the help document, which is read-only and created when opened. */
const scheme = "cutaway-help";

/** Provides the accessibility help document. Its text is loaded on first use. */
export function registerAccessibilityHelp(): vscode.Disposable {
	return vscode.workspace.registerTextDocumentContentProvider(scheme, {
		provideTextDocumentContent: async () => {
			const { accessibilityHelpText } = await import("./accessibilityHelpText.ts");
			return accessibilityHelpText(vscode.extensions.getExtension("cutaway.cutaway")?.packageJSON);
		},
	});
}

/** Opens the accessibility help in an editor: the parts of the views, and all keys. */
export async function showAccessibilityHelp(): Promise<void> {
	const path = `/${l10n.t("Cutaway Accessibility Help")}.txt`;
	const opened = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme, path }));
	// The manifest enables word wrap for this language.
	const document = await vscode.languages.setTextDocumentLanguage(opened, "cutaway-help");
	await vscode.window.showTextDocument(document, { preview: true });
}
