/**
 * One conversation: a session takes questions, sends requests, applies events and has each step recorded before it shows.
 * In: questions, attachments, settings and a client.
 * Out: changes of turns for whoever shows them, and a chat on disk that survives a crash at any moment.
 */
export type { BlockCallLog } from "./blockCallLog.ts";
export { ChatSession, type ChatSessionChange, type SendResult } from "./chatSession.ts";
export { type ContextPart, contextParts, type ContextUse, contextUse } from "./contextUse.ts";
export { readExtraParameters } from "./extraParameters.ts";
export type { ChatTools } from "./turnRun.ts";
