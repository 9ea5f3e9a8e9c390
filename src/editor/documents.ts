import * as vscode from "vscode";
import type { ActiveDocument, OpenTab, TextSnapshot } from "../tools/tool/editorActions.ts";
import { isBinary, readTarget } from "../tools/tool/safeFile.ts";
import { ToolFailure } from "../tools/tool/toolFailure.ts";
import { type WorkspacePaths, resolveTarget, type PathTarget } from "../paths/resolveTarget.ts";
import { cellsText, outputText, savedNotebookText, shownOutput } from "./notebookText.ts";
import { decodeText } from "./textEncoding.ts";
import { targetUri } from "./targetUri.ts";
import { uriOfTab } from "./workspaceFiles.ts";

/** The document of the active text editor. */
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

/** The files of the tabs of all groups, each once. */
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

/** The open document of a file, by whatever path it was opened. */
export function openDocument(
	target: PathTarget,
	paths: WorkspacePaths,
): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find(
		document => !document.isClosed && leadsTo(document.uri, target, paths),
	);
}

/**
 * The text of a document, by its file's absolute path without links, that has changes which are not on disk, or an encoding that
 * its user may have chosen for it alone; what a user sees there is what is attached.
 */
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

/** The document of a file, which is opened, but not shown, where it is not open yet. */
export async function documentOf(
	target: PathTarget,
	paths: WorkspacePaths,
): Promise<vscode.TextDocument> {
	return openDocument(target, paths) ?? vscode.workspace.openTextDocument(targetUri(target));
}

/** Whether a file is open as a notebook, by whatever path. Row U19. */
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
	return resolution?.ok === true && resolution.target.path === target.path;
}

/** A file's text, unsaved changes included. Throws `ToolFailure` for what is no text. Rows U14, U19. */
export async function readText(target: PathTarget, paths: WorkspacePaths): Promise<TextSnapshot> {
	const document = openDocument(target, paths);
	const snapshot = document ? snapshotOf(document) : await readClosed(target, paths);
	if (!target.path.endsWith(".ipynb")) {
		return snapshot;
	}
	const notebook = openNotebook(target, paths);
	return notebook?.isDirty
		? { ...snapshot, cells: openNotebookText(notebook), notes: ["with unsaved changes"] }
		: { ...snapshot, cells: savedNotebookText(snapshot.text) };
}

/** The cells and outputs of a notebook as its editor shows them, unsaved changes included. */
function openNotebookText(notebook: vscode.NotebookDocument): string {
	return cellsText(
		notebook.getCells().map(({ kind, document, outputs }) => ({
			kind: kind === vscode.NotebookCellKind.Markup ? "markdown" : document.languageId,
			source: document.getText(),
			outputs: outputs.map(outputOf),
		})),
	);
}

/** Outputs that every kernel has: what was printed, and errors. */
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

function snapshotOf(document: vscode.TextDocument): TextSnapshot {
	return { text: document.getText(), languageId: document.languageId, notes: notesOf(document) };
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

/** What is now where nothing was. */
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
		// The editor refuses what is no text in the encoding it found.
	}
	throw new ToolFailure(`${label} is not text.`);
}

/** Shows a file and selects lines of it, counted from 1. */
export async function showLines(
	target: PathTarget,
	startLine: number | undefined,
	endLine: number | undefined,
): Promise<void> {
	const line = (startLine ?? 1) - 1;
	const last = Math.max(line, (endLine ?? startLine ?? 1) - 1);
	const selection = new vscode.Range(line, 0, last, startLine === undefined ? 0 : 100_000);
	await vscode.window.showTextDocument(targetUri(target), { selection, preview: true });
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

/** Schemes of views that show a file's text under its own path: cells of notebooks, and versions that Git keeps. */
const viewSchemes: ReadonlySet<string> = new Set(["vscode-notebook-cell", "git"]);

/** The file that a view shows; a notebook that was never saved has no absolute path. */
function viewedPath(uri: vscode.Uri): string | undefined {
	return viewSchemes.has(uri.scheme) && uri.path.startsWith("/")
		? vscode.Uri.file(uri.path).fsPath
		: undefined;
}

/** Schemes of texts that come from no place: what was never saved, and Cutaway's own sample. */
const placelessSchemes: ReadonlySet<string> = new Set(["untitled", "cutaway-sample"]);

function addressOf(uri: vscode.Uri): string | undefined {
	const { scheme, authority, path } = uri;
	return placelessSchemes.has(scheme) || (pathOf(uri) ?? viewedPath(uri)) !== undefined
		? undefined
		: `${scheme}:${authority === "" ? "" : `//${authority}`}${path}`;
}

function nameOf({ path }: vscode.Uri): string {
	return path.slice(path.lastIndexOf("/") + 1);
}
