import * as l10n from "@vscode/l10n";
import type { AttachmentView } from "../../../src/shared/index.ts";

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
	const count = items.length === 1 ? l10n.t("1 file") : l10n.t("{0} files", items.length);
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
			done > 0 || isMoving ? l10n.t("{0} uploaded", done) : "",
			failed > 0 ? l10n.t("{0} failed", failed) : "",
			unconfirmed > 0 ? l10n.t("{0} to confirm", unconfirmed) : "",
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
			return l10n.t("Waiting");
		case "reading":
			return l10n.t("Reading");
		case "uploading": {
			const percent = Math.floor((100 * state.sentBytes) / Math.max(1, size));
			return state.isDelayed ? l10n.t("Waiting to try again") : l10n.t("Uploading {0} %", percent);
		}
		case "uploaded":
			return state.isReused ? l10n.t("Already uploaded") : l10n.t("Uploaded");
		case "unconfirmed":
		case "failed":
			return state.sentence;
	}
}
