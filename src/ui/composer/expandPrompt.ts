import * as l10n from "@vscode/l10n";
import { revealHidden } from "../../common/hiddenText.ts";

export interface PromptPlaces {
	/** Text after the prompt's name; may be empty. */
	readonly input: string;
	/** The selected text as Markdown; undefined if nothing is selected. */
	readonly selection: string | undefined;
	readonly file: string | undefined;
}

/** The expanded prompt, or a message about what is missing. */
export type ExpandedPrompt =
	| { readonly type: "expanded"; readonly text: string; readonly usesFile: boolean }
	| { readonly type: "lacking"; readonly sentence: string };

/** The longest expanded prompt, in UTF-16 units. */
const maxExpanded = 200_000;

const place = /(\\?)\$(selection|file|input)\b/g;

/**
 * Replaces `$selection`, `$file` and `$input` in one pass, so that placeholders in inserted text remain; `\$input` is literal. Appends the input if
 * the prompt has no `$input`. Shows the prompt's invisible characters as codes, so that nothing is sent unseen.
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

export function placeholdersIn(prompt: string): ReadonlySet<string> {
	const found = [...prompt.matchAll(place)];
	return new Set(found.filter(([, escape]) => escape === "").map(([, , name = ""]) => name));
}

function lacking(sentence: string): ExpandedPrompt {
	return { type: "lacking", sentence };
}
