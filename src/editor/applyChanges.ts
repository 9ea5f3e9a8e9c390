import * as vscode from "vscode";
import type { FileChange } from "../tools/contract/editorActions.ts";
import { isUnchangedTarget, isWriteProtected, readTarget } from "../tools/contract/safeFile.ts";
import type { WorkspacePaths, PathTarget } from "../paths/resolveTarget.ts";
import { documentOf, isOpenNotebook, openDocument, unifyLineEnds } from "./documents.ts";
import { createGlobMatcher } from "../paths/globExclusion.ts";
import { pathBelow, targetUri } from "./workspaceFiles.ts";
import * as l10n from "@vscode/l10n";
import { ToolFailure } from "../common/errors.ts";

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
		// The change is already made, and the editor reports why saving failed.
		if (!(await document.save().then(undefined, () => false))) {
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

interface NamedDocument {
	readonly label: string;
	readonly document: vscode.TextDocument;
}

async function openNamed(target: PathTarget): Promise<NamedDocument> {
	const document = await vscode.workspace.openTextDocument(targetUri(target));
	return { label: target.label, document };
}

/** Returns the documents that had no unsaved changes before the edit, at their paths after renames of the same change. */
function editedDocuments(
	documents: ReadonlyMap<vscode.TextDocument, EditedDocument>,
	changes: readonly FileChange[],
): Promise<NamedDocument[]> {
	const edited = [...documents].filter(([, { wasDirty }]) => !wasDirty);
	return Promise.all(
		edited.map(async ([document, { target }]) => {
			const renamed = changes.find(
				change => change.type === "rename" && change.from.path === target.path,
			);
			return renamed?.type === "rename" ? openNamed(renamed.to) : { label: target.label, document };
		}),
	);
}

function madeDocuments(changes: readonly FileChange[]): Promise<NamedDocument[]> {
	const made = changes.flatMap(change =>
		change.type === "create" && change.text !== "" ? [change.target] : [],
	);
	return Promise.all(made.map(openNamed));
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

/** Whether a setting makes a file read-only. The editor enforces these for typing, but not for edits of extensions. */
function isReadOnly(target: PathTarget): boolean {
	const uri = targetUri(target);
	const files = vscode.workspace.getConfiguration("files", uri);
	if (isNamed(files.get("readonlyExclude"), uri, false)) {
		return false;
	}
	return (
		isNamed(files.get("readonlyInclude"), uri, true) ||
		(files.get("readonlyFromPermissions") === true && isWriteProtected(target))
	);
}

/** `unread` is the result for globs that can't be read or take too long: a workspace can set them, and the editor's matcher may never end. */
function isNamed(patterns: unknown, uri: vscode.Uri, unread: boolean): boolean {
	const globs =
		typeof patterns === "object" && patterns !== null
			? Object.entries(patterns).flatMap(([glob, isOn]) => (isOn === true ? [glob] : []))
			: [];
	const folder = vscode.workspace.getWorkspaceFolder(uri);
	const matches = createGlobMatcher(globs, unread);
	// A glob is relative to the root or to the workspace folder.
	const whole = uri.fsPath.replaceAll("\\", "/");
	return matches(whole) || (folder !== undefined && matches(pathBelow(folder.uri, uri)));
}

/**
 * Inserts text at the cursor of the active editor, replacing the selection, and shows that editor. If an image, video or web page is active, uses the
 * only visible text editor. Throws an error with a message for the user if there is none or more than one.
 */
export async function insertAtCursor(text: string): Promise<void> {
	const editor = vscode.window.activeTextEditor ?? onlyEditor();
	if (!editor) {
		throw new Error(l10n.t("Open the document and put the cursor where you want to insert."));
	}
	const shown = await vscode.window.showTextDocument(editor.document, {
		viewColumn: editor.viewColumn,
	});
	const isInserted = await shown.edit(edit => {
		for (const selection of shown.selections) {
			edit.replace(selection, text);
		}
	});
	if (!isInserted) {
		throw new Error(l10n.t("The document can't be changed."));
	}
	// Collapses the selections, because the next key would replace selected text.
	shown.selections = shown.selections.map(({ end }) => new vscode.Selection(end, end));
}

/** The output panel and the debug console are text editors without a column. */
function onlyEditor(): vscode.TextEditor | undefined {
	const [first, second] = vscode.window.visibleTextEditors.filter(
		({ viewColumn }) => viewColumn !== undefined,
	);
	return second === undefined ? first : undefined;
}

/** Throws `ToolFailure` if text would be lost: unsaved changes of a deleted file, or characters that a file's encoding lacks or that were decoded wrongly. */
export async function mustBeSavable(change: FileChange, paths: WorkspacePaths): Promise<void> {
	if (change.type === "delete" && openDocument(change.target, paths)?.isDirty) {
		throw new ToolFailure(
			`${change.target.label} has unsaved changes, which would be lost. The user can save or revert it. Nothing was changed.`,
		);
	}
	if (change.type === "create") {
		const uri = targetUri(change.target);
		const lacking = await characterLackingIn({ uri }, change.text);
		refuse(change.target.label, "the encoding of new files here", lacking);
	} else if (change.type === "edit") {
		const { target, before, hunks } = change;
		const added = hunks.map(({ newText }) => newText).join("");
		if (!/[^\0-\x7F]/.test(added) && !before.includes(substitute)) {
			return;
		}
		const { encoding } = await documentOf(target, paths);
		if (before.includes(substitute) && !isFaithful(encoding, target)) {
			throw new ToolFailure(
				`${target.label} is not in the encoding ${encoding} that the editor reads it in, and would lose characters. The user can set files.encoding. Nothing was changed.`,
			);
		}
		refuse(target.label, encoding, await characterLackingIn({ encoding }, added));
	}
}

/** Replaces bytes that can't be decoded. */
const substitute = "\uFFFD";

/** Whether a file itself contains that character. */
function isFaithful(encoding: string, target: Parameters<typeof readTarget>[0]): boolean {
	return (
		encoding.startsWith("utf16") || (encoding.startsWith("utf8") && isUtf8(readTarget(target)))
	);
}

function isUtf8(bytes: Uint8Array): boolean {
	try {
		new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		return true;
	} catch {
		return false;
	}
}

function refuse(label: string, encoding: string, lacking: string | undefined): void {
	if (lacking !== undefined) {
		throw new ToolFailure(
			`${label}: ${encoding} has no character “${lacking}”. Nothing was changed. Use other characters.`,
		);
	}
}

/** Returns the first character of a text that an encoding would replace with a question mark. */
async function characterLackingIn(
	how: { readonly uri: vscode.Uri } | { readonly encoding: string },
	text: string,
): Promise<string | undefined> {
	const encode = async (part: string): Promise<Uint8Array> =>
		"uri" in how ? vscode.workspace.encode(part, how) : vscode.workspace.encode(part, how);
	const questionMark = await encode("?");
	const characters = [...new Set(text.match(/[^\0-\x7F]/gu))];
	// More than one byte, or a byte order mark before it: a Unicode encoding, which has every character.
	if (questionMark.length > 1 || !(await encode(characters.join(""))).includes(0x3f)) {
		return undefined;
	}
	for (const character of characters) {
		if ((await encode(character)).every(byte => byte === 0x3f)) {
			return character;
		}
	}
	return undefined;
}
