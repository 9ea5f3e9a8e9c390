/**
 * The search in a chat. Its code is loaded in a quiet moment.
 * In: keys, and the text of all turns.
 * Out: marks, and the place to scroll to.
 */
export { listenToFindKeys } from "./findKeys.ts";
