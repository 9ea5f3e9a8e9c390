import * as vscode from "vscode";
import type { FileChange } from "../tools/tool/editorActions.ts";
import { isUnchangedTarget, isWriteProtected } from "../tools/tool/safeFile.ts";
import { ToolFailure } from "../tools/tool/toolFailure.ts";
import type { WorkspacePaths, PathTarget } from "../paths/resolveTarget.ts";
import { documentOf, isOpenNotebook, unifyLineEnds } from "./documents.ts";
import { mustBeSavable } from "./savable.ts";
import { targetUri } from "./targetUri.ts";

/**
 * Applies a change as one `WorkspaceEdit`: all or nothing, and one undo step. Fails as stale if any file or its text differs from what was shown.
 * Saves new files and files without unsaved changes. Resolves to the labels of those that couldn't be saved.
 */
export async function applyChanges(
	changes: readonly FileChange[],
	paths: WorkspacePaths,
): Promise<readonly string[]> {
	const edit = new vscode.WorkspaceEdit();
	const documents = new Map<vscode.TextDocument, EditedDocument>();
	for (const change of changes) {
		targetsOf(change).forEach(target => mustBeChangeable(target, paths));
		await mustBeSavable(change, paths);
		if (change.type === "edit") {
			const document = await documentOf(change.target, paths);
			const { version, isDirty: wasDirty } = document;
			documents.set(document, { target: change.target, version, wasDirty });
			addHunks(edit, document, change);
		} else {
			addFileChange(edit, change);
		}
	}
	const isCurrent =
		changes.flatMap(targetsOf).every(target => isUnchangedTarget(target, paths)) &&
		[...documents].every(([document, { version }]) => document.version === version);
	if (!isCurrent) {
		throw new ToolFailure("A file changed meanwhile. Nothing was changed.", true);
	}
	if (!(await vscode.workspace.applyEdit(edit))) {
		throw new ToolFailure("The editor refused the change. Nothing was changed.");
	}
	const edited = await editedDocuments(documents, changes);
	const unsaved: string[] = [];
	for (const { label, document } of [...edited, ...(await madeDocuments(changes))]) {
		if (!(await isSaved(document))) {
			unsaved.push(label);
		}
	}
	return unsaved;
}

interface EditedDocument {
	readonly target: PathTarget;
	readonly version: number;
	readonly wasDirty: boolean;
}

/** Returns the documents that had no unsaved changes before the edit, at their paths after renames of the same change. */
function editedDocuments(
	documents: ReadonlyMap<vscode.TextDocument, EditedDocument>,
	changes: readonly FileChange[],
): Promise<{ readonly label: string; readonly document: vscode.TextDocument }[]> {
	const edited = [...documents].filter(([, { wasDirty }]) => !wasDirty);
	return Promise.all(
		edited.map(async ([document, { target }]) => {
			const renamed = changes.find(
				change => change.type === "rename" && change.from.path === target.path,
			);
			return renamed?.type === "rename"
				? {
						label: renamed.to.label,
						document: await vscode.workspace.openTextDocument(targetUri(renamed.to)),
					}
				: { label: target.label, document };
		}),
	);
}

/** Opens the documents of the files created with a text. */
function madeDocuments(
	changes: readonly FileChange[],
): Promise<{ readonly label: string; readonly document: vscode.TextDocument }[]> {
	const made = changes.flatMap(change =>
		change.type === "create" && change.text !== "" ? [change.target] : [],
	);
	return Promise.all(
		made.map(async target => {
			const document = await vscode.workspace.openTextDocument(targetUri(target));
			return { label: target.label, document };
		}),
	);
}

/** Doesn't throw, because the change is already made and the editor reports why saving failed. */
async function isSaved(document: vscode.TextDocument): Promise<boolean> {
	try {
		return await document.save();
	} catch {
		return false;
	}
}

/** Throws `ToolFailure` if a file is open as a notebook or read-only in the editor. */
export function mustBeChangeable(target: PathTarget, paths: WorkspacePaths): void {
	if (isOpenNotebook(target, paths)) {
		throw new ToolFailure(`${target.label} is open as a notebook. Nothing was changed.`);
	}
	if (isReadOnly(target)) {
		throw new ToolFailure(`${target.label} is read-only in the editor. Nothing was changed.`);
	}
}

/** Adds hunks by line and column, which don't depend on the document's line endings. */
function addHunks(
	edit: vscode.WorkspaceEdit,
	document: vscode.TextDocument,
	{ target, before, hunks }: Extract<FileChange, { type: "edit" }>,
): void {
	if (unifyLineEnds(document.getText()) !== unifyLineEnds(before)) {
		throw new ToolFailure(`${target.label} changed meanwhile. Nothing was changed.`, true);
	}
	const position = (offset: number): vscode.Position => {
		const lines = before.slice(0, offset).split(/\r\n|\r|\n/);
		return new vscode.Position(lines.length - 1, lines.at(-1)?.length ?? 0);
	};
	for (const { start, end, newText } of hunks) {
		edit.replace(document.uri, new vscode.Range(position(start), position(end)), newText);
	}
}

function addFileChange(
	edit: vscode.WorkspaceEdit,
	change: Exclude<FileChange, { type: "edit" }>,
): void {
	const options = { overwrite: false, ignoreIfExists: false };
	switch (change.type) {
		case "create": {
			// Inserted into an empty file, the text gets the line endings, encoding and save actions of the user's settings.
			const uri = targetUri(change.target);
			edit.createFile(uri, options);
			edit.insert(uri, new vscode.Position(0, 0), change.text);
			return;
		}
		case "restore":
			edit.createFile(targetUri(change.target), { ...options, contents: change.bytes });
			return;
		case "rename": {
			const [from, to] = [change.from, change.to].map(targetUri);
			if (from && to) {
				edit.renameFile(from, to, options);
			}
			return;
		}
		case "delete":
			// The editor moves it to the trash if there is one and `files.enableTrash` is on.
			edit.deleteFile(targetUri(change.target), { recursive: false });
	}
}

function targetsOf(change: FileChange): readonly PathTarget[] {
	return change.type === "rename" ? [change.from, change.to] : [change.target];
}

/**
 * Whether `files.readonlyInclude` or `files.readonlyFromPermissions` makes a file read-only. The editor enforces these settings for typing, but not
 * for edits of extensions.
 */
function isReadOnly(target: PathTarget): boolean {
	const uri = targetUri(target);
	const files = vscode.workspace.getConfiguration("files", uri);
	if (isNamed(files.get("readonlyExclude"), uri)) {
		return false;
	}
	return (
		isNamed(files.get("readonlyInclude"), uri) ||
		(files.get("readonlyFromPermissions") === true && isWriteProtected(target))
	);
}

function isNamed(patterns: unknown, uri: vscode.Uri): boolean {
	const folder = vscode.workspace.getWorkspaceFolder(uri);
	// oxlint-disable-next-line no-unsafe-type-assertion -- The editor's matcher looks at nothing else of a document, and a file need not be open.
	const document = { uri, languageId: "" } as vscode.TextDocument;
	return (
		typeof patterns === "object" &&
		patterns !== null &&
		Object.entries(patterns)
			.filter(([, isOn]) => isOn === true)
			// A pattern is relative to the root or to the workspace folder. The editor's matcher supports both.
			.flatMap(([glob]) => [glob, ...(folder ? [new vscode.RelativePattern(folder, glob)] : [])])
			.some(pattern => vscode.languages.match({ pattern }, document) > 0)
	);
}
