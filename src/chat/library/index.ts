/**
 * All chats of all windows: the list with its index, search, names, removal and the check of all files.
 * In: the folder of the chats.
 * Out: summaries and matches; the truth stays in the logs.
 */
export { type ChatFound, ChatLibrary, type HistoryReport } from "./chatLibrary.ts";
export type { ChatSummary } from "./chatSummary.ts";
export { titleOf } from "./chatTitle.ts";
export { foldedWords, foldText } from "./foldedText.ts";
