import type { VideoJobView } from "./videoJobView.ts";

/** Which jobs the Videos view lists. */
export interface VideoFilter {
	/** Only jobs of this tone; undefined lists all of them. */
	readonly tone: VideoJobView["tone"] | undefined;
	/** Words that the prompt holds, in any order and any case; empty lists all. */
	readonly text: string;
}

/** Whether a job is one that the filter lists. */
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

/** A filter in words for the view's heading; undefined when it lists everything. */
export function filterSentence({ tone, text }: VideoFilter, count: number): string | undefined {
	const names = {
		working: "being made",
		ready: "ready",
		attention: "that need attention",
		failed: "failed",
		stopped: "not watched",
	};
	const parts = [
		...(tone === undefined ? [] : [names[tone]]),
		...(text === "" ? [] : [`with “${text}”`]),
	];
	return parts.length === 0
		? undefined
		: `${count === 1 ? "1 video" : `${count} videos`} ${parts.join(" ")}`;
}
