import type { Attachment, TextBudget } from "./attachment/attachment.ts";
import type { AttachmentLimits } from "./attachment/attachmentLimits.ts";

/** A token of a language model is about four characters of English or code. */
const charactersPerToken = 4;

/** How much text attachments bring, estimated at one character per byte, each at most what of it goes along. */
export function textBudgetOf(
	attachments: readonly Pick<Attachment, "use" | "size">[],
	limits: Pick<AttachmentLimits, "maxTextCharacters" | "maxAllTextCharacters">,
): TextBudget {
	const characters = attachments
		.filter(({ use }) => use === "read")
		.reduce((sum, { size }) => sum + Math.min(size, limits.maxTextCharacters), 0);
	return {
		characters,
		tokens: Math.ceil(characters / charactersPerToken),
		maxCharacters: limits.maxAllTextCharacters,
	};
}
