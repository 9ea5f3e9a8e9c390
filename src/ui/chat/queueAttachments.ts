import * as l10n from "@vscode/l10n";
import type { TurnAttachment } from "../../attachments/index.ts";
import type { ChatAttachments } from "../attachments/index.ts";

/**
 * Reads and uploads what goes along with a message that waits: everything attached that is not on its way with another question.
 * Throws the sentence when it cannot go along.
 */
export async function attachedToMessage(
	attachments: Pick<ChatAttachments, "prepare" | "going" | "view">,
	signal: AbortSignal,
): Promise<readonly TurnAttachment[]> {
	const { items, isSending } = attachments.view();
	const isNew = ({ id }: { readonly id: string }): boolean => !attachments.going.includes(id);
	if (items.length === 0 || (isSending && !items.some(isNew))) {
		return [];
	}
	if (isSending) {
		throw new Error(
			l10n.t("Files of another message are still uploading. Queue this message after it."),
		);
	}
	try {
		return await attachments.prepare([], signal);
	} catch (error) {
		throw signal.aborted ? new Error(l10n.t("Stopped. The message wasn't queued.")) : error;
	}
}
