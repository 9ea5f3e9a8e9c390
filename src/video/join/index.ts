/**
 * Clips of one kind become one file, in a thread of its own.
 * In: files of clips in their order.
 * Out: a file that holds them one behind the other as they were encoded, or the reason why they cannot be joined.
 */
export { createThreadJoiner, type JoinClips } from "./joinThread.ts";
