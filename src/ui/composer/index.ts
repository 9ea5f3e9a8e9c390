/**
 * Text written in the chat besides its messages: slash commands, prompts of the workspace, the settings of a chat.
 * In: text and settings.
 * Out: what the composer offers and what a question is asked with.
 */
export {
	ChatSettings,
	type ChatSuggestion,
	type ModelOffer,
	type ModelSearch,
} from "./chatSettings.ts";
export { chatSettingsView, readChatSettings } from "./chatSettingsForm.ts";
export { chatParameters, composerView } from "./composerView.ts";
export { type SlashCommandDependencies, SlashCommands } from "./slashCommands.ts";
export { UserPrompts } from "./userPrompts.ts";
