import type { AttachmentTray, AttachmentTrayDependencies } from "./attachment/attachmentTray.ts";
import { Tray } from "./tray.ts";

/** Makes an empty tray; nothing is read, written or sent before it is asked to. */
export function createAttachmentTray(dependencies: AttachmentTrayDependencies): AttachmentTray {
	return new Tray(dependencies);
}
