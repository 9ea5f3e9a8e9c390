import type * as vscode from "vscode";

/** Text a user selected, with where it is. */
export interface SelectedText {
	/** The selections in the order of the document, one below the other. Never empty. */
	readonly text: string;
	/** Where the text is, as a URI in text form. */
	readonly uri: string;
	/** The document's file name. */
	readonly name: string;
	/** First and last line of the selections, counted from 0. */
	readonly startLine: number;
	readonly endLine: number;
}

/** Parts of an editor that are read. */
type SelectingEditor = {
	readonly selections: readonly vscode.Range[];
	readonly document: Pick<vscode.TextDocument, "getText" | "uri">;
};

/** Selection of an editor; undefined when no selection holds anything but white space. */
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

/** The last line of which something is selected: whole lines end before the first character of the next one. */
function lastLineOf({ start, end }: vscode.Range): number {
	return end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
}

/** Where lines of a document are, in a form that outlives the document. Lines are counted from 0. */
export function placeOf(
	document: Pick<vscode.TextDocument, "uri">,
	startLine: number,
	endLine: number,
): Omit<SelectedText, "text"> {
	const { path } = document.uri;
	const name = path.slice(path.lastIndexOf("/") + 1);
	return { uri: document.uri.toString(), name, startLine, endLine };
}
