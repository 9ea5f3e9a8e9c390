import type { TurnAttachment } from "../../attachments/contract/turnAttachment.ts";
import type { ChatRecord } from "../log/chatRecord.ts";
import type { StoredChat } from "./chatStore.ts";
import type { Turn } from "../contract/turn.ts";

export interface AttemptStamp {
	/** Milliseconds since 1970. */
	readonly at: number;
	readonly turn: number;
}

/** Returns the first records of a chat. Times are in milliseconds since 1970. */
export function openingRecords(
	{ id, createdAt, workspace }: Pick<StoredChat, "id" | "createdAt" | "workspace">,
	titled: { readonly at: number; readonly title: string },
): ChatRecord[] {
	return [
		{ type: "chat-created", at: createdAt, id, ...(workspace ? { workspace } : {}) },
		{ type: "title", ...titled },
	];
}

/** Creates the record of a turn before its request; `after` is the number of the turn it follows. */
export function turnStartedRecord(place: AttemptStamp, turn: Turn, after: number): ChatRecord {
	const { id, prompt, options, attachments } = turn;
	return {
		type: "turn-started",
		...place,
		id,
		prompt,
		options,
		...(attachments.length > 0 ? { attachments } : {}),
		...(after === place.turn - 1 ? {} : { after }),
	};
}

/** Returns the attachments for the record of another attempt, if they differ from those of its turn before. */
export function changedAttachments(
	before: Turn,
	attachments: readonly TurnAttachment[] | undefined,
): { readonly attachments?: readonly TurnAttachment[] } {
	return attachments && attachments !== before.attachments ? { attachments } : {};
}
