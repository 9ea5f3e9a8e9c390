import { basename, dirname } from "node:path";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { type DocumentTarget, type LastDocuments, needsHtml, placeFile } from "./documentTarget.ts";
import { isInside, linkAddress, markdownLink, videoTag } from "./videoLinks.ts";

export interface LinkedClip {
	readonly title: string;
	/** Absolute path. */
	readonly file: string;
	/** The document of its text. */
	readonly source: vscode.Uri | undefined;
}

/** Where to insert text: a position in a document, below a heading, or the clipboard. */
export type InsertDestination = "cursor" | "end" | "clipboard" | DocumentHeading;

/** A heading of a Markdown document. */
interface DocumentHeading {
	readonly text: string;
	/** Counted from 0. */
	readonly line: number;
}

const maxHeadings = 20;

/** Returns the first headings of a Markdown document that begin with `#`, without those in code. */
export function headingsOf(text: string): readonly DocumentHeading[] {
	const headings: DocumentHeading[] = [];
	let fence = "";
	for (const [line, content] of text.split(/\r?\n/).entries()) {
		const [, mark = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(content) ?? [];
		if (fence !== "") {
			fence = mark.startsWith(fence) && content.trim() === mark ? "" : fence;
		} else if (mark !== "") {
			fence = mark;
		} else if (/^ {0,3}#{1,6}[ \t]+\S/.test(content)) {
			headings.push({ text: content.trim(), line });
		}
	}
	return headings.slice(0, maxHeadings);
}

/**
 * Inserts a link to a clip, or a tag that plays it, into the last used document. A link to a clip outside the document's workspace would be broken
 * for others, so a copy beside the document is offered first.
 */
export async function insertClip(
	clip: LinkedClip,
	form: "link" | "tag",
	documents: LastDocuments,
): Promise<void> {
	const target = await documents.find(clip.source);
	const file = target && (await reachableFile(target.uri, clip));
	if (!target || file === undefined) {
		return;
	}
	const address = linkAddress(target.uri.fsPath, file);
	const text = form === "link" ? markdownLink(clip.title, address) : videoTag(clip.title, address);
	await insertText(target, target.cursor ? "cursor" : "end", text);
}

/** Returns the end of the paragraph around a position, or undefined if the position isn't within a line's text or is in a table or HTML. */
function endOfParagraph(
	document: vscode.TextDocument,
	position: vscode.Position,
): vscode.Position | undefined {
	if (needsHtml(document.uri)) {
		return undefined;
	}
	const { line, character } = document.validatePosition(position);
	const { text } = document.lineAt(line);
	const [before, after] = [text.slice(0, character), text.slice(character)];
	if (before.trim() === "" || after.trim() === "" || text.trimStart().startsWith("|")) {
		return undefined;
	}
	let last = line;
	while (last + 1 < document.lineCount && !document.lineAt(last + 1).isEmptyOrWhitespace) {
		last++;
	}
	return document.lineAt(last).range.end;
}

/** Asks where to insert text in a document. Resolves to undefined if the user cancels. */
export async function choosePlace(
	{ uri, cursor }: DocumentTarget,
	words: Pick<vscode.QuickPickOptions, "title" | "placeHolder">,
): Promise<InsertDestination | undefined> {
	const document = await vscode.workspace.openTextDocument(uri);
	const line = (cursor?.line ?? 0) + 1;
	const atCursor =
		cursor && endOfParagraph(document, cursor)
			? l10n.t("After the paragraph at the cursor · line {0}", line)
			: l10n.t("At the cursor · line {0}", line);
	const headings = needsHtml(uri) ? [] : headingsOf(document.getText());
	const items: (vscode.QuickPickItem & { readonly place: InsertDestination })[] = [
		...(cursor === undefined ? [] : [{ label: atCursor, place: "cursor" as const }]),
		...headings.map(heading => ({
			label: l10n.t("Below {0}", heading.text),
			description: l10n.t("line {0}", heading.line + 1),
			place: heading,
		})),
		{ label: l10n.t("End of file"), place: "end" },
		{ label: needsHtml(uri) ? l10n.t("Copy HTML") : l10n.t("Copy Markdown"), place: "clipboard" },
	];
	const picked = await vscode.window.showQuickPick(items, words);
	return picked?.place;
}

/**
 * Inserts text into a document, after a paragraph rather than within it, shows it and offers to undo that; `undoMore` undoes related changes. Throws
 * if the document can't be changed.
 */
export async function insertText(
	{ uri, cursor }: DocumentTarget,
	place: InsertDestination,
	text: string,
	undoMore: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
	if (place === "clipboard") {
		await vscode.env.clipboard.writeText(text);
		void vscode.window.setStatusBarMessage(l10n.t("Copied"), 5000);
		return;
	}
	const document = await vscode.workspace.openTextDocument(uri);
	const end = document.lineAt(document.lineCount - 1).range.end;
	const paragraphEnd = cursor && endOfParagraph(document, cursor);
	const atCursor = paragraphEnd ?? (cursor && document.validatePosition(cursor));
	const heading = typeof place === "object" ? document.lineAt(place.line).range.end : undefined;
	const at = heading ?? (place === "cursor" && atCursor ? atCursor : end);
	const gap = paragraphEnd ? "\n\n" : "";
	const lines = heading
		? `\n\n${text}${isBlankBelow(document, heading.line) ? "" : "\n"}`
		: place === "cursor"
			? `${gap}${text}`
			: `${gapBefore(document)}${text}\n`;
	const written = document.eol === vscode.EndOfLine.CRLF ? lines.replaceAll("\n", "\r\n") : lines;
	const shown = await vscode.window.showTextDocument(document, tabOf(uri));
	// Before inserting, because the next key would replace selected text.
	shown.selection = new vscode.Selection(at, at);
	if (!(await shown.edit(edit => edit.insert(at, written)))) {
		throw new Error(l10n.t("The document can't be changed."));
	}
	shown.revealRange(shown.selection);
	void offerUndo(document, { text: written, offset: document.offsetAt(at) }, undoMore);
}

function isBlankBelow(document: vscode.TextDocument, line: number): boolean {
	return line + 1 >= document.lineCount || document.lineAt(line + 1).isEmptyOrWhitespace;
}

/** Returns where a document is open, to reuse that tab. */
export function tabOf(uri: vscode.Uri): vscode.TextDocumentShowOptions {
	const group = vscode.window.tabGroups.all.find(({ tabs }) =>
		tabs.some(
			({ input }) =>
				input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
		),
	);
	return group ? { viewColumn: group.viewColumn } : {};
}

/** Returns the line breaks needed before a new paragraph at a document's end. */
function gapBefore(document: vscode.TextDocument): string {
	const text = document.getText();
	return text.trim() === "" || /\n\r?\n$/.test(text) ? "" : text.endsWith("\n") ? "\n" : "\n\n";
}

async function offerUndo(
	document: vscode.TextDocument,
	inserted: { readonly text: string; readonly offset: number },
	undoMore: () => Promise<void>,
): Promise<void> {
	const undo = l10n.t("Undo");
	const gap = inserted.text.length - inserted.text.trimStart().length;
	const { line } = document.positionAt(inserted.offset + gap);
	const done = l10n.t("Inserted into {0}, line {1}", basename(document.uri.path), line + 1);
	if ((await vscode.window.showInformationMessage(done, undo)) !== undo) {
		return;
	}
	const { uri } = document;
	const now = await vscode.workspace.openTextDocument(uri);
	const text = now.getText();
	const { text: written, offset } = inserted;
	const start = text.startsWith(written, offset) ? offset : text.indexOf(written);
	if (start === -1) {
		void vscode.window.showWarningMessage(
			l10n.t("The inserted text was changed since; nothing was undone."),
		);
		return;
	}
	const edit = new vscode.WorkspaceEdit();
	const [from, to] = [now.positionAt(start), now.positionAt(start + written.length)];
	edit.delete(uri, new vscode.Range(from, to));
	if (await vscode.workspace.applyEdit(edit)) {
		await undoMore();
	}
}

/** Returns the file to link to: the clip, or a copy beside the document if the user prefers it. */
async function reachableFile(document: vscode.Uri, clip: LinkedClip): Promise<string | undefined> {
	const folder = vscode.workspace.getWorkspaceFolder(document);
	if (!folder || isInside(clip.file, folder.uri.fsPath)) {
		return clip.file;
	}
	const copy = l10n.t("Copy the clip next to the document");
	const choice = await vscode.window.showQuickPick(
		[
			{
				label: copy,
				detail: l10n.t("{0}; the link also works for others", dirname(document.fsPath)),
			},
			{ label: l10n.t("Link to the clip's location"), detail: clip.file },
		],
		{
			title: l10n.t("Insert Link"),
			placeHolder: l10n.t("The clip is outside this workspace"),
		},
	);
	if (!choice) {
		return undefined;
	}
	return choice.label === copy ? await copyBeside(document, clip.file) : clip.file;
}

/** Copies a clip into the document's folder, unless it is there already. */
async function copyBeside(document: vscode.Uri, file: string): Promise<string> {
	const folder = vscode.Uri.joinPath(document, "..");
	const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(file));
	return (await placeFile(folder, basename(file), bytes)).uri.fsPath;
}
