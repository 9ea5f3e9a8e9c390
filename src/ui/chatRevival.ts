import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { type Clock, delay } from "../common/async.ts";
import type { ChatChange, ChatViewState } from "../protocol/chat.ts";
import type { pulseRequests } from "../protocol/pulse.ts";
import type { RequestHandlers } from "../protocol/rpc.ts";
import { restingHtml } from "./chatHtml.ts";
import type { PageFocus } from "./pageFocus.ts";
import type { ViewRevival } from "./viewRevival.ts";

/** Resolves once the window has taken word of something and answered, whatever its views do. */
export async function windowAnswers(): Promise<void> {
	await vscode.commands.executeCommand("setContext", "cutaway.isWatching", true);
}

/** How long VS Code may take to ask for the content of a frame it has made, in ms. */
const resolvingMs = 500;

/**
 * Has VS Code make a new frame for the chat view: it drops the frame of a view that is hidden from its container, and makes one
 * when the view is back. Where the view was alone in its container, that may close with it and is opened again.
 */
export async function replaceFrame(isThere: () => boolean, clock: Clock): Promise<void> {
	const toggle = (): Thenable<unknown> =>
		vscode.commands.executeCommand("cutaway.chat.toggleVisibility");
	// The window carries them out in the order they are sent; waiting for word of the first would only cost time.
	await Promise.all([toggle(), toggle()]);
	await delay(resolvingMs, undefined, clock);
	if (!isThere()) {
		// A person who writes elsewhere goes on there; one who wrote in the page gets the cursor once it is up.
		await vscode.commands.executeCommand("cutaway.chat.focus", { preserveFocus: true });
	}
}

/** Says in the view, and beside it in case nothing can be shown in there, that it is opened again by a command only. */
export function layToRest(view: vscode.WebviewView, extensionUri: vscode.Uri): void {
	const title = l10n.t("The chat view stopped working.");
	const kept = l10n.t("Your chats are kept, and a running answer goes on.");
	view.webview.html = restingHtml(view.webview, extensionUri, {
		title,
		paragraphs: [
			kept,
			l10n.t(
				"It was opened anew three times within a minute. To open it again, run the command “Cutaway: Reload Chat View”.",
			),
		],
	});
	const hint = l10n.t(
		"If it stays blank, reload the window: that stops a running answer and keeps its text.",
	);
	void offerReload(`${title} ${kept} ${hint}`);
}

async function offerReload(sentences: string): Promise<void> {
	const reload = l10n.t("Reload Chat View");
	// A page that hangs for good keeps its process, and VS Code gives every frame of the view the same one.
	const reloadWindow = l10n.t("Reload Window");
	const choice = await vscode.window.showWarningMessage(sentences, reload, reloadWindow);
	if (choice !== undefined) {
		await vscode.commands.executeCommand(
			choice === reload ? "cutaway.reloadChatView" : "workbench.action.reloadWindow",
		);
	}
}

/** Takes the page's word about itself. */
export function pulseHandlers(
	revival: ViewRevival,
	focus: PageFocus,
	noteWriting: (isWriting: boolean) => void,
): RequestHandlers<typeof pulseRequests> {
	return {
		pong: ({ beat, isShown, isWriting }) => {
			if (isShown) {
				noteWriting(isWriting);
			}
			revival.tell({ type: "answered", beat, isShown });
			return {};
		},
		focusMoved: ({ hasFocus }) => {
			focus.note(hasFocus);
			return {};
		},
		erred: () => {
			revival.tell({ type: "erred" });
			return {};
		},
		scriptFailed: () => {
			revival.tell({ type: "scriptFailed" });
			return {};
		},
	};
}

/** What a change costs that is not text: about as much as a short sentence. */
const plainChange = 200;

/** How much text changes bring a page to show, in characters. */
export function charactersOf(changes: readonly ChatChange[]): number {
	return changes.reduce((sum, change) => sum + charactersOfChange(change), 0);
}

function charactersOfChange(change: ChatChange): number {
	switch (change.type) {
		case "text":
			return change.text.length;
		case "reset":
			return charactersOfChat(change.state);
		case "earlier-turns":
			return charactersOfChat(change);
		default:
			return plainChange;
	}
}

/** How much text a whole chat is, in characters. */
export function charactersOfChat({ turns }: Pick<ChatViewState, "turns">): number {
	return turns.reduce(
		(sum, { prompt, messages }) =>
			messages.reduce(
				(length, { text }) => length + text.length,
				sum + prompt.length + plainChange,
			),
		0,
	);
}
