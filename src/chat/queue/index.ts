/**
 * Messages that wait for an answer to end, and the file that keeps them.
 * In: messages, and word of how an answer ended.
 * Out: the message to send next; never one twice.
 */
export {
	addMessage,
	startSending,
	nextMessage,
	editMessage,
	emptyQueue,
	foundQueue,
	holdMessage,
	messageAsked,
	type MessageQueue,
	moveMessage,
	pauseQueue,
	type QueuePauseReason,
	type QueueChange,
	type QueuedMessage,
	type QueueRefusal,
	removeMessage,
	restoreMessage,
	resumeQueue,
	sendingFailed,
} from "./messageQueue.ts";
export { QueueFile } from "./queueFile.ts";
