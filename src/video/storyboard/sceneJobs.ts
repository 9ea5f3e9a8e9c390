import { isUnfinished, type VideoJob } from "../job/videoJob.ts";

/**
 * Returns the relevant job for each scene of a storyboard, in order: the newest that is ready or running, or else the newest. It is undefined if the
 * scene has no record yet. Ignores removed jobs.
 */
export function sceneJobs(
	storyboard: VideoJob,
	jobs: readonly VideoJob[],
): readonly (VideoJob | undefined)[] {
	const count = storyboard.request.kind === "storyboard" ? storyboard.request.scenes.length : 0;
	const members = jobs
		.filter(
			({ scene, removedAt }) => scene?.storyboard === storyboard.id && removedAt === undefined,
		)
		.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
	return Array.from({ length: count }, (_, index) => {
		const takes = members.filter(({ scene }) => scene?.index === index);
		return takes.find(job => isUnfinished(job) || job.state.name === "ready") ?? takes[0];
	});
}

/** Returns the ids of the jobs whose clips are to be joined, or undefined if one isn't ready or their clip exists. */
export function scenesToJoin(
	storyboard: VideoJob,
	jobs: readonly VideoJob[],
): readonly string[] | undefined {
	const scenes = sceneJobs(storyboard, jobs);
	const ids = scenes.flatMap(job => (job?.state.name === "ready" ? [job.id] : []));
	const isWhole = ids.length === scenes.length && ids.length > 0;
	const isDone =
		["ready", "notJoined"].includes(storyboard.state.name) &&
		storyboard.joined?.join(" ") === ids.join(" ");
	return isWhole && !isDone ? ids : undefined;
}

/** Returns the scenes that can be sent without a second charge: never sent or rejected. */
export function scenesToSend(storyboard: VideoJob, jobs: readonly VideoJob[]): readonly VideoJob[] {
	return sceneJobs(storyboard, jobs)
		.filter(job => job !== undefined)
		.filter(({ state }) => state.name === "waiting" || state.name === "notSubmitted");
}
