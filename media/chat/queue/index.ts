/**
 * Messages that wait: their list and their edits. Loaded with the first one.
 * In: the queue as the host has it.
 * Out: rows, and actions on them.
 */
export type { QueueActionDependencies } from "./queueActions.ts";
export { QueueEdits, type QueueEdit } from "./queueEdit.ts";
export { LazyQueue, QueueAnnouncements } from "./queueLoading.ts";
