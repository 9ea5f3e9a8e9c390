import * as vscode from "vscode";
import { insertAtCursor } from "../../editor/insertText.ts";
import type { ChatRequests } from "../../shared/chat.ts";
import type { RequestHandlers } from "../../shared/rpc.ts";
import type { ChatController } from "../chat/chatController.ts";

/** What the view asks about code blocks. */
export function codeHandlers(
	controller: () => Promise<ChatController>,
): Pick<
	RequestHandlers<ChatRequests>,
	"copyCode" | "insertCode" | "applyCode" | "createFileFromCode"
> {
	return {
		copyCode: async ({ text }) => {
			await vscode.env.clipboard.writeText(text);
			return {};
		},
		insertCode: async ({ text }) => {
			await insertAtCursor(text);
			return {};
		},
		applyCode: async ({ turnId, ...block }) => {
			const current = await controller();
			await current.codeBlocks.apply(current.blockPlace(turnId), block);
			return {};
		},
		createFileFromCode: async ({ turnId, ...block }) => {
			const current = await controller();
			await current.codeBlocks.createFile(current.blockPlace(turnId), block);
			return {};
		},
	};
}
