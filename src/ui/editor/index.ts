/**
 * Offers of Cutaway in an editor: actions on code and the light bulb.
 * In: a document and a selection.
 * Out: a question to the chat.
 */
export { registerLightBulb } from "./lightBulb.ts";
export { askWith, type QuickAction, type QuickActionDependencies } from "./quickActions.ts";
