/**
 * Messages between the host and the webviews: schemas of every request, reply and message, and the few words
 * that both sides show.
 * In: unknown values from the other side.
 * Out: values whose type is certain. Nothing here depends on either side.
 */
export {
	type AttachmentOffer,
	type attachmentRequests,
	type AttachmentsView,
	type AttachmentUseView,
	type AttachmentView,
	maxTransferBytes,
	type SentAttachment,
	transferPieceBytes,
} from "./attachments.ts";
export {
	type Banner,
	type BannerAction,
	type ChatChange,
	type ChatPushes,
	chatPushes,
	type ChatRequests,
	chatRequests,
	type ChatViewState,
	type ComposerView,
	type ConnectionView,
	type MessageView,
	type ThoughtView,
	type TurnAction,
	type TurnState,
	type TurnStatus,
	type TurnView,
} from "./chat.ts";
export {
	type ChatSettingFault,
	type ChatSettingName,
	type chatSettingsRequests,
	type ChatSettingsView,
	type ChatSettingValues,
	chatSettingValuesSchema,
} from "./chatSettings.ts";
export {
	type ClipExport,
	type ClipExportFailure,
	type ExportFormat,
	clipFormatSchema,
	clipWidths,
	maxExportBytes,
	maxPartCharacters,
} from "./clipExport.ts";
export { formatElapsed } from "./elapsed.ts";
export { addedAddresses, webAddressesIn } from "./webAddresses.ts";
export { formatCount, formatDecimal, locale } from "./locale.ts";
export { maxPageMemoryCharacters, type pageMemoryRequests } from "./pageMemory.ts";
export { maxErrorCharacters, type pulseRequests } from "./pulse.ts";
export {
	emptyQueueView,
	type QueuedMessageView,
	type queueRequests,
	type QueueView,
} from "./queue.ts";
export {
	maxMessageCharacters,
	pushSchema,
	type Reply,
	replySchema,
	type RequestHandlers,
	requestSchema,
	type RequestTable,
} from "./rpc.ts";
export type { SlashOffer, SlashOutcome, slashRequests } from "./slash.ts";
export type {
	ApprovalView,
	CardLocation,
	ChangedLine,
	QuestionAnswer,
	QuestionView,
	RequestLocation,
	ToolAnswer,
	ToolCardView,
} from "./tools.ts";
export {
	type CaptionPart,
	type ClipView,
	maxPictureCharacters,
	type VideoAction,
	type VideoMemory,
	videoMemorySchema,
	videoPushes,
	type VideoPushes,
	videoRequests,
	type VideoRequests,
	type VideoTone,
	type VideoViewState,
} from "./video.ts";
export { videoActionIcons, videoActionName } from "./videoActionNames.ts";
export { maxCardClipBytes, type VideoCard } from "./videoCard.ts";
