/**
 * Attachments of a question: picked, checked, read or uploaded once, and renewed when the service has lost it.
 * In: paths, pasted bytes, text; the limits of the service.
 * Out: the attachments of a turn, and what is wrong with the others.
 */
export type { Attachment, AttachmentWarning, AttachmentUse } from "./attachment/attachment.ts";
export type {
	AddReport,
	AttachedText,
	AttachmentTrayDependencies,
	Exclusion,
	RenewalOptions,
} from "./attachment/attachmentTray.ts";
export { defaultAttachmentLimits } from "./attachment/attachmentLimits.ts";
export {
	type InstructionFile,
	maxInstructionFiles,
	type ProjectInstruction,
	readProjectInstructions,
} from "./files/projectInstructions.ts";
export {
	currentFiles,
	type FileAttachment,
	type TextAttachment,
	type TurnAttachment,
	turnAttachmentSchema,
} from "./attachment/turnAttachment.ts";
export { AttachmentTray } from "./tray.ts";
