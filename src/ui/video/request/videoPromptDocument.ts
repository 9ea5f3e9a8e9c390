import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { formatCount } from "../../../shared/locale.ts";
import { maxPromptCharacters } from "../../../common/videoEngines.ts";
import type { IDisposable } from "../../../common/disposable.ts";
import { openOwnDocument } from "../../../editor/userDocuments.ts";
import { measurePrompt } from "./videoPrompt.ts";

let opened = 0;

/**
 * Opens a prompt in an untitled document for editing text of any length. Shows `title` at its top while it is open, and the length of a
 * prompt that is too long. If `onEdited` resolves to true, the video was started and has the prompt, so the document is closed unless it has changed
 * meanwhile.
 */
export async function editPrompt(
	prompt: string,
	title: string,
	onEdited: (prompt: string) => Promise<boolean>,
): Promise<void> {
	const document = await openOwnDocument(prompt);
	let isStarted = false;
	let text = "";
	while (!isStarted && (await untilWanted(document, title))) {
		text = document.getText().trim();
		isStarted = text !== "" && (await onEdited(text));
	}
	// Later edits exist only in the document.
	if (isStarted && document.getText().trim() === text) {
		await closeUnsaved(document);
	}
}

/** Closes an untitled document. Empties it first, so that closing doesn't prompt. */
export async function closeUnsaved(document: vscode.TextDocument): Promise<void> {
	const edit = new vscode.WorkspaceEdit();
	edit.delete(document.uri, new vscode.Range(0, 0, document.lineCount, 0));
	await vscode.workspace.applyEdit(edit);
	const uri = document.uri.toString();
	const tabs = vscode.window.tabGroups.all
		.flatMap(group => group.tabs)
		.filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri);
	await vscode.window.tabGroups.close(tabs);
}

/** Resolves to true when the user requests the video, or false if the document is closed first. */
async function untilWanted(document: vscode.TextDocument, title: string): Promise<boolean> {
	if (document.isClosed) {
		return false;
	}
	const parts: IDisposable[] = [];
	const isWanted = await new Promise<boolean>(resolve => {
		const command = `cutaway.promptDocument.${++opened}`;
		parts.push(
			vscode.commands.registerCommand(command, () => resolve(true)),
			vscode.languages.registerCodeLensProvider(
				{ scheme: document.uri.scheme },
				{
					provideCodeLenses: candidate =>
						candidate.uri.toString() === document.uri.toString()
							? promptLenses(candidate, { title: `$(play) ${title}`, command })
							: [],
				},
			),
			vscode.workspace.onDidCloseTextDocument(closed => {
				if (closed === document) {
					resolve(false);
				}
			}),
		);
	});
	parts.forEach(part => part.dispose());
	return isWanted;
}

function promptLenses(document: vscode.TextDocument, way: vscode.Command): vscode.CodeLens[] {
	const { excess } = measurePrompt(document.getText().trim(), maxPromptCharacters);
	const words =
		excess > 0
			? `$(warning) ${l10n.t("{0} characters too many", formatCount(excess))}`
			: l10n.t("Edit first; nothing is requested yet");
	const top = new vscode.Range(0, 0, 0, 0);
	return [new vscode.CodeLens(top, way), new vscode.CodeLens(top, { title: words, command: "" })];
}
