import type { ChatChange, ChatViewState } from "../../src/protocol/chat.ts";
import { nameOfEnding } from "./statusLine.ts";

/** How much of a message is read out, in characters; the rest is in the conversation. */
const maxSpokenCharacters = 400;

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
		const spoken = text.slice(0, maxSpokenCharacters);
		return `Assistant: ${spoken}${text.length > spoken.length ? " …" : ""}`;
	}
	if (change.type === "tool-card" && change.card.approval) {
		return `${change.card.title}: your approval is needed.`;
	}
	const ending = change.type === "status" ? nameOfEnding(change.status.state) : "";
	return ending === "" ? "" : `The answer ended: ${ending.toLowerCase()}.`;
}
