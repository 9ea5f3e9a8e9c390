import * as l10n from "@vscode/l10n";
import { revealHidden } from "../../common/hiddenText.ts";

/** Values for the placeholders of a prompt. */
export interface PromptPlaces {
	/** Text after the prompt's name; may be empty. */
	readonly input: string;
	/** The selected text as Markdown; nothing when nothing is selected. */
	readonly selection: string | undefined;
	/** The path of the open file; nothing when none is open. */
	readonly file: string | undefined;
}

/** A prompt filled in, or the sentence that says what is missing for that. */
export type ExpandedPrompt =
	| { readonly type: "expanded"; readonly text: string; readonly usesFile: boolean }
	| { readonly type: "lacking"; readonly sentence: string };

/** The longest text a prompt may come to, in UTF-16 units. */
const maxExpanded = 200_000;

const place = /(\\?)\$(selection|file|input)\b/g;

/**
 * Fills in `$selection`, `$file` and `$input`, in one pass, so that a place in what is filled in stays as it is; `\$input` is the
 * word itself. Words where the prompt has no `$input` go below it. Hidden characters of the prompt are shown by their
 * codes: nothing in it goes out unseen (threat T30).
 */
export function expandPrompt(prompt: string, places: PromptPlaces): ExpandedPrompt {
	const used = placeholdersIn(prompt);
	if (used.has("selection") && places.selection === undefined) {
		return lacking(
			l10n.t("This prompt is about a selection: select something in an editor first."),
		);
	}
	if (used.has("file") && places.file === undefined) {
		return lacking(l10n.t("This prompt is about the open file: open one in an editor first."));
	}
	const filled = revealHidden(prompt).replaceAll(
		place,
		(whole: string, escape: string, name: keyof PromptPlaces) =>
			escape === "" ? (places[name] ?? "") : whole.slice(1),
	);
	const isAdded = !used.has("input") && places.input !== "";
	const text = isAdded ? `${filled}\n\n${places.input}` : filled;
	return text.length > maxExpanded
		? lacking(
				l10n.t(
					"With its placeholders filled in, this prompt has more than {0} characters.",
					maxExpanded,
				),
			)
		: { type: "expanded", text, usesFile: used.has("file") };
}

/** The places that a prompt holds. */
export function placeholdersIn(prompt: string): ReadonlySet<string> {
	const found = [...prompt.matchAll(place)];
	return new Set(found.filter(([, escape]) => escape === "").map(([, , name = ""]) => name));
}

function lacking(sentence: string): ExpandedPrompt {
	return { type: "lacking", sentence };
}
