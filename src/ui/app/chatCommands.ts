import type { Lazy } from "../../common/lazy.ts";
import { showAccessibilityHelp } from "./accessibilityHelp.ts";
import type { CommandTable } from "../base/commands.ts";
import type { Runtime } from "./runtime.ts";
import type { HistoryStep } from "./chatHistoryCommands.ts";

/** The commands about the chat as a whole. */
type ChatCommandId =
	| "cutaway.openChat"
	| "cutaway.newChat"
	| "cutaway.showAccessibilityHelp"
	| "cutaway.reloadChatView"
	| `cutaway.${HistoryStep}`;

/** What the commands about the chat as a whole do; each loads what it needs when it is run. */
export function chatCommands(runtime: Lazy<Runtime>): Pick<CommandTable, ChatCommandId> {
	const history = (step: HistoryStep) => async (): Promise<void> => {
		const [{ runHistoryStep }, current] = await Promise.all([
			import("./chatHistoryCommands.ts"),
			runtime.get(),
		]);
		await runHistoryStep(current, step);
	};
	return {
		"cutaway.openChat": async () => (await runtime.get()).chatView.open(),
		"cutaway.newChat": async () => {
			const { chat, chatView } = await runtime.get();
			await (await chat.get()).newChat();
			await chatView.open();
		},
		"cutaway.showAccessibilityHelp": showAccessibilityHelp,
		"cutaway.reloadChatView": async () => (await runtime.get()).chatView.reload(),
		"cutaway.showHistory": history("showHistory"),
		"cutaway.searchChats": history("searchChats"),
		"cutaway.renameChat": history("renameChat"),
		"cutaway.pinChat": history("pinChat"),
		"cutaway.archiveChat": history("archiveChat"),
		"cutaway.deleteChat": history("deleteChat"),
		"cutaway.duplicateChat": history("duplicateChat"),
		"cutaway.exportChat": history("exportChat"),
		"cutaway.copyChat": history("copyChat"),
		"cutaway.importChat": history("importChat"),
		"cutaway.verifyHistory": history("verifyHistory"),
	};
}
