import * as l10n from "@vscode/l10n";
import { isFree, type VideoEndpoint, type VideoJob } from "../../video/job/videoJob.ts";

/** Videos sent within an hour from which on a user is told how many there were (threat T9). */
const worthSaying = 5;

const hourMs = 60 * 60_000;

/** How often a user is told, at most: once an hour and service. */
export class SpendingNotices {
	private readonly now: () => number;
	private readonly saidAt = new Map<string, number>();

	/**
	 * Makes the notices; `now` is in milliseconds since 1970. They count videos alone, the costly thing of which a click is easily
	 * one too many, and no one that was provably not taken. The local service costs nothing, and is
	 * spoken of only where a server that may charge makes its videos.
	 */
	constructor(now: () => number) {
		this.now = now;
	}

	/** Notice before another video is sent to a service; undefined when there is nothing worth saying, or it was shown. */
	next(jobs: readonly VideoJob[], target: VideoEndpoint): string | undefined {
		const since = this.now() - hourMs;
		const count = sentSince(jobs, target, since);
		const isSaid = (this.saidAt.get(target.origin) ?? -Infinity) > since;
		if (isFree(target) || isSaid || count < worthSaying) {
			return undefined;
		}
		this.saidAt.set(target.origin, this.now());
		return l10n.t(
			"You sent {0} videos to {1} in the last hour. Each may be charged, including this one.",
			count,
			target.label,
		);
	}
}

function sentSince(jobs: readonly VideoJob[], target: VideoEndpoint, since: number): number {
	return jobs
		.filter(
			({ endpoint, createdAt }) =>
				endpoint.origin === target.origin && endpoint.engine === target.engine && createdAt > since,
		)
		.filter(job => job.state.name !== "notSubmitted")
		.reduce((sum, job) => sum + job.submissions, 0);
}
