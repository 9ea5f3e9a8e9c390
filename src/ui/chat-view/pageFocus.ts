import * as vscode from "vscode";

/** Tracks whether the chat page has the focus, and sets the context key `cutaway.chatFocused` for keybindings. */
export class PageFocus {
	private readonly focusView: () => Promise<void>;
	private hasIt = false;

	/**
	 * Starts without the focus. `focusView` focuses the view. VS Code's own `focusedView` doesn't include a webview's view once the page itself has the
	 * focus.
	 */
	constructor(focusView: () => Promise<void>) {
		this.focusView = focusView;
	}

	/** Whether the page has the focus, by its last report. */
	get isHere(): boolean {
		return this.hasIt;
	}

	/** Called when the page reports its focus or is gone. */
	note(isHere: boolean): void {
		if (isHere !== this.hasIt) {
			this.hasIt = isHere;
			void vscode.commands.executeCommand("setContext", "cutaway.chatFocused", isHere);
		}
	}

	/** Focuses the view unless the page has the focus, which it would lose meanwhile together with the next key. */
	async take(): Promise<void> {
		if (!this.hasIt) {
			await this.focusView();
		}
	}
}

/**
 * Runs a chat action that may use VS Code's inputs and dialogs, and calls `putBack` afterwards to restore the focus, because VS Code itself focuses
 * the editor. If the user or the action went to an editor, the focus stays there.
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
