import * as l10n from "@vscode/l10n";
import { createElement } from "./elements.ts";

/** Text as it was written, for what cannot be formatted. */
export function createPlainText(text: string): HTMLElement {
	const element = createElement("div", "plain-text");
	element.dir = "auto";
	element.append(text);
	return element;
}

/** The sentence above a message that is shown as it was written. */
export function createPlainNote(): HTMLElement {
	const note = createElement("p", "plain-note");
	note.append(l10n.t("This message couldn't be formatted. It is shown as plain text."));
	return note;
}
