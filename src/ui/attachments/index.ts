/**
 * Attachments of a question, as the chat view shows them: picking, offers, consent, the view of the tray.
 * In: files, selections, drops and pasted bytes.
 * Out: attachments of the question that is sent, and what is not attached, in a sentence.
 */
export { AttachmentOffers, type OfferedThing } from "./attachmentOffers.ts";
export { pickAttachment } from "./attachmentPick.ts";
export { AttachmentTransfers } from "./attachmentTransfers.ts";
export { sentAttachment } from "./attachmentView.ts";
export { ChatAttachments } from "./chatAttachments.ts";
export { ProjectInstructions } from "./projectInstructions.ts";
export { RecentFiles } from "./recentFiles.ts";
