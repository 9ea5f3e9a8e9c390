/**
 * The list of all chats: picking, searching, renaming, deleting, export, import, and the check of all files.
 * In: the library, clicks.
 * Out: the chat to show, or a file where the user wanted it.
 */
export { type ChatHistoryDependencies, showHistory } from "./chatHistory.ts";
export {
	deleteChat,
	duplicateChat,
	renameChat,
	toggleArchive,
	togglePin,
} from "./chatHistoryActions.ts";
export { copyChat, exportChat, importChat } from "./chatTransfer.ts";
export { verifyHistory } from "./verifyHistory.ts";
