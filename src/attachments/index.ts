/** The door of the attachments room. */
export type { Attachment, AttachmentConcern, AttachmentUse } from "./attachment.ts";
export type {
	AddReport,
	AttachedText,
	AttachmentTray,
	AttachmentTrayOptions,
	Exclusion,
	RenewalOptions,
} from "./attachmentTray.ts";
export { defaultAttachmentLimits } from "./attachmentLimits.ts";
export { createAttachmentTray } from "./createAttachmentTray.ts";
export {
	currentFiles,
	type FileAttachment,
	type TextAttachment,
	type TurnAttachment,
	turnAttachmentSchema,
} from "./turnAttachment.ts";
