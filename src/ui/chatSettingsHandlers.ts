import * as l10n from "@vscode/l10n";
import { StoreError } from "../chat/storeError.ts";
import type { chatSettingsRequests } from "../protocol/chatSettings.ts";
import type { RequestHandlers } from "../protocol/rpc.ts";
import type { ChatSettings } from "./chatSettings.ts";
import { chatSettingsView, readChatSettings } from "./chatSettingsForm.ts";
import { composerView } from "./chatViewModel.ts";
import { storeSentence } from "./storeSentence.ts";

/** What the form of the chat's settings asks for. */
export function chatSettingsHandlers(
	chatSettings: () => Promise<ChatSettings>,
): RequestHandlers<typeof chatSettingsRequests> {
	return {
		chatSettings: async () => chatSettingsView(await chatSettings()),
		saveChatSettings: async ({ chatId, values }) => {
			const settings = await chatSettings();
			if (settings.chatId !== chatId) {
				throw new Error(l10n.t("Nothing was changed: another chat is open now."));
			}
			const read = readChatSettings(values, settings);
			if ("faults" in read) {
				return { faults: read.faults };
			}
			const { models } = composerView(settings);
			const { model } = read.options;
			const isOther = model !== undefined && model !== settings.get("chat.model");
			await orSentence(() => settings.change(read.options));
			if (isOther) {
				if (!models.includes(model)) {
					await settings.set("chat.models", [...settings.get("chat.models"), model]);
				}
				await settings.set("chat.model", model);
			}
			return { faults: [] };
		},
	};
}

async function orSentence(work: () => Promise<void>): Promise<void> {
	try {
		await work();
	} catch (error) {
		throw error instanceof StoreError ? new Error(storeSentence(error)) : error;
	}
}
