import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { formatCount } from "../../../shared/locale.ts";
import { maxPromptCharacters } from "../../../client/contract/schemas.ts";
import type { IDisposable } from "../../../common/disposable.ts";
import { measurePrompt } from "./videoPrompt.ts";

let opened = 0;

/**
 * Opens a prompt as a document of its own, where any length and any line break can be edited. «Generate Video» is at its
 * top, with how long the prompt is, for as long as the document is open; a notification says so and offers the same. Once
 * `onEdited` says that a video was started, which keeps the prompt, the document is closed,
 * unless it has changed meanwhile.
 */
export async function editPrompt(
	prompt: string,
	onEdited: (prompt: string) => Promise<boolean>,
): Promise<void> {
	const document = await vscode.workspace.openTextDocument({ content: prompt });
	await vscode.window.showTextDocument(document, { preview: false });
	let isStarted = false;
	let text = "";
	for (let isFirst = true; !isStarted && (await untilWanted(document, isFirst)); isFirst = false) {
		text = document.getText().trim();
		isStarted = text !== "" && (await onEdited(text));
	}
	// What was written after the prompt was taken is nowhere else.
	if (isStarted && document.getText().trim() === text) {
		await closeUnsaved(document);
	}
}

/** Closes a document that was never saved; an empty one closes without a question. */
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

/** True once the user asks for the video, false when the document is closed first. */
async function untilWanted(document: vscode.TextDocument, isFirst: boolean): Promise<boolean> {
	if (document.isClosed) {
		return false;
	}
	const parts: IDisposable[] = [];
	const isWanted = await new Promise<boolean>(resolve => {
		// A notification hides by itself long before a prompt is edited, so it is not the only way on.
		const command = `cutaway.promptDocument.${++opened}`;
		parts.push(
			vscode.commands.registerCommand(command, () => resolve(true)),
			vscode.languages.registerCodeLensProvider(
				{ scheme: document.uri.scheme },
				{
					provideCodeLenses: candidate =>
						candidate.uri.toString() === document.uri.toString()
							? promptLenses(candidate, command)
							: [],
				},
			),
			vscode.workspace.onDidCloseTextDocument(closed => {
				if (closed === document) {
					resolve(false);
				}
			}),
		);
		if (isFirst) {
			void vscode.window
				.showInformationMessage(
					l10n.t("Edit the prompt, then choose “Generate Video” at the top of the document."),
					l10n.t("Generate Video"),
				)
				.then(choice => choice && resolve(true));
		}
	});
	parts.forEach(part => part.dispose());
	return isWanted;
}

/** The way on, and how long the prompt is now. */
function promptLenses(document: vscode.TextDocument, command: string): vscode.CodeLens[] {
	const { characters, excess } = measurePrompt(document.getText().trim(), maxPromptCharacters);
	const count =
		excess > 0
			? `$(warning) ${l10n.t("{0} characters too many", formatCount(excess))}`
			: l10n.t("{0} of {1} characters", formatCount(characters), formatCount(maxPromptCharacters));
	const top = new vscode.Range(0, 0, 0, 0);
	return [
		new vscode.CodeLens(top, { title: `$(play) ${l10n.t("Generate Video")}`, command }),
		new vscode.CodeLens(top, { title: count, command: "" }),
	];
}
