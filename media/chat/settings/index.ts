/**
 * The form of a chat's settings.
 * In: the settings as the host has them.
 * Out: changes of them, and what is wrong with a value beside its field.
 */
export {
	chatSettingId,
	chatSettingsButtonClass,
	renderChatSettings,
	renderChatSettingsButton,
	renderChoices,
} from "./chatSettings.ts";
export { type ChatSettingsPanel, createChatSettingsPanel } from "./chatSettingsPanel.ts";
