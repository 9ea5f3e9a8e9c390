/**
 * Base of many parts of the page: the actions a user can take and what the page remembers.
 * In: nothing.
 * Out: types, and the memory of the view.
 */
export type { ChatActions } from "./actions.ts";
export { hostMemoryState } from "./hostMemory.ts";
export {
	createViewMemory,
	type KeptEdit,
	type KeptQueueEdit,
	type ViewMemory,
} from "./viewMemory.ts";
