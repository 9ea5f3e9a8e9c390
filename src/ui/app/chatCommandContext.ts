import * as vscode from "vscode";
import type { IDisposable } from "../../common/disposable.ts";
import type { ChatController } from "../chat/index.ts";

/** Offers the commands about the shown chat while it has questions; an empty one is kept nowhere. */
export function offerChatCommands(
	controller: Pick<ChatController, "shown" | "onDidChange">,
): IDisposable {
	let offered: boolean | undefined;
	const update = (): void => {
		const hasChat = controller.shown.turnCount > 0;
		if (hasChat !== offered) {
			offered = hasChat;
			void vscode.commands.executeCommand("setContext", "cutaway.hasChat", hasChat);
		}
	};
	update();
	return controller.onDidChange(changes => {
		if (changes.some(({ type }) => type === "reset" || type === "turn-added")) {
			update();
		}
	});
}
