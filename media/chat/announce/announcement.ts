import * as l10n from "@vscode/l10n";
import type { ChatChange, ChatViewState } from "../../../src/shared/chat.ts";
import { startOf } from "../../../src/common/shortText.ts";

/** Describes changes for a screen reader: finished messages, questions, and endings other than success. */
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
		// Tool calls have cards with their own labels.
		return spoken === "" ? "" : l10n.t("Assistant: {0}", spoken);
	}
	if (change.type === "tool-card" && change.card.approval) {
		return l10n.t("{0}: your approval is needed.", change.card.title);
	}
	if (change.type === "tool-card" && change.card.question) {
		return l10n.t("The model asks: {0}", change.card.question.text);
	}
	if (change.type === "status") {
		const { state, sentence, notice, packages } = change.status;
		if (packages !== undefined) {
			return notice ?? "";
		}
		return state === "streaming" || state === "complete" ? "" : (sentence ?? "");
	}
	return "";
}

/** The most characters of a message to announce; the rest is in the conversation. */
const maxSpokenCharacters = 400;

/** The most characters of a message to process for that, because code, which isn't announced, may precede text. */
const readCharacters = 8000;

/** A fenced block from its opening to its closing line or the end. CommonMark 0.31.2 §4.5. */
const fencedBlock =
	/^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n([\s\S]*?)(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gm;

/** Returns the start of a message for announcing: its text without Markdown syntax, which would be spelled out, and the amount of code. */
export function spokenText(markdown: string): string {
	const words = markdown
		.slice(0, readCharacters)
		.replaceAll(fencedBlock, (_block, _fence, code: string) => `${describeCode(code)}\n`)
		.replaceAll(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, "$1")
		.replaceAll(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?)/gm, "")
		.replaceAll(/^[ \t]*(?:\|[ \t]*)?:?--[-:| \t]*$/gm, "")
		.replaceAll(/(?<![ \t])[ \t]*\|[ \t]*/g, " ")
		.replaceAll(/(?<!\w)(?:\*{1,3}|_{1,3}|~~)(?=\S)|(?<=\S)(?:\*{1,3}|_{1,3}|~~)(?!\w)|`+/g, "")
		.replaceAll(/\s+/g, " ")
		.trim();
	const isCut = words.length > maxSpokenCharacters || markdown.length > readCharacters;
	return isCut ? `${startOf(words, maxSpokenCharacters).trimEnd()} …` : words;
}

function describeCode(code: string): string {
	const count = code.trimEnd().split("\n").length;
	return count === 1 ? l10n.t("Code, 1 line.") : l10n.t("Code, {0} lines.", count);
}
