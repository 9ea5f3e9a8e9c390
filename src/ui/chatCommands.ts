import type { Lazy } from "../common/lazy.ts";
import { showAccessibilityHelp } from "./accessibilityHelp.ts";
import type { CommandTable } from "./commands.ts";
import type { Runtime } from "./runtime.ts";

/** The commands about the chat as a whole. */
type ChatCommandId =
	| "cutaway.openChat"
	| "cutaway.newChat"
	| "cutaway.showAccessibilityHelp"
	| "cutaway.reloadChatView";

/** What the commands about the chat as a whole do; each loads what it needs when it is run. */
export function chatCommands(runtime: Lazy<Runtime>): Pick<CommandTable, ChatCommandId> {
	return {
		"cutaway.openChat": async () => (await runtime.get()).chatView.open(),
		"cutaway.newChat": async () => {
			const { chat, chatView } = await runtime.get();
			await (await chat.get()).newChat();
			await chatView.open();
		},
		"cutaway.showAccessibilityHelp": showAccessibilityHelp,
		"cutaway.reloadChatView": async () => (await runtime.get()).chatView.reload(),
	};
}
