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
	const videos =
		tone === undefined
			? count === 1
				? l10n.t("1 video")
				: l10n.t("{0} videos", count)
			: count === 1
				? oneOf[tone]()
				: manyOf[tone](count);
	return text === "" ? videos : l10n.t("{0} with “{1}”", videos, text);
}

type Tone = VideoJobView["tone"];

const oneOf: Readonly<Record<Tone, () => string>> = {
	working: () => l10n.t("1 video generating"),
	ready: () => l10n.t("1 video ready"),
	attention: () => l10n.t("1 video that needs attention"),
	failed: () => l10n.t("1 video failed"),
	stopped: () => l10n.t("1 video not tracked"),
};

const manyOf: Readonly<Record<Tone, (count: number) => string>> = {
	working: count => l10n.t("{0} videos generating", count),
	ready: count => l10n.t("{0} videos ready", count),
	attention: count => l10n.t("{0} videos that need attention", count),
	failed: count => l10n.t("{0} videos failed", count),
	stopped: count => l10n.t("{0} videos not tracked", count),
};
