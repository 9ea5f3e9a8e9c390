import * as vscode from "vscode";

/**
 * Runs what a user does in the chat, which may ask in VS Code's own inputs and dialogs, and has `putBack` give the chat the cursor
 * afterwards, chosen or left: VS Code itself puts it into the editor. A user who went to an editor, or was brought to one, stays there.
 */
export async function backToMessage<Result>(
	step: () => Promise<Result> | Result,
	putBack: () => Promise<void>,
): Promise<Result> {
	let isElsewhere = false;
	const leave = (isAway: boolean): void => {
		isElsewhere ||= isAway;
	};
	const listeners = [
		vscode.window.onDidChangeActiveTextEditor(editor => leave(editor !== undefined)),
		vscode.window.tabGroups.onDidChangeTabs(({ opened }) => leave(opened.length > 0)),
		vscode.window.onDidChangeTextEditorSelection(({ kind }) =>
			leave(
				kind === vscode.TextEditorSelectionChangeKind.Mouse ||
					kind === vscode.TextEditorSelectionChangeKind.Keyboard,
			),
		),
	];
	try {
		return await step();
	} finally {
		listeners.forEach(listener => listener.dispose());
		if (!isElsewhere) {
			await putBack();
		}
	}
}
