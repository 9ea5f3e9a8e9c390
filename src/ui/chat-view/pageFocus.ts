import * as vscode from "vscode";

/** Whether the keys go to the chat's page. Keys are bound to it by the context `cutaway.chatFocused`. */
export class PageFocus {
	private readonly focusView: () => Promise<void>;
	private hasIt = false;

	/**
	 * Makes it for a page without the focus; `focusView` gives its view the focus. VS Code's own `focusedView` forgets a webview's
	 * view once the page itself has the focus.
	 */
	constructor(focusView: () => Promise<void>) {
		this.focusView = focusView;
	}

	/** Whether the page has the focus, as it last reported. */
	get isHere(): boolean {
		return this.hasIt;
	}

	/** The page reported so, or is gone. */
	note(isHere: boolean): void {
		if (isHere !== this.hasIt) {
			this.hasIt = isHere;
			void vscode.commands.executeCommand("setContext", "cutaway.chatFocused", isHere);
		}
	}

	/** Gives the view the focus, unless the page has it: it would lose it on the way, and with it the next key. */
	async take(): Promise<void> {
		if (!this.hasIt) {
			await this.focusView();
		}
	}
}

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
