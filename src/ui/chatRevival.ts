import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
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
	// What hangs in the processes of both views ends with the window only.
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
