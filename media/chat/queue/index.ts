/**
 * Messages that wait: their list and their edits. Loaded with the first one.
 * In: the queue as the host has it.
 * Out: rows, and actions on them.
 */
export type { QueueContext } from "./queueActions.ts";
export { createQueueEdits, type QueueEdit, type QueueEdits } from "./queueEdit.ts";
export { createLazyQueue, createQueueAnnouncements, type LazyQueue } from "./queueLoading.ts";
