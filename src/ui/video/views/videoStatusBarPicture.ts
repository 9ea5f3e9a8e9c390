import * as l10n from "@vscode/l10n";
import { formatElapsed } from "../../../shared/locale.ts";
import { spokenElapsed } from "../../base/amounts.ts";
import { oneLine } from "../../../video/job/clipName.ts";
import type { VideoJobView } from "./videoJobView.ts";

export type StatusBarJob = Pick<
	VideoJobView,
	"id" | "shortTitle" | "tone" | "label" | "sentence" | "startedAt" | "isUnfinished"
> &
	Partial<Pick<VideoJobView, "progress" | "share">>;

/** State of the status bar item. */
export interface StatusBarPicture {
	readonly text: string;
	/** One line per job, newest first. */
	readonly tooltip: string;
	/** Label for screen readers. */
	readonly spoken: string;
	readonly color: "plain" | "warning" | "error";
	/** The job that a click plays; undefined if it shows all. */
	readonly plays: string | undefined;
}

/** The most parts of the text, to leave room for other items; the tooltip and the label contain all. */
const maxParts = 2;

/** The longest name of a clip in the bar, in characters. */
const maxNameCharacters = 24;

/** The most jobs in the tooltip. */
const maxNamed = 8;

/**
 * Returns the item for these jobs, newest first: spinning while any is unfinished, with its progress or else the elapsed time; otherwise the states
 * of unseen jobs, with the name of a single clip. Returns undefined if there is neither, which hides it. `now` is in milliseconds since 1970.
 */
export function statusBarPicture(
	jobs: readonly StatusBarJob[],
	unseen: ReadonlySet<string>,
	now: number,
): StatusBarPicture | undefined {
	const working = jobs.filter(job => job.isUnfinished);
	const settled = jobs.filter(job => !job.isUnfinished && unseen.has(job.id));
	const shown = jobs.filter(job => working.includes(job) || settled.includes(job));
	if (shown.length === 0) {
		return undefined;
	}
	const failed = shown.filter(job => job.tone === "failed");
	const attention = shown.filter(job => job.tone === "attention");
	const ready = settled.filter(job => job.tone === "ready");
	const parts = [
		...(working.length > 0 ? [workingPart(working, now)] : []),
		...needyParts(attention.length, failed.length),
		...readyParts(ready),
	];
	return {
		text: parts
			.slice(0, maxParts)
			.map(part => part.text)
			.join(" "),
		tooltip: tooltip(shown, now),
		spoken: `Cutaway: ${parts.map(part => part.spoken).join(", ")}`,
		plays: shown.length === 1 ? ready[0]?.id : undefined,
		color: failed.length > 0 ? "error" : attention.length > 0 ? "warning" : "plain",
	};
}

interface Part {
	readonly text: string;
	readonly spoken: string;
}

function workingPart(working: readonly StatusBarJob[], now: number): Part {
	const elapsed = now - Math.min(...working.map(job => job.startedAt));
	const count = working.length;
	const spoken = spokenElapsed(elapsed);
	const { progress, share } = (count === 1 ? working[0] : undefined) ?? {};
	if (progress) {
		const { ready, total } = progress;
		return {
			text: `$(sync~spin) ${l10n.t("{0} of {1} scenes", ready, total)} ${formatElapsed(elapsed)}`,
			spoken: l10n.t("{0} of {1} scenes ready, in the making for {2}", ready, total, spoken),
		};
	}
	if (typeof share === "number") {
		const words = l10n.t("Clip {0}%", Math.floor(share * 100));
		return { text: `$(sync~spin) ${words}`, spoken: words };
	}
	const videos = count === 1 ? l10n.t("1 video") : l10n.t("{0} videos", count);
	return {
		text: `$(sync~spin) ${videos} ${formatElapsed(elapsed)}`,
		spoken: l10n.t("{0} in the making for {1}", videos, spoken),
	};
}

/** Returns one part for jobs that need attention or have failed. */
function needyParts(attention: number, failed: number): Part[] {
	if (attention > 0 && failed > 0) {
		const text = `$(error) ${l10n.t("{0} videos need attention", attention + failed)}`;
		return [{ text, spoken: `${failing(failed)}, ${needing(attention)}` }];
	}
	return failed > 0
		? [{ text: `$(error) ${failing(failed)}`, spoken: failing(failed) }]
		: attention > 0
			? [{ text: `$(warning) ${needing(attention)}`, spoken: needing(attention) }]
			: [];
}

function needing(count: number): string {
	return count === 1
		? l10n.t("1 video needs attention")
		: l10n.t("{0} videos need attention", count);
}

function failing(count: number): string {
	return count === 1 ? l10n.t("1 video failed") : l10n.t("{0} videos failed", count);
}

function readyParts(ready: readonly StatusBarJob[]): Part[] {
	const [first] = ready;
	if (!first) {
		return [];
	}
	if (ready.length === 1) {
		const name = oneLine(first.shortTitle, maxNameCharacters);
		// Prevents icons in the name.
		const text = `$(play) ${name.replaceAll("$(", "$ (")}`;
		return [{ text, spoken: l10n.t("Video “{0}” is ready", name) }];
	}
	const words = l10n.t("{0} videos ready", ready.length);
	return [{ text: `$(check) ${words}`, spoken: words }];
}

function tooltip(jobs: readonly StatusBarJob[], now: number): string {
	const lines = jobs.slice(0, maxNamed).map(job => {
		const elapsed = job.isUnfinished ? `, ${formatElapsed(now - job.startedAt)}` : "";
		return `${job.shortTitle}: ${job.label}${elapsed}`;
	});
	const more = jobs.length > maxNamed ? [l10n.t("and {0} more", jobs.length - maxNamed)] : [];
	return [...lines, ...more].join("\n");
}
