/**
 * Attachments of a question, as the chat view shows them: picking, offers, consent, the view of the tray.
 * In: files, selections, drops and pasted bytes.
 * Out: attachments of the question that is sent, and what is not attached, in a sentence.
 */
export { createAttachmentOffers, type OfferedThing } from "./attachmentOffers.ts";
export { pickAttachment } from "./attachmentPick.ts";
export { createAttachmentTransfers } from "./attachmentTransfers.ts";
export { sentAttachment } from "./attachmentView.ts";
export { ChatAttachments } from "./chatAttachments.ts";
export { ProjectInstructions } from "./projectInstructions.ts";
export { createRecentFiles } from "./recentFiles.ts";
