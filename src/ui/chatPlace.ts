import * as vscode from "vscode";
import { type Clock, delay } from "../common/async.ts";

/**
 * The views that can hold the chat, of which one is there at a time. VS Code gives a view's pages one origin, and with it one
 * process, for as long as the view has its id: a page that hangs takes every page after it along. The spare one has its own.
 */
export const chatViewIds = ["cutaway.chat", "cutaway.chatSpare"] as const;

/** How long VS Code may take to ask for the content of a frame it has made, in ms. */
const resolvingMs = 500;

/** Where the chat is. */
export interface ChatPlace {
	/** Shows the view and gives it the focus. */
	focus(): Promise<void>;
	/**
	 * Has VS Code make a new frame for the view: it drops the frame of a view that is hidden from its container, and makes one
	 * when the view is back.
	 */
	replaceFrame(): Promise<void>;
	/** Puts the other view in this one's place, and with it a frame in another process. */
	changeView(): Promise<void>;
}

/** Makes it for the chat's own view; `isThere` says whether VS Code has asked for a view's content and still shows it. */
export function createChatPlace(isThere: () => boolean, clock: Clock): ChatPlace {
	let isSpare = false;
	const run = (command: string, ...args: unknown[]): Thenable<unknown> =>
		vscode.commands.executeCommand(`${chatViewIds[isSpare ? 1 : 0]}.${command}`, ...args);
	/** Where the view was alone in its container, that may have closed with it and is opened again. */
	const openIfGone = async (): Promise<void> => {
		await delay(resolvingMs, undefined, clock);
		if (!isThere()) {
			// A person who writes elsewhere goes on there; one who wrote in the page gets the cursor once it is up.
			await run("focus", { preserveFocus: true });
		}
	};
	return {
		focus: async () => {
			await run("focus");
		},
		replaceFrame: async () => {
			// The window carries them out in the order they are sent; waiting for word of the first would only cost time.
			await Promise.all([run("toggleVisibility"), run("toggleVisibility")]);
			await openIfGone();
		},
		changeView: async () => {
			isSpare = !isSpare;
			await vscode.commands.executeCommand("setContext", "cutaway.isSpareChatThere", isSpare);
			await openIfGone();
		},
	};
}
