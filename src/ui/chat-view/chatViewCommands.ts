import * as vscode from "vscode";
import { type Clock, delay } from "../../common/async.ts";

/** Id of the chat's view. */
export const chatViewId = "cutaway.chat";

/** How long VS Code may take to ask for the content of a frame it has made, in ms. */
const resolvingMs = 500;

function run(command: string, ...args: unknown[]): Thenable<unknown> {
	return vscode.commands.executeCommand(`${chatViewId}.${command}`, ...args);
}

/** Shows the chat's view and gives it the focus. */
export async function focusChatView(): Promise<void> {
	await run("focus");
}

/**
 * Has VS Code make a fresh frame for the chat's view: it drops the frame of a view that is hidden from its container, and makes
 * one when the view is back. `isAvailable` says whether VS Code has asked for the view's content and still shows it.
 */
export async function replaceChatFrame(isAvailable: () => boolean, clock: Clock): Promise<void> {
	// The window carries them out in the order they are sent; waiting for the first would only cost time.
	await Promise.all([run("toggleVisibility"), run("toggleVisibility")]);
	await delay(resolvingMs, undefined, clock);
	if (!isAvailable()) {
		// A view that was alone in its container closed it. Someone who types elsewhere keeps the focus.
		await run("focus", { preserveFocus: true });
	}
}

/** Resolves once the window has taken a message and answered, whatever its views do. */
export async function windowAnswers(): Promise<void> {
	await vscode.commands.executeCommand("setContext", "cutaway.isWatching", true);
}
