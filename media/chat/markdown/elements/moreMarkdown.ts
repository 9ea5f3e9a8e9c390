/** Markdown that models write beyond GFM: tags without attributes, details, alerts, footnotes. Other HTML is text. */
import * as l10n from "@vscode/l10n";
import { createElement } from "./elements.ts";

export type InlineTag = "kbd" | "mark" | "sub" | "sup";

/** The tag at the start of a text, and its length. */
export type FoundTag =
	| { readonly kind: "break"; readonly length: number }
	| { readonly kind: "open" | "close"; readonly name: InlineTag; readonly length: number };

const inlineTag = /^<(?:br[ \t]{0,8}\/?|(\/?)(kbd|mark|sub|sup))>/i;
const inlineTags: ReadonlySet<string> = new Set(["kbd", "mark", "sub", "sup"]);

const isInlineTag = (name: string): name is InlineTag => inlineTags.has(name);

/** Parses the tag at the start of a text. Returns undefined for unsupported tags and those with attributes. */
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

/** Whether a text may be the start of an inline tag. */
export function mayBecomeTag(text: string): boolean {
	return /^<(?:\/?[kms]?[a-z]{0,3}|br?[ \t]{0,8}\/?)$/i.test(text);
}

/**
 * Returns the length of a Python name at the start of a text, such as `__init__` before `.py` or a parenthesis, which isn't bold text. Returns 0 for
 * anything else.
 */
export function dunderLength(text: string): number {
	return /^__[a-z]\w{0,60}?__(?=\.[a-z]|\()/i.exec(text.slice(0, 70))?.[0].length ?? 0;
}

/** Whether a text may be the start of such a name. */
export function mayBecomeDunder(text: string): boolean {
	return /^__[a-z]\w{0,62}\.?$/i.test(text.slice(0, 70));
}

/** Returns the text after the opening tag of details, or undefined. */
export function detailsStart(line: string): string | undefined {
	return /^ {0,3}<details>(.*)$/i.exec(line)?.[1];
}

export function isDetailsEnd(line: string): boolean {
	return /^ {0,3}<\/details>[ \t]*$/i.test(line);
}

/** A summary, and the text after it on its line. */
export interface FoundSummary {
	readonly words: string;
	readonly rest: string;
}

/** Parses a summary at the start of a line. */
export function summaryAt(line: string): FoundSummary | undefined {
	const [, words, rest] = /^\s*<summary>(.*?)<\/summary>(.*)$/i.exec(line) ?? [];
	return words === undefined || rest === undefined ? undefined : { words: words.trim(), rest };
}

/** Whether the start of a line may be a tag of details, which are parsed by line. */
export function mayBecomeDetails(beginning: string): boolean {
	const text = beginning.toLowerCase();
	return ["<details>", "</details>", "<summary>"].some(
		tag => tag.startsWith(text) || text.startsWith(tag),
	);
}

/** Creates closed details with an empty summary. */
export function createDetails(): {
	readonly details: HTMLDetailsElement;
	readonly summary: HTMLElement;
} {
	const details = createElement("details", "folded-part");
	const summary = createElement("summary");
	details.append(summary);
	return { details, summary };
}

/** Adds a default summary if it is missing or empty. */
export function nameDetails(details: Element): void {
	const summary = details.querySelector(":scope > summary");
	if (summary?.hasChildNodes() === false) {
		summary.append(l10n.t("Details"));
	}
}

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
 * Turns the quote around a text into an alert, if the text starts with a marker such as `[!NOTE]` on its own line. Returns the text without the
 * marker.
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

export interface FoundFootnote {
	readonly label: string;
	/** From the start of the line, in characters. */
	readonly length: number;
}

/** Parses the label at the start of a footnote. */
export function footnoteAt(line: string): FoundFootnote | undefined {
	const [whole, label] = /^ {0,3}\[\^([^\]\s[]{1,64})\]:[ \t]*/.exec(line) ?? [];
	return whole === undefined || label === undefined ? undefined : { label, length: whole.length };
}

/** Indentation of a footnote's further blocks, in columns. */
export const footnoteIndent = 4;

export function createFootnote(label: string): HTMLElement {
	const note = createElement("div", "footnote");
	const mark = createElement("span", "footnote-label");
	mark.append(`[${label}]`);
	note.append(mark);
	return note;
}

export function createFootnoteMark(label: string): HTMLElement {
	const mark = createElement("sup", "footnote-mark");
	mark.append(`[${label}]`);
	return mark;
}
