import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { userDocumentSchemes } from "../../editor/userDocuments.ts";
import { userSetting } from "../base/userSetting.ts";

/** The kind of actions for a selection, listed in “Refactor…”. */
const selectionKind = vscode.CodeActionKind.Refactor.append("cutaway");

/**
 * Registers code actions that ask about problems at the cursor or about a selection. Reads and sends nothing before one is selected.
 * `cutaway.editor.lightBulb` disables them.
 */
export function registerLightBulb(): vscode.Disposable {
	return vscode.languages.registerCodeActionsProvider(
		userDocumentSchemes.map(scheme => ({ scheme })),
		{ provideCodeActions },
		{ providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, selectionKind] },
	);
}

function provideCodeActions(
	document: Pick<vscode.TextDocument, "uri">,
	range: vscode.Range,
	{ diagnostics, only }: Pick<vscode.CodeActionContext, "diagnostics" | "only">,
	token: vscode.CancellationToken,
): vscode.CodeAction[] {
	const problems = diagnostics.filter(
		({ severity }) => severity !== vscode.DiagnosticSeverity.Hint,
	);
	const isOn = userSetting("editor.lightBulb") !== false;
	if (token.isCancellationRequested || (range.isEmpty && problems.length === 0) || !isOn) {
		return [];
	}
	const offers = [
		...(problems.length > 0 ? problemActions(document.uri, problems) : []),
		...(range.isEmpty ? [] : selectionActions(document.uri, range)),
	];
	return offers.filter(({ kind }) => !only || (kind && only.contains(kind)));
}

function problemActions(
	uri: vscode.Uri,
	diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
	const range = diagnostics.map(problem => problem.range).reduce((all, next) => all.union(next));
	const target = createCodeTarget({ uri, range, diagnostics });
	const kind = vscode.CodeActionKind.QuickFix;
	return [
		{ title: l10n.t("Fix with Cutaway"), command: "cutaway.fixSelection" },
		{ title: l10n.t("Explain with Cutaway"), command: "cutaway.explainSelection" },
	].map(({ title, command }) => ({
		title,
		kind,
		diagnostics: [...diagnostics],
		command: { title, command, arguments: [target] },
	}));
}

function selectionActions(uri: vscode.Uri, range: vscode.Range): vscode.CodeAction[] {
	const target = createCodeTarget({ uri, range, diagnostics: [] });
	return [
		{ title: l10n.t("Explain selection with Cutaway"), command: "cutaway.explainSelection" },
		{ title: l10n.t("Document with Cutaway"), command: "cutaway.documentSelection" },
		{ title: l10n.t("Write tests with Cutaway"), command: "cutaway.writeTestsForSelection" },
	].map(({ title, command }) => ({
		title,
		kind: selectionKind,
		command: { title, command, arguments: [target] },
	}));
}

/** The code that a code action of Cutaway applies to. */
export interface CodeTarget {
	readonly uri: vscode.Uri;
	readonly range: vscode.Range;
	/** The problems it was offered for; empty if it was offered for a selection. */
	readonly diagnostics: readonly vscode.Diagnostic[];
}

const made = new WeakSet<object>();

/** Creates a target. Only these are accepted, so no other caller can point a command at a document. */
function createCodeTarget(target: CodeTarget): CodeTarget {
	const own = { ...target };
	made.add(own);
	return own;
}

/** Whether a command's argument is a target created here. */
export function isCodeTarget(argument: unknown): argument is CodeTarget {
	return typeof argument === "object" && argument !== null && made.has(argument);
}
