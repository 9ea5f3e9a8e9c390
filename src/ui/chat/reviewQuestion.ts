import * as l10n from "@vscode/l10n";

function instruction(): string {
	return l10n.t(
		"Review the attached change. List what is wrong with it, the worst first, each as path:line with the reason and what to do instead. Where new code would mend it, add that in a code block below, between the unchanged lines around it. If nothing is wrong, say so.",
	);
}

/** Returns the question for a review of a diff: what is reviewed, which also titles its chat, then what the model is told. */
export function reviewQuestion(diff: string): string {
	const lines = diff.match(/^(?:\+(?!\+\+ )|-(?!-- ))/gm)?.length ?? 0;
	const heading =
		lines === 1 ? l10n.t("Review: 1 changed line") : l10n.t("Review: {0} changed lines", lines);
	return `${heading}\n\n${instruction()}`;
}

/** Returns how many characters of a question show before what the model is told is unfolded. Undefined if all of it shows. */
export function shownPromptLength(prompt: string): number | undefined {
	const length = prompt.length - instruction().length - 2;
	return length > 0 && prompt.endsWith(`\n\n${instruction()}`) ? length : undefined;
}
