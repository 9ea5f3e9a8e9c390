import type { StoreError } from "../chat/storeError.ts";

/** What a person reads when a chat cannot be kept: what is wrong, what is safe, what to do. Fault matrix L5–L9. */
export function storeSentence({ kind, path }: StoreError): string {
	switch (kind) {
		case "full":
			return `This chat cannot be saved: the disk is full. What was saved before is intact. Free some space, then ask again. (${path})`;
		case "readOnly":
			return `This chat cannot be saved: the folder is read-only. (${path})`;
		case "denied":
			return `This chat cannot be saved: Cutaway may not write to its folder. (${path})`;
		case "heldElsewhere":
			return "Another window is writing this chat. You can read it here; start a new chat to ask.";
		case "damaged":
			return `Parts of this chat could not be read. The file is kept as it was found at ${path}.`;
		case "newer":
			return "This chat was written by a newer version of Cutaway. You can read it here; start a new chat to ask.";
		case "missing":
			return `The file of this chat is gone. Start a new chat to ask. (${path})`;
		case "failed":
			return `This chat cannot be saved: the disk reported an error. What was saved before is intact. (${path})`;
	}
}
