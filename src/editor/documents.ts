import * as vscode from "vscode";
import type { ActiveDocument, OpenTab, TextSnapshot } from "../tools/contract/editorActions.ts";
import { isBinary, readTarget } from "../tools/contract/safeFile.ts";
import {
	isSameFile,
	type WorkspacePaths,
	resolveTarget,
	type PathTarget,
} from "../paths/resolveTarget.ts";
import { cellsText, outputText, savedNotebookText, shownOutput } from "./notebookText.ts";
import { nameOf } from "./selection.ts";
import { targetUri, uriOfTab } from "./workspaceFiles.ts";
import * as l10n from "@vscode/l10n";
import { ToolFailure } from "../common/errors.ts";

export function activeDocument(): ActiveDocument | undefined {
	const editor = vscode.window.activeTextEditor;
	if (!editor) {
		return undefined;
	}
	const { document, selection } = editor;
	return {
		path: pathOf(document.uri) ?? viewedPath(document.uri),
		address: addressOf(document.uri),
		isView: viewedPath(document.uri) !== undefined,
		name: nameOf(document.uri),
		text: document.getText(),
		languageId: document.languageId,
		notes: notesOf(document),
		selection: {
			start: document.offsetAt(selection.start),
			end: document.offsetAt(selection.end),
		},
	};
}

/** Returns the files of the tabs in all groups, without duplicates. */
export function openFiles(): OpenTab[] {
	const files = new Map<string, OpenTab>();
	for (const tab of vscode.window.tabGroups.all.flatMap(group => group.tabs)) {
		const uri = uriOfTab(tab);
		if (uri) {
			const isActive = tab.isActive && tab.group.isActive;
			const file = { path: pathOf(uri), name: nameOf(uri), isActive, isDirty: tab.isDirty };
			files.set(uri.toString(), file);
		}
	}
	return [...files.values()];
}

/** Returns the open document of a file, even if it was opened by another path. */
export function openDocument(
	target: PathTarget,
	paths: WorkspacePaths,
): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find(
		document => !document.isClosed && leadsTo(document.uri, target, paths),
	);
}

/** Returns the text of a document that is unsaved or has a chosen encoding, as the editor shows it. `path` has no links. */
export function unsavedText(path: string): string | undefined {
	const shown = targetUri({ path }).fsPath;
	return vscode.workspace.textDocuments
		.find(
			({ uri, isDirty, isClosed, encoding }) =>
				!isClosed &&
				(isDirty || encoding !== "utf8") &&
				uri.scheme === "file" &&
				[shown, path].includes(uri.fsPath),
		)
		?.getText();
}

/** Returns a file's document. Opens it without showing it if necessary. */
export async function documentOf(
	target: PathTarget,
	paths: WorkspacePaths,
): Promise<vscode.TextDocument> {
	return openDocument(target, paths) ?? vscode.workspace.openTextDocument(targetUri(target));
}

/** Whether a file is open as a notebook, by any path. */
export function isOpenNotebook(target: PathTarget, paths: WorkspacePaths): boolean {
	return openNotebook(target, paths) !== undefined;
}

function openNotebook(
	target: PathTarget,
	paths: WorkspacePaths,
): vscode.NotebookDocument | undefined {
	return vscode.workspace.notebookDocuments.find(
		notebook => !notebook.isClosed && leadsTo(notebook.uri, target, paths),
	);
}

function leadsTo(uri: vscode.Uri, target: PathTarget, paths: WorkspacePaths): boolean {
	const resolution = uri.scheme === "file" ? resolveTarget(uri.fsPath, paths) : undefined;
	return resolution?.ok === true && isSameFile(resolution.target, target);
}

/** Reads a file's text: unsaved changes, or else what is on disk. Throws `ToolFailure` if it isn't text. */
export async function readText(target: PathTarget, paths: WorkspacePaths): Promise<TextSnapshot> {
	const document = openDocument(target, paths);
	const snapshot = document ? await snapshotOf(document, target) : await readClosed(target, paths);
	if (!target.path.endsWith(".ipynb")) {
		return snapshot;
	}
	const notebook = openNotebook(target, paths);
	return notebook?.isDirty
		? { ...snapshot, cells: openNotebookText(notebook), notes: ["with unsaved changes"] }
		: { ...snapshot, cells: savedNotebookText(snapshot.text) };
}

/** Returns a notebook's cells and outputs as shown in its editor, including unsaved changes. */
function openNotebookText(notebook: vscode.NotebookDocument): string {
	return cellsText(
		notebook.getCells().map(({ kind, document, outputs }) => ({
			kind: kind === vscode.NotebookCellKind.Markup ? "markdown" : document.languageId,
			source: document.getText(),
			outputs: outputs.map(outputOf),
		})),
	);
}

/** Outputs that don't depend on the kernel: printed text and errors. */
const printed = /^application\/vnd\.code\.notebook\.(?:stdout|stderr)$/;
const failed = "application/vnd.code.notebook.error";

function outputOf({ items }: vscode.NotebookCellOutput): string {
	const text = new TextDecoder();
	const [first] = items;
	if (first && (printed.test(first.mime) || first.mime === failed)) {
		return shownOutput(items.map(({ data }) => text.decode(data)).join(""));
	}
	return outputText(
		items.map(({ mime, data }) => ({
			mimeType: mime,
			text: mime.startsWith("text/") ? text.decode(data) : undefined,
			size: data.length,
		})),
	);
}

async function snapshotOf(
	document: vscode.TextDocument,
	target: PathTarget,
): Promise<TextSnapshot> {
	const saved = document.isDirty ? undefined : await savedText(document, target);
	// The user may have typed meanwhile.
	const isSaved = saved !== undefined && !document.isDirty;
	const text = document.getText();
	return {
		text: isSaved && unifyLineEnds(saved) !== unifyLineEnds(text) ? saved : text,
		languageId: document.languageId,
		notes: notesOf(document),
	};
}

/** Returns undefined for a file that can't be read, such as one that was deleted or is too large. */
async function savedText(
	{ encoding }: vscode.TextDocument,
	target: PathTarget,
): Promise<string | undefined> {
	try {
		const text = await vscode.workspace.decode(readTarget(target), { encoding });
		return text.replace(/^\uFEFF/, "");
	} catch {
		return undefined;
	}
}

/** Replaces all line ends with LF: the editor makes those of a file alike when it loads it. */
export function unifyLineEnds(text: string): string {
	return text.replaceAll(/\r\n|\r/g, "\n");
}

async function readClosed(target: PathTarget, paths: WorkspacePaths): Promise<TextSnapshot> {
	const bytes = readTarget(target.kind === "missing" ? madeSince(target, paths) : target);
	const isNotebook = target.path.endsWith(".ipynb");
	return {
		text: await decodedText(target, bytes),
		languageId: isNotebook ? "json" : "plaintext",
		notes: isNotebook ? ["the notebook as it is saved"] : [],
	};
}

/** Resolves a target again in case it was created in the meantime. */
function madeSince(target: PathTarget, paths: WorkspacePaths): PathTarget {
	const resolution = resolveTarget(target.path, paths);
	return resolution.ok ? resolution.target : target;
}

async function decodedText({ path, label }: PathTarget, bytes: Uint8Array): Promise<string> {
	try {
		if (!isBinary(bytes)) {
			return await decodeText(path, bytes);
		}
	} catch {
		// The editor throws if a file isn't text in the detected encoding.
	}
	throw new ToolFailure(`${label} is not text.`);
}

/** Shows a file in an editor for its type, and selects lines, counted from 1. */
export async function showLines(
	target: PathTarget,
	startLine: number | undefined,
	endLine: number | undefined,
): Promise<void> {
	const line = (startLine ?? 1) - 1;
	const last = Math.max(line, (endLine ?? startLine ?? 1) - 1);
	const selection = new vscode.Range(line, 0, last, 100_000);
	const options = startLine === undefined ? { preview: true } : { selection, preview: true };
	await vscode.commands.executeCommand("vscode.open", targetUri(target), options);
}

function notesOf(document: vscode.TextDocument): string[] {
	return [
		...(document.isUntitled ? ["not saved to a file yet"] : []),
		...(document.isDirty && !document.isUntitled ? ["with unsaved changes"] : []),
		...(document.encoding === "utf8" ? [] : [`encoding ${document.encoding}`]),
		...(document.uri.scheme === "vscode-notebook-cell" ? ["a cell of a notebook"] : []),
	];
}

function pathOf(uri: vscode.Uri): string | undefined {
	return uri.scheme === "file" ? uri.fsPath : undefined;
}

/** Schemes of views that show a file's text under its own path: notebook cells, and versions in Git. */
const viewSchemes: ReadonlySet<string> = new Set(["vscode-notebook-cell", "git"]);

/** Returns the path of the file that a view shows. Notebooks that were never saved have no absolute path. */
function viewedPath(uri: vscode.Uri): string | undefined {
	return viewSchemes.has(uri.scheme) && uri.path.startsWith("/")
		? vscode.Uri.file(uri.path).fsPath
		: undefined;
}

/** Schemes of documents without a file: unsaved ones, and Cutaway's sample. */
const placelessSchemes: ReadonlySet<string> = new Set(["untitled", "cutaway-sample"]);

function addressOf(uri: vscode.Uri): string | undefined {
	const { scheme, authority, path } = uri;
	return placelessSchemes.has(scheme) || (pathOf(uri) ?? viewedPath(uri)) !== undefined
		? undefined
		: `${scheme}:${authority === "" ? "" : `//${authority}`}${path}`;
}

/** Decodes text like the editor, without a byte order mark. Rejects if it isn't text. */
export async function decodeText(path: string, bytes: Uint8Array): Promise<string> {
	const text = await vscode.workspace.decode(bytes, { uri: targetUri({ path }) });
	return text.replace(/^\uFEFF/, "");
}

/** Decodes text like the editor, and a notebook as its cells. Rejects if it isn't text. */
export async function decodeShown(path: string, bytes: Uint8Array): Promise<string> {
	const text = await decodeText(path, bytes);
	return (path.endsWith(".ipynb") ? savedNotebookText(text) : undefined) ?? text;
}

/**
 * Reads a file of a virtual workspace through VS Code, because it has no local path. Prefers the open document if it has unsaved changes or no file
 * system. Throws an error with a message for the user if there is neither.
 */
export async function readVirtualFile(
	uri: vscode.Uri,
): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
	const name = nameOf(uri);
	const open = vscode.workspace.textDocuments.find(
		document => document.uri.toString() === uri.toString(),
	);
	if (open && (open.isUntitled || open.isDirty)) {
		return { name, bytes: new TextEncoder().encode(open.getText()) };
	}
	try {
		return { name, bytes: await vscode.workspace.fs.readFile(uri) };
	} catch {
		if (!open) {
			throw new Error(l10n.t("{0} couldn't be read and wasn't attached.", name));
		}
		return { name, bytes: new TextEncoder().encode(open.getText()) };
	}
}
