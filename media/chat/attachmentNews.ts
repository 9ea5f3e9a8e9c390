import type { AttachmentsView } from "../../src/protocol/attachments.ts";

/** Says what became of the attachments since it was last asked, for a screen reader; empty when nothing worth hearing did. */
export function createAttachmentNews(): (attachments: AttachmentsView) => string {
	let known: ReadonlySet<string> = new Set();
	let failed: ReadonlySet<string> = new Set();
	return ({ items }) => {
		const added = items.filter(({ id }) => !known.has(id));
		const failures = items.filter(({ id, state }) => state.type === "failed" && !failed.has(id));
		known = new Set(items.map(({ id }) => id));
		failed = new Set(items.filter(({ state }) => state.type === "failed").map(({ id }) => id));
		return [
			added.length > 1 ? `${added.length} files attached.` : "",
			added.length === 1 ? `${added[0]?.name} attached.` : "",
			...failures
				.slice(0, 3)
				.map(({ name, state }) => (state.type === "failed" ? `${name}: ${state.sentence}` : "")),
		]
			.filter(sentence => sentence !== "")
			.join(" ");
	};
}
