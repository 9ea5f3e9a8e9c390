import * as vscode from "vscode";
import { type Clock, delay } from "../../common/async.ts";

export const chatViewId = "cutaway.chat";

/** How long VS Code may take to request the content of a new frame, in ms. */
const resolvingMs = 500;

function run(command: string, ...args: unknown[]): Thenable<unknown> {
	return vscode.commands.executeCommand(`${chatViewId}.${command}`, ...args);
}

export async function focusChatView(): Promise<void> {
	await run("focus");
}

/**
 * Makes VS Code recreate the chat view's frame: it removes the frame of a view hidden from its container, and creates one when the view is shown.
 * `isAvailable` returns whether VS Code has requested the view's content and still shows it.
 */
export async function replaceChatFrame(isAvailable: () => boolean, clock: Clock): Promise<void> {
	// The window runs the commands in order, so there is no need to wait for the first.
	await Promise.all([run("toggleVisibility"), run("toggleVisibility")]);
	await delay(resolvingMs, undefined, clock);
	if (!isAvailable()) {
		// If the view was alone in its container, that was closed. Doesn't take the focus from elsewhere.
		await run("focus", { preserveFocus: true });
	}
}

/** Resolves when the window has processed a message, regardless of its views. */
export async function windowAnswers(): Promise<void> {
	await vscode.commands.executeCommand("setContext", "cutaway.isWatching", true);
}
