import * as l10n from "@vscode/l10n";
import type { AttachmentsView } from "../../../src/shared/attachments.ts";

interface AttachmentNews {
	/** For a screen reader; empty if there is nothing to announce. */
	readonly sentence: string;
	/** The first attachment that failed. */
	readonly failedId: string | undefined;
	/** The last attachment that was added. */
	readonly addedId: string | undefined;
}

/** Describes changes of the attachments since the last call. */
export class AttachmentAnnouncements {
	private known: ReadonlySet<string> = new Set();
	private failed: ReadonlySet<string> = new Set();

	/** Returns the changes since the last call. */
	newsOf({ items }: AttachmentsView): AttachmentNews {
		const { known, failed } = this;
		const added = items.filter(({ id }) => !known.has(id));
		const failures = items.filter(({ id, state }) => state.type === "failed" && !failed.has(id));
		this.known = new Set(items.map(({ id }) => id));
		this.failed = new Set(items.filter(({ state }) => state.type === "failed").map(({ id }) => id));
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
			addedId: added.at(-1)?.id,
		};
	}
}
