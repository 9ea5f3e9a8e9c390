import type * as vscode from "vscode";

/** Returns the last segment of a URI's path. */
export function nameOf({ path }: Pick<vscode.Uri, "path">): string {
	return path.slice(path.lastIndexOf("/") + 1);
}

export interface SelectedText {
	/** The selections in document order, separated by line breaks. Never empty. */
	readonly text: string;
	readonly uri: string;
	readonly name: string;
	/** First and last line of the selections, counted from 0. */
	readonly startLine: number;
	readonly endLine: number;
}

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
				...selectionOrigin(editor.document, first.range.start.line, lastLineOf(last.range)),
			}
		: undefined;
}

/** Returns the last line with a selected character. A selection of whole lines ends at the start of the next line. */
function lastLineOf({ start, end }: vscode.Range): number {
	return end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
}

/** Returns the location of lines in a form that remains valid after the document is closed. Lines are counted from 0. */
export function selectionOrigin(
	document: Pick<vscode.TextDocument, "uri">,
	startLine: number,
	endLine: number,
): Omit<SelectedText, "text"> {
	return { uri: document.uri.toString(), name: nameOf(document.uri), startLine, endLine };
}
