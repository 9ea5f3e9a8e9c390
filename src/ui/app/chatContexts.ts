import * as vscode from "vscode";
import type { IDisposable, Event } from "../../common/disposable.ts";
import type { ChatChange } from "../../shared/chat.ts";
import type { ChatController } from "../chat/chatController.ts";

interface FollowedChat {
	readonly shown: Pick<ChatController["shown"], "turnCount">;
	readonly onDidChange: ChatController["onDidChange"];
	readonly settings: Pick<ChatController["settings"], "setEnvironment" | "environment">;
	readonly tools: {
		readonly history: Pick<ChatController["tools"]["history"], "hasChangedFiles">;
	};
}

/**
 * Sets the context key `cutaway.hasChat` while the shown chat has questions, because an empty one isn't stored, and shows its button for changed files
 * while tools have changed files in it.
 */
export function keepChatContexts(controller: FollowedChat): IDisposable {
	const hasChat = new ContextKey("cutaway.hasChat");
	let asked = 0;
	const countTurns = (): void => hasChat.set(controller.shown.turnCount > 0);
	const lookForFiles = async (): Promise<void> => {
		asked += 1;
		const current = asked;
		const has = await controller.tools.history.hasChangedFiles();
		// Ignores results from before another change.
		if (current === asked) {
			showChangedFiles(controller.settings, has);
		}
	};
	countTurns();
	void lookForFiles();
	return controller.onDidChange(changes => {
		if (changes.some(({ type }) => type === "reset" || type === "turn-added")) {
			countTurns();
		}
		if (changes.some(mayChangeFiles)) {
			void lookForFiles();
		}
	});
}

function showChangedFiles(settings: FollowedChat["settings"], hasChangedFiles: boolean): void {
	if ((settings.environment.hasChangedFiles ?? false) !== hasChangedFiles) {
		settings.setEnvironment({ hasChangedFiles });
	}
}

function mayChangeFiles(change: ChatChange): boolean {
	return (
		change.type === "reset" || (change.type === "tool-card" && change.card.change !== undefined)
	);
}

class ContextKey {
	private readonly name: string;
	private value: boolean | undefined;

	constructor(name: string) {
		this.name = name;
	}

	set(value: boolean): void {
		if (value !== this.value) {
			this.value = value;
			void vscode.commands.executeCommand("setContext", this.name, value);
		}
	}
}

/** Fires for each complete answer to a message with a selection attached. */
export function followAnswers(
	onDidChange: Event<readonly ChatChange[]>,
	onAnswer: () => void,
): IDisposable {
	const withSelection = new Set<string>();
	return onDidChange(changes => {
		for (const change of changes) {
			if (change.type === "turn-added") {
				const { id, attachments } = change.turn;
				if (attachments.some(({ kind }) => kind === "selection")) {
					withSelection.add(id);
				}
			} else if (
				change.type === "status" &&
				change.status.state === "complete" &&
				withSelection.delete(change.turnId)
			) {
				onAnswer();
			}
		}
	});
}
