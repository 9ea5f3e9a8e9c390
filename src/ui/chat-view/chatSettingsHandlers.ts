import * as l10n from "@vscode/l10n";
import { StoreError } from "../../storage/index.ts";
import type { chatSettingsRequests, RequestHandlers } from "../../shared/index.ts";
import {
	type ChatSettings,
	chatSettingsView,
	readChatSettings,
	composerView,
} from "../composer/index.ts";
import { storeSentence } from "../base/storeSentence.ts";

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
