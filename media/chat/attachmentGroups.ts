import type { AttachmentView } from "../../src/protocol/attachments.ts";

/** Attachments that are shown as one: a folder's, or a single one, which has no name of a group. */
export interface AttachmentGroup {
	readonly id: string;
	readonly name: string | undefined;
	readonly items: readonly AttachmentView[];
}

/** Puts the files of a folder together, where the first of them stands. */
export function groupAttachments(items: readonly AttachmentView[]): readonly AttachmentGroup[] {
	const groups = Map.groupBy(items, ({ id, folder }) =>
		folder === null ? id : `folder ${folder}`,
	);
	return [...groups].map(([id, members]) => ({
		id,
		name: members[0]?.folder ?? undefined,
		items: members,
	}));
}

/** A folder's size in bytes, and how its files stand in one sentence. */
export function describeGroup(items: readonly AttachmentView[]): {
	readonly size: number;
	readonly sentence: string;
} {
	const size = items.reduce((sum, item) => sum + item.size, 0);
	const count = items.length === 1 ? "1 file" : `${items.length} files`;
	const inState = (type: AttachmentView["state"]["type"]): number =>
		items.filter(({ state }) => state.type === type).length;
	const done = inState("uploaded");
	const failed = inState("failed");
	const unconfirmed = inState("unconfirmed");
	const isMoving = inState("uploading") + inState("waiting") + inState("reading") > 0;
	return {
		size,
		sentence: [
			count,
			done > 0 || isMoving ? `${done} uploaded` : "",
			failed > 0 ? `${failed} failed` : "",
			unconfirmed > 0 ? `${unconfirmed} to confirm` : "",
		]
			.filter(part => part !== "")
			.join(", "),
	};
}

/** How an attachment stands, in words; nothing where it merely waits for Send. */
export function describeState({ state, size }: AttachmentView): string {
	switch (state.type) {
		case "ready":
			return "";
		case "waiting":
			return "Waiting";
		case "reading":
			return "Reading";
		case "uploading": {
			const percent = Math.floor((100 * state.sentBytes) / Math.max(1, size));
			return state.isDelayed ? "Waiting to try again" : `Uploading ${percent} %`;
		}
		case "uploaded":
			return state.isReused ? "Already uploaded" : "Uploaded";
		case "unconfirmed":
		case "failed":
			return state.sentence;
	}
}
