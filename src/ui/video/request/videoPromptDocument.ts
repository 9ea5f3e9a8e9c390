import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { formatCount } from "../../../shared/index.ts";
import { maxPromptCharacters } from "../../../client/index.ts";
import type { IDisposable } from "../../../common/disposable.ts";
import { measurePrompt } from "./videoPrompt.ts";

let opened = 0;

/**
 * Opens a prompt as a document of its own, where any length and any line break can be edited. «Generate Video» is at its
 * top, with how long the prompt is, for as long as the document is open; a notification says so and offers the same.
 */
export async function editPrompt(
	prompt: string,
	onEdited: (prompt: string) => unknown,
): Promise<void> {
	const document = await vscode.workspace.openTextDocument({ content: prompt });
	await vscode.window.showTextDocument(document, { preview: false });
	const isWanted = await untilWanted(document);
	const text = document.getText().trim();
	if (isWanted && text !== "") {
		await onEdited(text);
	}
}

/** True once the user asks for the video, false when the document is closed first. */
async function untilWanted(document: vscode.TextDocument): Promise<boolean> {
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
		void vscode.window
			.showInformationMessage(
				l10n.t("Edit the prompt, then choose “Generate Video” at the top of the document."),
				l10n.t("Generate Video"),
			)
			.then(choice => choice && resolve(true));
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
