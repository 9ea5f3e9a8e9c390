import * as vscode from "vscode";
import { insertAtCursor } from "../../editor/index.ts";
import type { ChatRequests, RequestHandlers } from "../../shared/index.ts";
import type { ChatController } from "../chat/index.ts";

/** Requests of the view about code blocks. */
export function codeHandlers(
	controller: () => Promise<Pick<ChatController, "codeBlocks" | "blockPlace">>,
) {
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
	} satisfies Partial<RequestHandlers<ChatRequests>>;
}
