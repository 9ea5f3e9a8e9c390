import * as l10n from "@vscode/l10n";
import type { QueueView } from "../../../src/shared/queue.ts";

/** Describes the changes of the queue for a screen reader. */
export function describeQueue(before: QueueView, now: QueueView): string {
	const sentences = [countNews(before, now), pauseNews(before, now)];
	return sentences.filter(sentence => sentence !== "").join(" ");
}

function countNews(before: QueueView, now: QueueView): string {
	const left = before.items.filter(({ id }) => !now.items.some(item => item.id === id));
	const came = now.items.filter(({ id }) => !before.items.some(item => item.id === id));
	// For stored messages found paused, only the pause is announced.
	if (came.length > 0 && before.paused === null && now.paused !== null) {
		return "";
	}
	if (came.length > 0) {
		return l10n.t("Queued messages: {0}", now.items.length);
	}
	if (left.length > 0) {
		return left[0]?.isSending === true
			? l10n.t("A queued message was sent.")
			: l10n.t("Removed from the queue.");
	}
	const moved = now.items.findIndex(({ id }, index) => before.items[index]?.id !== id);
	return moved === -1 ? "" : l10n.t("The order of the queued messages has changed.");
}

function pauseNews(before: QueueView, now: QueueView): string {
	return now.paused !== null && now.paused !== before.paused
		? l10n.t("Queued messages: {0}", now.paused)
		: "";
}
