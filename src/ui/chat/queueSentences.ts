import * as l10n from "@vscode/l10n";
import type {
	MessageQueue,
	QueuePauseReason,
	QueuedMessage,
	QueueRefusal,
} from "../../chat/queue/messageQueue.ts";
import { assertNever } from "../../common/errors.ts";
import type { QueuedMessageView, QueueView } from "../../shared/queue.ts";

export function queueView({ items, mode, sending, held, removed }: MessageQueue): QueueView {
	return {
		items: items.map(item => itemView(item, item.id === sending)),
		paused: mode.type === "paused" ? pauseSentence(mode.reason) : null,
		held: held ?? null,
		removed: removed?.item.text ?? null,
	};
}

function itemView(item: QueuedMessage, isSending: boolean): QueuedMessageView {
	const { id, text, options, attachments } = item;
	return { id, text, model: options.model, files: attachments.map(({ name }) => name), isSending };
}

/** Explains why the queue is paused, and so what the user may want to check. */
function pauseSentence(reason: QueuePauseReason): string {
	switch (reason.type) {
		case "ended":
			return reason.state === "stopped"
				? l10n.t("Paused: the answer was stopped.")
				: l10n.t("Paused: the last message has no complete answer.");
		case "notAsked":
			return l10n.t("Paused: the previous message wasn't sent.");
		case "failed":
			return reason.sentence;
		case "deleted":
			return l10n.t("Paused: this chat was deleted.");
		case "otherService":
			return l10n.t("Paused: another service answers now.");
		case "kept":
			return l10n.t("Paused. These messages are from an earlier session.");
		default:
			return assertNever(reason);
	}
}

/** Returns why a change of the queue was refused. */
export function refusalMessage(refusal: QueueRefusal): string {
	switch (refusal) {
		case "gone":
			return l10n.t("This message is no longer queued.");
		case "sending":
			return l10n.t("This message is being sent and can't be changed.");
		case "full":
			return l10n.t("Queue full. Wait until some are sent.");
	}
}
