import * as vscode from "vscode";
import { labelInWorkspace } from "./workspaceFiles.ts";

export interface ProblemsText {
	readonly text: string;
	readonly count: number;
}

/** The most problems to list, most severe first. */
const maxProblems = 200;

const severityNames = ["error", "warning", "information", "hint"] as const;

/** Lists VS Code's problems, most severe first, one per line: file, line and column from 1, severity, message, source. */
export function problemsText(
	diagnostics: readonly [vscode.Uri, readonly vscode.Diagnostic[]][],
): ProblemsText {
	const problems = diagnostics
		.flatMap(([uri, found]) => found.map(diagnostic => ({ uri, diagnostic })))
		.sort((a, b) => a.diagnostic.severity - b.diagnostic.severity);
	const lines = problems.slice(0, maxProblems).map(({ uri, diagnostic }) => {
		const { start } = diagnostic.range;
		const place = `${labelInWorkspace(uri)}:${start.line + 1}:${start.character + 1}`;
		const source = diagnostic.source === undefined ? "" : ` (${diagnostic.source})`;
		return `${place} ${severityNames[diagnostic.severity]}: ${diagnostic.message.replaceAll(/\s+/g, " ")}${source}`;
	});
	const rest = problems.length - lines.length;
	return {
		text: [...lines, ...(rest > 0 ? [`… and ${rest} more`] : [])].join("\n"),
		count: problems.length,
	};
}
