import * as l10n from "@vscode/l10n";
import type { AttachmentsView } from "../../../src/shared/index.ts";

/** Outcome for the attachments. */
export interface AttachmentAnnouncements {
	/** For a screen reader; empty when nothing worth hearing did. */
	readonly sentence: string;
	/** The first of those that failed. */
	readonly failedId: string | undefined;
}

/** Tells what became of the attachments since it was last asked. */
export function createAttachmentAnnouncements(): (
	attachments: AttachmentsView,
) => AttachmentAnnouncements {
	let known: ReadonlySet<string> = new Set();
	let failed: ReadonlySet<string> = new Set();
	return ({ items }) => {
		const added = items.filter(({ id }) => !known.has(id));
		const failures = items.filter(({ id, state }) => state.type === "failed" && !failed.has(id));
		known = new Set(items.map(({ id }) => id));
		failed = new Set(items.filter(({ state }) => state.type === "failed").map(({ id }) => id));
		const sentences = [
			added.length > 1 ? l10n.t("{0} files attached.", added.length) : "",
			added.length === 1 ? l10n.t("{0} attached.", added[0]?.name ?? "") : "",
			...failures
				.slice(0, 3)
				.map(({ name, state }) => (state.type === "failed" ? `${name}: ${state.sentence}` : "")),
		];
		return {
			sentence: sentences.filter(sentence => sentence !== "").join(" "),
			failedId: failures[0]?.id,
		};
	};
}
