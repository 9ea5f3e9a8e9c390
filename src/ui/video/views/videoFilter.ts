import * as l10n from "@vscode/l10n";
import type { VideoJobView } from "./videoJobView.ts";

export interface VideoFilter {
	/** Lists only jobs of this tone; undefined lists all. */
	readonly tone: VideoJobView["tone"] | undefined;
	/** Words in the prompt, in any order and case; empty lists all. */
	readonly text: string;
}

export function matchesFilter(
	job: Pick<VideoJobView, "tone" | "prompt">,
	{ tone, text }: VideoFilter,
): boolean {
	const prompt = text === "" ? "" : job.prompt.toLocaleLowerCase();
	return (
		(tone === undefined || job.tone === tone) &&
		text
			.toLocaleLowerCase()
			.split(/\s+/)
			.every(word => prompt.includes(word))
	);
}

/** Describes a filter for the view's heading; undefined if it matches everything. */
export function filterMessage({ tone, text }: VideoFilter, count: number): string | undefined {
	if (tone === undefined && text === "") {
		return undefined;
	}
	const videos = count === 1 ? l10n.t("1 video") : l10n.t("{0} videos", count);
	const found = tone === undefined ? videos : `${toneName(tone)} · ${videos}`;
	return text === "" ? found : l10n.t("{0} with “{1}”", found, text);
}

/** Returns the name of the filter by a tone. */
export function toneName(tone: VideoJobView["tone"]): string {
	return {
		working: l10n.t("Generating"),
		ready: l10n.t("Ready"),
		attention: l10n.t("Need attention"),
		failed: l10n.t("Failed"),
		stopped: l10n.t("Not tracked"),
	}[tone];
}
