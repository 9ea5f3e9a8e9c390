/**
 * Tools in this window: the gate with the editor behind it, the cards on which the user answers, the history of changes.
 * In: calls of a model, clicks on cards.
 * Out: results, and cards that tell what was done.
 */
export type { WindowTools, WindowToolsOutside } from "./chatTools.ts";
export type { BlockOrigin, CodeBlocks } from "./codeBlocks.ts";
export { type EditorToolGate, registerLanguageModelTools } from "./languageModelTools.ts";
export type { ToolCardStore } from "./toolCardStore.ts";
