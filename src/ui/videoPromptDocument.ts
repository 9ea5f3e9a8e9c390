import * as vscode from "vscode";
import { maxPromptCharacters } from "../client/index.ts";
import type { IDisposable } from "../common/disposable.ts";
import { measurePrompt } from "./videoPrompt.ts";

let opened = 0;

/**
 * Opens a prompt as a document of its own, where any length and any line break can be edited. «Generate Video» stands at its
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

/** True once the person asks for the video, false when the document is closed first. */
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
				"Edit the prompt, then choose “Generate Video” at the top of the document.",
				"Generate Video",
			)
			.then(choice => choice && resolve(true));
	});
	parts.forEach(part => part.dispose());
	return isWanted;
}

/** The way on, and how long the prompt is now. */
function promptLenses(document: vscode.TextDocument, command: string): vscode.CodeLens[] {
	const { characters, excess } = measurePrompt(document.getText().trim(), maxPromptCharacters);
	const number = new Intl.NumberFormat("en");
	const count =
		excess > 0
			? `$(warning) ${number.format(excess)} characters too many`
			: `${number.format(characters)} of ${number.format(maxPromptCharacters)} characters`;
	const top = new vscode.Range(0, 0, 0, 0);
	return [
		new vscode.CodeLens(top, { title: "$(play) Generate Video", command }),
		new vscode.CodeLens(top, { title: count, command: "" }),
	];
}
