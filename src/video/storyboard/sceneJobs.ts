import { isUnfinished, type VideoJob } from "../job/videoJob.ts";

/**
 * The job that counts for each scene of a storyboard, in the order of the scenes: the newest one that is ready or under way, or
 * else the newest one. A scene whose record is not there yet has none. Jobs of other storyboards, and removed ones, do not count.
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

/** The ids of the jobs whose clips are to be joined; undefined while one of them is not ready, or when their clip is there. */
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

/** The scenes that can be sent without a charge of before: never sent, or turned away. */
export function scenesToSend(storyboard: VideoJob, jobs: readonly VideoJob[]): readonly VideoJob[] {
	return sceneJobs(storyboard, jobs)
		.filter(job => job !== undefined)
		.filter(({ state }) => state.name === "waiting" || state.name === "notSubmitted");
}
