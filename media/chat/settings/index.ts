/**
 * The form of a chat's settings.
 * In: the settings as the host has them.
 * Out: changes of them, and what is wrong with a value beside its field.
 */
export {
	chatSettingsButtonClass,
	loadChatSettings,
	renderChatSettings,
	renderChatSettingsButton,
	renderChoices,
} from "./chatSettings.ts";
export { chatSettingId, ChatSettingsPanel } from "./chatSettingsPanel.ts";
