import { canUseServerTools, type ChatRequest } from "../../client/contract/schemas.ts";
import type { Turn } from "../turn/turn.ts";

/** The server tools a turn's requests switch on; files of its question switch on `code_interpreter`. Interface §4.4. */
export function serverToolsOf({
	options,
	attachments,
}: Pick<Turn, "options" | "attachments">): NonNullable<ChatRequest["tools"]> {
	const { model, serverTools } = options;
	if (!canUseServerTools(model)) {
		return [];
	}
	const isNeeded = hasFiles(attachments) && !serverTools.includes("code_interpreter");
	return [...(isNeeded ? (["code_interpreter"] as const) : []), ...serverTools];
}

/** Whether a question itself came with what reaches the model through `code_interpreter` alone. Interface §4.4. */
export function hasFiles(attachments: Turn["attachments"]): boolean {
	return attachments.some(each => each.kind === "file" && !each.isCarried);
}

/** Whether a tool of this name runs on the server for a turn, so that its calls need no answer. Interface §4.4. */
export function runsOnServer(turn: Pick<Turn, "options" | "attachments">, name: string): boolean {
	return serverToolsOf(turn).some(tool => tool === name);
}
