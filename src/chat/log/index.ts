/**
 * The append-only log of a chat: its records, its writer, its repair and its replay; the small file of its name and
 * options.
 * In: changes of turns.
 * Out: numbered records on disk, and from them the turns again, whatever was cut off at the end.
 */
export { type DecodedLog, decodeLog, decodePiece, decodingLog, recordsOf } from "./chatLog.ts";
export { appendMeta, type ChatMeta, type ChatMetaRecord, plainMeta, readMeta } from "./chatMeta.ts";
export {
	type ChatOptions,
	chatOptionsSchema,
	maxSystemPromptLength,
	maxTokensSchema,
	modelIdSchema,
	systemPromptSchema,
	temperatureSchema,
	topPSchema,
} from "./chatOptions.ts";
export {
	chatIdOf,
	type ChatPaths,
	chatPaths,
	isChatId,
	isDraft,
	isFileOfChat,
	isShownInLists,
} from "./chatPaths.ts";
export {
	type ChatRecord,
	chatRecordSchema,
	type ChatWorkspace,
	recordedAttachments,
	recordedMessage,
	recordedOptions,
	turnNumberOf,
	turnOptionsSchema,
	workspaceSchema,
} from "./chatRecord.ts";
export { ChatRecorder } from "./chatRecorder.ts";
export { keepCopy, keepCopyIn, replaceLog } from "./chatRepair.ts";
export { replayChat, replayingChat, type ReplayedChat } from "./chatReplay.ts";
export {
	type ChatWriter,
	LogWriter,
	createClosedWriter,
	type LogPosition,
	newLog,
} from "./chatWriter.ts";
