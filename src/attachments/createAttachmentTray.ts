import type { AttachmentTray, AttachmentTrayOptions } from "./attachment/attachmentTray.ts";
import { Tray } from "./tray.ts";

/** Makes an empty tray; nothing is read, written or sent before it is asked to. */
export function createAttachmentTray(options: AttachmentTrayOptions): AttachmentTray {
	return new Tray(options);
}
