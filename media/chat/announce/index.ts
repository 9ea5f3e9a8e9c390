/**
 * Announcements for a screen reader, once for each event.
 * In: changes of the conversation.
 * Out: sentences in a live region.
 */
export { describeChanges } from "./announcement.ts";
export { Announcer } from "./announcer.ts";
