import * as vscode from "vscode";
import * as l10n from "@vscode/l10n";

/** The sample's URI: a read-only document that is created when opened and needs no saving. */
const sampleUri = { scheme: "cutaway-sample", path: "/priceOf.ts" };

/** A few lines worth asking about that fit on a clip. The function is selected. */
const sample = `/** The price of an order in cents, with the discount that its size earns. */
function priceOf(items: readonly { cents: number; count: number }[]): number {
	const sum = items.reduce((total, { cents, count }) => total + cents * count, 0);
	const discount = sum > 100_00 ? 0.1 : sum > 50_00 ? 0.05 : 0;
	return Math.round(sum * (1 - discount));
}
`;

/** Provides the sample, also for a tab from before a reload. */
export function registerSample(): vscode.Disposable {
	return vscode.workspace.registerTextDocumentContentProvider(sampleUri.scheme, {
		provideTextDocumentContent: () => sample,
	});
}

/** Opens a read-only document with a short selected function, for trying Cutaway without own code. */
export async function openSample(): Promise<void> {
	const document = await vscode.workspace.openTextDocument(vscode.Uri.from(sampleUri));
	const editor = await vscode.window.showTextDocument(document, { preview: false });
	const end = document.lineAt(document.lineCount - 1).range.end;
	editor.selection = new vscode.Selection(end, new vscode.Position(0, 0));
}

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
