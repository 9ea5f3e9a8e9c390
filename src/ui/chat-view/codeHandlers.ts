import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { insertAtCursor } from "../../editor/insertText.ts";
import { namedFiles, openNamedFile } from "../../editor/namedFiles.ts";
import type { ChatRequests } from "../../shared/chat.ts";
import type { RequestHandlers } from "../../shared/rpc.ts";
import type { ChatController } from "../chat/chatController.ts";

/** Requests of the view about code blocks and the files that answers name. */
export function codeHandlers(
	controller: () => Promise<Pick<ChatController, "codeBlocks" | "blockPlace">>,
) {
	return {
		nameFiles: async ({ paths }) => ({
			labels: (await namedFiles(paths)).map(label => label ?? null),
		}),
		openFile: async ({ label, line, endLine }) => {
			if (!(await openNamedFile(label, line, endLine))) {
				throw new Error(l10n.t("{0} is no longer in the workspace.", label));
			}
			return {};
		},
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
