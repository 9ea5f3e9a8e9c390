import * as vscode from "vscode";
import { labelInWorkspace } from "./workspaceFiles.ts";

export interface SelectedText {
	/** The selections in document order, separated by line breaks. Never empty. */
	readonly text: string;
	/** URI of the document. */
	readonly uri: string;
	/** The document's file name. */
	readonly name: string;
	/** First and last line of the selections, counted from 0. */
	readonly startLine: number;
	readonly endLine: number;
}

/** The used members of a text editor. */
type SelectingEditor = {
	readonly selections: readonly vscode.Range[];
	readonly document: Pick<vscode.TextDocument, "getText" | "uri">;
};

/** Returns an editor's selection, or undefined if it has only white space. */
export function selectedText(editor: SelectingEditor | undefined): SelectedText | undefined {
	const selections = (editor?.selections ?? [])
		.toSorted((a, b) => a.start.line - b.start.line || a.start.character - b.start.character)
		.map(range => ({ range, text: editor?.document.getText(range) ?? "" }))
		.filter(({ text }) => text.trim() !== "");
	const [first, last] = [selections[0], selections.at(-1)];
	return editor && first && last
		? {
				text: selections.map(({ text }) => text).join("\n"),
				...placeOf(editor.document, first.range.start.line, lastLineOf(last.range)),
			}
		: undefined;
}

/** Returns the last line with a selected character. A selection of whole lines ends at the start of the next line. */
function lastLineOf({ start, end }: vscode.Range): number {
	return end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
}

/** Returns the location of lines in a form that remains valid after the document is closed. Lines are counted from 0. */
export function placeOf(
	document: Pick<vscode.TextDocument, "uri">,
	startLine: number,
	endLine: number,
): Omit<SelectedText, "text"> {
	const { path } = document.uri;
	const name = path.slice(path.lastIndexOf("/") + 1);
	return { uri: document.uri.toString(), name, startLine, endLine };
}

interface ProblemsText {
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
