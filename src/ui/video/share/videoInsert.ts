import { basename, dirname } from "node:path";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { Disposable } from "../../../common/disposable.ts";
import { placeFile } from "./placeFile.ts";
import { isInside, linkAddress, markdownLink, videoTag } from "./videoLinks.ts";

/** A finished clip, as far as a link needs it. */
export interface LinkedClip {
	readonly title: string;
	/** Absolute path. */
	readonly file: string;
}

/** Remembers the text editor a user was in last, because a preview in front of it makes VS Code forget. */
export class LastTextEditor extends Disposable {
	private last = vscode.window.activeTextEditor;

	constructor() {
		super();
		this.register(
			vscode.window.onDidChangeActiveTextEditor(editor => {
				this.last = editor ?? this.last;
			}),
		);
	}

	/** Brings that editor to the front, cursor and all, or one the user chooses; undefined when the user leaves. Throws when none is open. */
	async show(): Promise<vscode.TextEditor | undefined> {
		const editor = vscode.window.activeTextEditor ?? this.last;
		if (!editor || editor.document.isClosed) {
			return await showOpenDocument();
		}
		return await vscode.window.showTextDocument(editor.document, {
			...(editor.viewColumn === undefined ? {} : { viewColumn: editor.viewColumn }),
		});
	}
}

/** After a reload no editor has been active yet: then it is one of the documents that are open in tabs, the user says which. */
async function showOpenDocument(): Promise<vscode.TextEditor | undefined> {
	const uris = vscode.window.tabGroups.all
		.flatMap(({ tabs }) => tabs)
		.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
	const [first] = uris;
	if (!first) {
		throw new Error(l10n.t("Open the document and put the cursor where you want to insert."));
	}
	const choice =
		uris.length === 1
			? { uri: first }
			: await vscode.window.showQuickPick(
					uris.map(uri => ({
						uri,
						label: basename(uri.path),
						description: vscode.workspace.asRelativePath(uri),
					})),
					{
						title: l10n.t("Insert Link"),
						placeHolder: l10n.t("Choose the document to insert into"),
					},
				);
	return choice && (await vscode.window.showTextDocument(choice.uri));
}

/**
 * Inserts a link to a clip, or a tag that plays it, at the cursor of the last text editor. A clip outside of the document's
 * workspace would be a dead link for everyone else, so a copy beside the document is offered first.
 */
export async function insertClip(
	clip: LinkedClip,
	form: "link" | "tag",
	lastEditor: LastTextEditor,
): Promise<void> {
	const editor = await lastEditor.show();
	const file = editor && (await reachableFile(editor.document, clip));
	if (!editor || file === undefined) {
		return;
	}
	const { document } = editor;
	const address =
		document.uri.scheme === "file"
			? linkAddress(document.uri.fsPath, file)
			: vscode.Uri.file(file).toString();
	const text = form === "link" ? markdownLink(clip.title, address) : videoTag(clip.title, address);
	await insertAtCursor(editor, text);
}

/** Inserts text at the cursor without replacing the selection. Throws when the document is read-only. */
export async function insertAtCursor(editor: vscode.TextEditor, text: string): Promise<void> {
	const { active } = editor.selection;
	// What is selected would grow by the text, and the next key would replace both.
	editor.selection = new vscode.Selection(active, active);
	if (!(await editor.edit(edit => edit.insert(active, text)))) {
		throw new Error(l10n.t("The document can't be changed."));
	}
}

/** The file to link to: where it is, or a copy beside the document when the user prefers that. */
async function reachableFile(
	document: vscode.TextDocument,
	clip: LinkedClip,
): Promise<string | undefined> {
	const folder = vscode.workspace.getWorkspaceFolder(document.uri);
	const isSaved = document.uri.scheme === "file" && folder !== undefined;
	if (!isSaved || isInside(clip.file, folder.uri.fsPath)) {
		return clip.file;
	}
	const copy = l10n.t("Copy the clip next to the document");
	const choice = await vscode.window.showQuickPick(
		[
			{
				label: copy,
				detail: l10n.t("{0}; the link also works for others", dirname(document.uri.fsPath)),
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
async function copyBeside(document: vscode.TextDocument, file: string): Promise<string> {
	const folder = vscode.Uri.joinPath(document.uri, "..");
	const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(file));
	return (await placeFile(folder, basename(file), bytes)).fsPath;
}
