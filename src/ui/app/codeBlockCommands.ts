import type { Lazy } from "../../common/lazy.ts";
import type { CommandTable } from "../base/commands.ts";
import type { Runtime } from "./runtime.ts";

/** The commands that move through the code blocks of the conversation. */
export function codeBlockCommands(
	runtime: Lazy<Runtime>,
): Pick<CommandTable, "cutaway.nextCodeBlock" | "cutaway.previousCodeBlock"> {
	return {
		"cutaway.nextCodeBlock": async () => (await runtime.get()).chatView.moveToCodeBlock("next"),
		"cutaway.previousCodeBlock": async () =>
			(await runtime.get()).chatView.moveToCodeBlock("previous"),
	};
}
