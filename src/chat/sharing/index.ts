/**
 * One chat in several windows: following the log that another window writes, asking for its lease and giving it up.
 * In: the chat's files as other windows leave them.
 * Out: turns of the other window, and the lease when it is free.
 */
export { type ChatFollower, followChat } from "./chatFollower.ts";
export { openChats } from "./openChats.ts";
export {
	answerTakeoverRequests,
	requestTakeover,
	type TakeoverResponder,
	type TakeoverOptions,
	type TakeoverResult,
} from "./takeover.ts";
