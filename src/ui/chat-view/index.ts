/**
 * The webview of the chat: its life, its focus, its messages and who answers each.
 * In: requests of the page.
 * Out: calls of the chat, and at most one message to the page per animation frame.
 */
export { chatViewId } from "./chatViewCommands.ts";
export type { ChatVideos } from "./chatVideoHandlers.ts";
export { ChatView } from "./chatView.ts";
