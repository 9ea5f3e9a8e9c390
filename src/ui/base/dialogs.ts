import * as vscode from "vscode";
import { isAbortError } from "../../common/errors.ts";

/**
 * Runs a task with a notification that shows its progress and can cancel it. Resolves to undefined if the task is canceled. The task passes the
 * finished share, 0 to 1, and words for it to `onProgress`; the bar waits where the share falls.
 */
export async function whileCancellable<T>(
	title: string,
	task: (
		signal: AbortSignal,
		onProgress: (share: number, message?: string) => void,
	) => Promise<T | undefined>,
): Promise<T | undefined> {
	const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
	return await vscode.window.withProgress(options, async (progress, token) => {
		const stopper = new AbortController();
		token.onCancellationRequested(() => stopper.abort());
		let shown = 0;
		try {
			return await task(stopper.signal, (share, message) => {
				const increment = Math.max(0, 100 * share - shown);
				shown += increment;
				progress.report({ increment, message });
			});
		} catch (error) {
			if (isAbortError(error)) {
				return undefined;
			}
			throw error;
		}
	});
}

/** Shows a list until `accept` returns a choice or the user closes it. While `isReplaced`, an input is shown in its place. */
export function untilChosen<Item extends vscode.QuickPickItem, Choice>(
	pick: vscode.QuickPick<Item>,
	accept: (chosen: Item | undefined) => Choice | undefined,
	isReplaced = (): boolean => false,
): Promise<Choice | undefined> {
	return new Promise(resolve => {
		const end = (choice: Choice | undefined): void => {
			resolve(choice);
			pick.dispose();
		};
		pick.onDidAccept(() => {
			const choice = accept(pick.selectedItems[0]);
			if (choice !== undefined) {
				end(choice);
			}
		});
		pick.onDidHide(() => {
			if (!isReplaced()) {
				end(undefined);
			}
		});
		pick.show();
	});
}

/** Asks in a modal dialog. Resolves to whether the user chose `button`. */
export async function isConfirmed(
	question: string,
	button: string,
	detail?: string,
): Promise<boolean> {
	const options = { modal: true, detail };
	return (await vscode.window.showWarningMessage(question, options, button)) === button;
}
