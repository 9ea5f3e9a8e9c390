/**
 * Opens a chat on disk, as its writer or as a reader, and keeps the two apart.
 * In: a chat's id.
 * Out: a `StoredChat` with its turns, its queue and, in one window at a time, its writer.
 */
export {
	attemptContinuedRecord,
	type AttemptStamp,
	attemptResumedRecord,
	attemptStartedRecord,
	openingRecords,
	turnStartedRecord,
} from "./attemptRecord.ts";
export { ChatStore, type StoredChat } from "./chatStore.ts";
