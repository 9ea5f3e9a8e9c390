/**
 * The composer: its text field, completion, attachments, models, what is dropped and pasted.
 * In: keys, files, what the host offers.
 * Out: actions: a question to send, a file to attach.
 */
export { Attaching } from "./attaching.ts";
export { attachmentIcon } from "./attachmentChips.ts";
export { AttachmentAnnouncements } from "./attachmentAnnouncements.ts";
export type { CompletionList } from "./completion.ts";
export { renderComposer } from "./composer.ts";
export { chooseLabel } from "./modelPicker.ts";
export { acceptCommand, runCommand } from "./slash.ts";
