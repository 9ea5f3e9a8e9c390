import { html, type TemplateResult } from "lit";

/** Marks where in a sentence an element goes; a private character, which no translation holds. */
const mark = "\uE000";

/** A sentence with an element in the place of one of its values: `filled(place => l10n.t("Ask {0}.", place), name)`. */
export function filled(
	sentence: (place: string) => string,
	element: TemplateResult,
): TemplateResult {
	const [before = "", ...after] = sentence(mark).split(mark);
	return html`${before}${element}${after.join("")}`;
}
