/** The door of the attachments room. */
export type { Attachment, AttachmentConcern, AttachmentUse } from "./attachment/attachment.ts";
export type {
	AddReport,
	AttachedText,
	AttachmentTray,
	AttachmentTrayOptions,
	Exclusion,
	RenewalOptions,
} from "./attachment/attachmentTray.ts";
export { defaultAttachmentLimits } from "./attachment/attachmentLimits.ts";
export { createAttachmentTray } from "./createAttachmentTray.ts";
export {
	currentFiles,
	type FileAttachment,
	type TextAttachment,
	type TurnAttachment,
	turnAttachmentSchema,
} from "./attachment/turnAttachment.ts";
