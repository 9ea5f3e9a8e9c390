import * as vscode from "vscode";

/** Whether the keys go to the chat's page. Keys are bound to it by the context `cutaway.chatFocused`. */
export interface PageFocus {
	/** The page reported so, or is gone. */
	note(isHere: boolean): void;
	/** Gives the view the focus, unless the page has it: it would lose it on the way, and with it the next key. */
	take(): Promise<void>;
}

/**
 * Makes it for a page without the focus; `focusView` gives its view the focus. VS Code's own `focusedView` forgets a webview's
 * view once the page itself has the focus.
 */
export function createPageFocus(focusView: () => Promise<void>): PageFocus {
	let hasIt = false;
	return {
		note: isHere => {
			if (isHere !== hasIt) {
				hasIt = isHere;
				void vscode.commands.executeCommand("setContext", "cutaway.chatFocused", isHere);
			}
		},
		take: async () => {
			if (!hasIt) {
				await focusView();
			}
		},
	};
}
