import * as l10n from "@vscode/l10n";
import type { ChatChange, ChatViewState, TurnState } from "../../../src/shared/index.ts";
import { spokenText } from "./spokenText.ts";

/** What a screen reader should hear about a set of changes: finished messages, and endings that are not a success. */
export function describeChanges(state: ChatViewState, changes: readonly ChatChange[]): string {
	return changes
		.map(change => describeChange(state, change))
		.filter(sentence => sentence !== "")
		.join(" ");
}

function describeChange(state: ChatViewState, change: ChatChange): string {
	if (change.type === "message-finished") {
		const turn = state.turns.find(candidate => candidate.id === change.turnId);
		const text = turn?.messages.find(message => message.index === change.index)?.text ?? "";
		const spoken = spokenText(text);
		// A message that only calls for tools has cards, which speak for themselves.
		return spoken === "" ? "" : l10n.t("Assistant: {0}", spoken);
	}
	if (change.type === "tool-card" && change.card.approval) {
		return l10n.t("{0}: your approval is needed.", change.card.title);
	}
	return change.type === "status" ? describeEnding(change.status.state) : "";
}

function describeEnding(state: TurnState): string {
	switch (state) {
		case "streaming":
		case "complete":
			return "";
		case "stopped":
			return l10n.t("Answer stopped.");
		case "interrupted":
			return l10n.t("Answer interrupted.");
		case "endedEarly":
			return l10n.t("Answer ended early.");
		case "partlyUnreadable":
			return l10n.t("Answer ended: partly unreadable.");
		case "empty":
			return l10n.t("Answer ended: empty.");
		case "refused":
			return l10n.t("Message rejected.");
		case "notSent":
			return l10n.t("Message not sent.");
		case "chargeUnknown":
			return l10n.t("Answer ended: charge unknown.");
	}
}
