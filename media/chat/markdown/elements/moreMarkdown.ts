/** What models write beyond GFM: tags without attributes, details, alerts, footnotes. Everything else in angle brackets is text. */
import * as l10n from "@vscode/l10n";
import { createElement } from "./elements.ts";

/** The inline tags that are shown as what they mean. */
export type InlineTag = "kbd" | "mark" | "sub" | "sup";

/** The tag that text begins with, and how long it is. */
export type FoundTag =
	| { readonly kind: "break"; readonly length: number }
	| { readonly kind: "open" | "close"; readonly name: InlineTag; readonly length: number };

const inlineTag = /^<(?:br[ \t]{0,8}\/?|(\/?)(kbd|mark|sub|sup))>/i;
const inlineTags: ReadonlySet<string> = new Set(["kbd", "mark", "sub", "sup"]);

const isInlineTag = (name: string): name is InlineTag => inlineTags.has(name);

/** Reads the tag that a text begins with; nothing for every other tag, and for one with attributes. */
export function tagAt(text: string): FoundTag | undefined {
	const [whole, slash, name = ""] = inlineTag.exec(text.slice(0, 16)) ?? [];
	const tag = name.toLowerCase();
	if (whole === undefined) {
		return undefined;
	}
	return isInlineTag(tag)
		? { kind: slash === "/" ? "close" : "open", name: tag, length: whole.length }
		: { kind: "break", length: whole.length };
}

/** Whether a text may be the beginning of an inline tag. */
export function mayBecomeTag(text: string): boolean {
	return /^<(?:\/?[kms]?[a-z]{0,3}|br?[ \t]{0,8}\/?)$/i.test(text);
}

/**
 * How long the name is that a text begins with when it is one of Python's, such as `__init__` before `.py` or a parenthesis: no
 * words in bold. 0 for everything else.
 */
export function dunderLength(text: string): number {
	return /^__[a-z]\w{0,60}?__(?=\.[a-z]|\()/i.exec(text.slice(0, 70))?.[0].length ?? 0;
}

/** Whether a text may be the beginning of such a name. */
export function mayBecomeDunder(text: string): boolean {
	return /^__[a-z]\w{0,62}\.?$/i.test(text.slice(0, 70));
}

/** The line that begins details, and what is on it behind the tag. */
export function detailsStart(line: string): string | undefined {
	return /^ {0,3}<details>(.*)$/i.exec(line)?.[1];
}

/** Whether a line ends details. */
export function isDetailsEnd(line: string): boolean {
	return /^ {0,3}<\/details>[ \t]*$/i.test(line);
}

/** A summary, and what is behind it on its line. */
export interface FoundSummary {
	readonly words: string;
	readonly rest: string;
}

/** Reads the summary that a line begins with. */
export function summaryAt(line: string): FoundSummary | undefined {
	const [, words, rest] = /^\s*<summary>(.*?)<\/summary>(.*)$/i.exec(line) ?? [];
	return words === undefined || rest === undefined ? undefined : { words: words.trim(), rest };
}

/** Whether the beginning of a line may be a tag of details, which are looked at line by line. */
export function mayBecomeDetails(beginning: string): boolean {
	const text = beginning.toLowerCase();
	return ["<details>", "</details>", "<summary>"].some(
		tag => tag.startsWith(text) || text.startsWith(tag),
	);
}

/** Makes details that are closed, with a summary that says no more than that they are some. */
export function createDetails(): {
	readonly details: HTMLDetailsElement;
	readonly summary: HTMLElement;
} {
	const details = createElement("details", "folded-part");
	const summary = createElement("summary");
	details.append(summary);
	return { details, summary };
}

/** The word for details whose summary is missing or empty. */
export function nameDetails(details: Element): void {
	const summary = details.querySelector(":scope > summary");
	if (summary?.hasChildNodes() === false) {
		summary.append(l10n.t("Details"));
	}
}

/** The icons of alerts, by kind. */
const alertIcons = {
	note: "info",
	tip: "lightbulb",
	important: "report",
	warning: "warning",
	caution: "stop",
} as const;
type AlertKind = keyof typeof alertIcons;

const isAlertKind = (kind: string): kind is AlertKind => kind in alertIcons;

function alertWord(kind: AlertKind): string {
	switch (kind) {
		case "note":
			return l10n.t("Note");
		case "tip":
			return l10n.t("Tip");
		case "important":
			return l10n.t("Important");
		case "warning":
			return l10n.t("Warning");
		case "caution":
			return l10n.t("Caution");
	}
}

/**
 * Makes the quote that text begins in an alert, when it begins with the mark of one on a line of its own, such as `[!NOTE]`.
 * Returns the text without the mark, which is all of it otherwise.
 */
export function startAlert(parent: HTMLElement, text: string): string {
	const [mark, name = ""] = /^\[!([a-z]{1,16})\][ \t]*(?:\n|$)/i.exec(text) ?? [];
	const kind = name.toLowerCase();
	const quote = parent.parentElement;
	const isFirst = parent.localName === "p" && !parent.hasChildNodes() && !parent.previousSibling;
	if (mark === undefined || !isAlertKind(kind) || !isFirst || quote?.localName !== "blockquote") {
		return text;
	}
	quote.className = `alert alert-${kind}`;
	const title = createElement("p", "alert-title");
	const icon = createElement("span", `codicon codicon-${alertIcons[kind]}`);
	icon.ariaHidden = "true";
	title.append(icon, alertWord(kind));
	parent.before(title);
	return text.slice(mark.length);
}

/** A footnote's label and what is behind it on its line. */
export interface FoundFootnote {
	readonly label: string;
	/** From the beginning of the line, in characters. */
	readonly length: number;
}

/** Reads the label that a line begins with when it begins a footnote. */
export function footnoteAt(line: string): FoundFootnote | undefined {
	const [whole, label] = /^ {0,3}\[\^([^\]\s[]{1,64})\]:[ \t]*/.exec(line) ?? [];
	return whole === undefined || label === undefined ? undefined : { label, length: whole.length };
}

/** The columns that the further blocks of a footnote are indented by. */
export const footnoteIndent = 4;

/** Makes a footnote; its blocks follow its label. */
export function createFootnote(label: string): HTMLElement {
	const note = createElement("div", "footnote");
	const mark = createElement("span", "footnote-label");
	mark.append(`[${label}]`);
	note.append(mark);
	return note;
}

/** Makes the mark in running text that names a footnote. */
export function createFootnoteMark(label: string): HTMLElement {
	const mark = createElement("sup", "footnote-mark");
	mark.append(`[${label}]`);
	return mark;
}
