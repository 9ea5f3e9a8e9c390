import { formatElapsed } from "../protocol/elapsed.ts";
import { spokenElapsed } from "./amounts.ts";
import type { VideoJobView } from "./videoJobView.ts";

/** What the status bar shows of a job. */
export type StatusBarJob = Pick<
	VideoJobView,
	"id" | "title" | "tone" | "label" | "sentence" | "startedAt" | "isUnfinished"
>;

/** The status-bar item as it should look now. */
export interface StatusBarPicture {
	readonly text: string;
	/** One line per job, the newest first. */
	readonly tooltip: string;
	/** What a screen reader says in place of the text. */
	readonly spoken: string;
	readonly colour: "plain" | "warning" | "error";
}

/** The most parts of the text, so that many videos leave room for other items; the tooltip and what is spoken hold all. */
const maxParts = 2;

/** The most jobs the tooltip names. */
const maxNamed = 8;

/**
 * The item for these jobs, newest first: spinning with count and elapsed time while any is unfinished, otherwise how the ones
 * stand that the person has not seen. Undefined when there is neither, which hides it. `now` is in milliseconds since 1970.
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
	const parts = [
		...(working.length > 0 ? [workingPart(working, now)] : []),
		...needyParts(attention.length, failed.length),
		...readyParts(settled.filter(job => job.tone === "ready").length),
	];
	return {
		text: parts
			.slice(0, maxParts)
			.map(part => part.text)
			.join(" "),
		tooltip: tooltip(shown, now),
		spoken: `Cutaway: ${parts.map(part => part.spoken).join(", ")}`,
		colour: failed.length > 0 ? "error" : attention.length > 0 ? "warning" : "plain",
	};
}

interface Part {
	readonly text: string;
	readonly spoken: string;
}

function workingPart(working: readonly StatusBarJob[], now: number): Part {
	const elapsed = now - Math.min(...working.map(job => job.startedAt));
	const name = countOf(working.length);
	return {
		text: `$(loading~spin) ${name} ${formatElapsed(elapsed)}`,
		spoken: `${name} being made, for ${spokenElapsed(elapsed)}`,
	};
}

/** One part for what a person should look at, of one kind or of both. */
function needyParts(attention: number, failed: number): Part[] {
	if (attention > 0 && failed > 0) {
		const text = `$(error) ${countOf(attention + failed)} need you`;
		return [{ text, spoken: `${countOf(failed)} failed, ${needing(attention)}` }];
	}
	return failed > 0
		? [{ text: `$(error) ${countOf(failed)} failed`, spoken: `${countOf(failed)} failed` }]
		: attention > 0
			? [{ text: `$(warning) ${needing(attention)}`, spoken: needing(attention) }]
			: [];
}

function needing(count: number): string {
	return `${countOf(count)} ${count === 1 ? "needs" : "need"} attention`;
}

function readyParts(ready: number): Part[] {
	const words = `${countOf(ready)} ready`;
	return ready === 0 ? [] : [{ text: `$(check) ${words}`, spoken: words }];
}

function countOf(count: number): string {
	return count === 1 ? "1 video" : `${count} videos`;
}

function tooltip(jobs: readonly StatusBarJob[], now: number): string {
	const lines = jobs.slice(0, maxNamed).map(job => {
		const elapsed = job.isUnfinished ? `, ${formatElapsed(now - job.startedAt)}` : "";
		return `${job.title}: ${job.label}${elapsed}`;
	});
	const more = jobs.length > maxNamed ? [`and ${jobs.length - maxNamed} more`] : [];
	return [...lines, ...more, "Click for everything that can be done."].join("\n");
}
