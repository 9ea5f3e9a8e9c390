/**
 * What a screen reader is told, once for each event.
 * In: changes of the conversation.
 * Out: sentences in a live region.
 */
export { describeChanges } from "./announcement.ts";
export { type Announcer, createAnnouncer } from "./announcer.ts";
