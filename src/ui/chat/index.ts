/**
 * The chat that a window shows: its controller, its questions, its queue, its view of a session, its share with other windows.
 * In: what the user does in the chat, changes of the session.
 * Out: the state the page shows, and changes of it.
 */
export { ChatController } from "./chatController.ts";
export { showContextUse } from "./contextView.ts";
export type { ShownChat } from "./shownChat.ts";
