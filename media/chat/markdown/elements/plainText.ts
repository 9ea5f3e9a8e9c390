import * as l10n from "@vscode/l10n";
import { inlineParts, maxInlineCharacters } from "./bounds.ts";
import { appendText, createElement } from "./elements.ts";

/** Creates unformatted text, in parts that are laid out separately. */
export function createPlainText(text: string): HTMLElement {
	const element = createElement("div", "plain-text");
	appendPlainText(element, text);
	return element;
}

/** Appends to an element of `createPlainText`: to its last part if there is room, then as further parts. */
export function appendPlainText(element: HTMLElement, text: string): void {
	for (const words of inlineParts(text)) {
		const last = element.lastElementChild;
		const hasRoom = (last?.textContent.length ?? 0) + words.length <= maxInlineCharacters;
		appendText(last instanceof HTMLElement && hasRoom ? last : appendPart(element), words);
	}
}

function appendPart(element: HTMLElement): HTMLElement {
	const part = createElement("div", "plain-part");
	part.dir = "auto";
	element.append(part);
	return part;
}

/** Creates the note above an unformatted message. */
export function createPlainNote(): HTMLElement {
	const note = createElement("p", "plain-note");
	note.append(l10n.t("This message couldn't be formatted. It is shown as plain text."));
	return note;
}

/** Shows the number of invisible characters above a message, if there are any. */
export function showHiddenNote(message: HTMLElement, count: number): void {
	if (count === 0) {
		return;
	}
	const first = message.firstElementChild;
	const known = first?.classList.contains("hidden-note") ? first : undefined;
	const note = known ?? createElement("p", "hidden-note");
	const words =
		count === 1
			? l10n.t(
					"1 hidden character is shown by its code, such as {0}. Copy, Apply and Insert leave it out.",
					"␣U+200B",
				)
			: l10n.t(
					"{0} hidden characters are shown by their codes, such as {1}. Copy, Apply and Insert leave them out.",
					count,
					"␣U+200B",
				);
	if (note.textContent !== words) {
		note.textContent = words;
	}
	if (!known) {
		message.prepend(note);
	}
}
