import * as vscode from "vscode";
import type { Problem } from "../tools/tool/index.ts";
import type { Target } from "../paths/index.ts";
import { targetUri } from "./targetUri.ts";

const severities = ["error", "warning", "info", "hint"] as const;

/** The problems the editor shows for a file, or for all, the worst first. */
export function problems(target: Target | undefined): Problem[] {
	const all: readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[] = target
		? [[targetUri(target), vscode.languages.getDiagnostics(targetUri(target))]]
		: vscode.languages.getDiagnostics();
	return all
		.filter(([uri]) => uri.scheme === "file")
		.flatMap(([uri, diagnostics]) =>
			diagnostics.map(({ range, severity, source, message }) => ({
				path: uri.fsPath,
				line: range.start.line + 1,
				column: range.start.character + 1,
				severity: severities[severity] ?? "info",
				source: source ?? "",
				message,
			})),
		)
		.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
}
