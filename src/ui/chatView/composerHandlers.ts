import * as vscode from "vscode";
import { fence } from "../../common/plainMarkdown.ts";
import { labelInWorkspace } from "../../editor/workspaceFiles.ts";
import { selectedText } from "../../editor/selection.ts";
import type { chatSettingsRequests, slashRequests } from "../../shared/slash.ts";
import type { RequestHandlers } from "../../shared/rpc.ts";
import type { ChatController } from "../chat/chatController.ts";
import { composerView, type ChatSettings } from "../composer/chatSettings.ts";
import { type SlashCommandDependencies, SlashCommands } from "../composer/slashCommands.ts";
import type { UserPrompts } from "../composer/userPrompts.ts";
import { chatSettingsView, readChatSettings } from "../composer/chatSettingsForm.ts";
import * as l10n from "@vscode/l10n";
import { StoreError } from "../../storage/fileSystem.ts";
import { storeErrorMessage } from "../base/failureAdvice.ts";

/** Dependencies of the composer's commands besides the chat. */
export interface ComposerHandlerDependencies {
	readonly prompts: UserPrompts;
	/** Makes a video from a text, or asks for one if it is empty. Resolves to whether it was started. */
	readonly makeVideo: (text: string) => Promise<boolean>;
}

/** Creates the handlers of the composer's requests about chat settings and commands. */
export function composerHandlers(
	chat: () => Promise<ChatController>,
	dependencies: ComposerHandlerDependencies,
): RequestHandlers<typeof slashRequests & typeof chatSettingsRequests> {
	const commands = async (): Promise<SlashCommands> => commandsOf(await chat(), dependencies);
	return {
		...chatSettingsHandlers(async () => (await chat()).settings),
		completeCommand: async ({ query }) => ({ offers: await (await commands()).complete(query) }),
		runCommand: async ({ text }) => (await commands()).run(text),
	};
}

const exportCommand = "cutaway.exportChat";

function commandsOf(
	controller: ChatController,
	{ prompts, makeVideo }: ComposerHandlerDependencies,
): SlashCommands {
	const { settings, options } = controller;
	return new SlashCommands({
		prompts: () => prompts.list(),
		models: () => composerView(settings).models,
		setModel: model => options.setModel(model),
		systemPrompts: () => settings.get("chat.systemPrompts"),
		setSystemPrompt: systemPrompt => settings.change({ ...settings.options, systemPrompt }),
		hasQuestions: () => controller.picture().turns.length > 0,
		newChat: () => controller.newChat(),
		makeVideo,
		exportChat: async () =>
			(await vscode.commands.getCommands(true)).includes(exportCommand)
				? async () => {
						await vscode.commands.executeCommand(exportCommand);
					}
				: undefined,
		surroundings,
		skills: () => controller.instructions.skills(),
		start: command => void vscode.commands.executeCommand(command),
		attach: path => controller.attachments.addUris([vscode.Uri.file(path)]),
		attachFile: async () => {
			const uri = vscode.window.activeTextEditor?.document.uri;
			if (uri) {
				await controller.attachments.addUris([uri]);
			}
		},
	});
}

function surroundings(): ReturnType<SlashCommandDependencies["surroundings"]> {
	const editor = vscode.window.activeTextEditor;
	const document = editor?.document;
	const file = document && !document.isUntitled ? document.uri : undefined;
	const selected = selectedText(editor);
	const language = document?.languageId ?? "";
	return {
		file: file && labelInWorkspace(file),
		selection: selected && fence(selected.text, language === "plaintext" ? "" : language),
	};
}

function chatSettingsHandlers(
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
			await settings.change(read.options).catch((error: unknown) => {
				throw error instanceof StoreError ? new Error(storeErrorMessage(error)) : error;
			});
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
