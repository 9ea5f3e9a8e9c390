import * as l10n from "@vscode/l10n";
import type { VideoAction } from "../../../shared/videoCard.ts";
import { isUnfinished, type VideoJob } from "../../../video/job/videoJob.ts";
import { byScene } from "../../../video/storyboard/storyboards.ts";
import { videoJobView, type VideoJobView } from "./videoJobView.ts";
import type { JobStateDescription } from "./videoWatching.ts";

/**
 * Describes a storyboard, or a long clip made in scenes, with one progress for all. `videos` are its current jobs in order; `isBusy` while this
 * window submits them or joins their clips.
 */
export function storyboardView(
	job: VideoJob,
	videos: readonly (VideoJob | undefined)[],
	isBusy: boolean,
): VideoJobView {
	const own = videoJobView(job);
	const jobs = videos.filter(video => video !== undefined);
	const scenes = byScene(job, videos);
	const working = jobs.filter(isUnfinished);
	const ready = scenes.filter(parts => parts.every(isReady)).length;
	const share = jobs.filter(isReady).length / videos.length;
	const total = scenes.length;
	const isWhole = ready === total;
	const isSettled = isWhole && (job.state.name === "ready" || job.state.name === "notJoined");
	const isRunning = working.length > 0 || isBusy || (isWhole && !isSettled);
	const isOneClip = own.kind === "text";
	const described = isRunning
		? running(ready, total, isOneClip)
		: isSettled
			? { ...own, actions: own.stateActions }
			: resting(scenes, ready);
	const stateActions: readonly VideoAction[] = [
		...described.actions,
		...(isOneClip && (isRunning || isWhole) ? [] : (["showScenes"] as const)),
	];
	const { tone, label, sentence } = described;
	return {
		...own,
		tone,
		label,
		sentence,
		stateActions,
		actions: [
			...new Set([
				...stateActions,
				...(isOneClip && isSettled && !isRunning ? (["generateAgain"] as const) : []),
				...(isRunning ? [] : (["generateWithChanges"] as const)),
				...(own.source ? (["openSource"] as const) : []),
				"copyPrompt" as const,
			]),
		],
		parameters: isOneClip ? own.parameters : [l10n.t("{0} scenes", total), ...own.parameters],
		startedAt: Math.min(...startsOf(working.length > 0 ? working : [job])),
		isUnfinished: isRunning,
		progress: isOneClip ? undefined : { ready, total },
		share,
		downloaded: isRunning ? share : null,
	};
}

function isReady(job: VideoJob | undefined): boolean {
	return job?.state.name === "ready";
}

function startsOf(jobs: readonly VideoJob[]): number[] {
	return jobs.map(({ submitter, createdAt }) => submitter?.since ?? createdAt);
}

function running(ready: number, total: number, isOneClip: boolean): JobStateDescription {
	return {
		tone: "working",
		label: isOneClip
			? l10n.t("Making, {0}%", Math.floor((100 * ready) / total))
			: ready === total
				? l10n.t("Joining")
				: l10n.t("{0} of {1} scenes ready", ready, total),
		sentence: "",
		actions: [],
	};
}

/** Describes a storyboard that is idle and has no clip. */
function resting(
	scenes: readonly (readonly (VideoJob | undefined)[])[],
	ready: number,
): JobStateDescription {
	const total = scenes.length;
	const isWaiting = (job: VideoJob | undefined): boolean => job?.state.name === "waiting";
	const settled = scenes.filter(parts => parts.every(part => isReady(part) || isWaiting(part)));
	const waiting = settled.length - ready;
	const needy = total - settled.length;
	const canSubmit = scenes.flat().some(job => isWaiting(job) || job?.state.name === "notSubmitted");
	const sentences = [
		...(needy === 0 ? [] : [needySentence(needy)]),
		...(waiting === 0 ? [] : [waitingSentence(waiting)]),
	];
	return {
		tone: "attention",
		label: l10n.t("{0} of {1} scenes ready", ready, total),
		sentence: sentences.join(" "),
		actions: canSubmit ? ["submitScenes"] : [],
	};
}

function needySentence(count: number): string {
	return l10n.t("Scenes that need attention: {0}. You can make each again on its own.", count);
}

function waitingSentence(count: number): string {
	return l10n.t("Scenes not submitted yet: {0}.", count);
}
