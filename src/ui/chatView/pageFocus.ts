import * as vscode from "vscode";
import { type Clock, delay } from "../../common/async.ts";
import type * as z from "zod/mini";
import type { ChatPushes, ChatRequests } from "../../shared/chat.ts";
import type { WebviewHost } from "../webview/webviewHost.ts";

/** Tracks whether the chat page has the focus, and sets the context key `cutaway.chatFocused` for keybindings. */
export class PageFocus {
	private readonly focusView: () => Promise<void>;
	private hasIt = false;

	/** Starts without the focus. VS Code's `focusedView` doesn't include a webview whose page has the focus. */
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

/** A turn to scroll to, or its open request if `isAsking`. */
type ShownTurn = z.infer<ChatPushes["showTurn"]>;

/** Commands for the page once it shows its chat, run in this order. */
export interface PendingPageCommands {
	words: string[];
	focus: boolean;
	/** The turn to scroll to, or its open request. */
	turn: ShownTurn | undefined;
}

/** Sends the commands to the page and clears them. */
export async function flushPageCommands(
	pending: PendingPageCommands,
	host: Pick<WebviewHost<ChatRequests, ChatPushes>, "push"> | undefined,
): Promise<void> {
	pending.focus = false;
	for (const text of pending.words.splice(0)) {
		void host?.push("fillComposer", { text });
	}
	await host?.push("focusComposer", {});
	if (pending.turn !== undefined) {
		void host?.push("showTurn", pending.turn);
		pending.turn = undefined;
	}
}
