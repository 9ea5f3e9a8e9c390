/**
 * Base of many parts of the page: the actions a user can take and what the page remembers.
 * In: nothing.
 * Out: types, and the memory of the view.
 */
export type { ChatActions } from "./actions.ts";
export { HostMemory } from "./hostMemory.ts";
export { type KeptEdit, type KeptQueueEdit, ViewMemory } from "./viewMemory.ts";
