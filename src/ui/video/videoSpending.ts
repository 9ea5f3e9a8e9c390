import * as l10n from "@vscode/l10n";
import { isFree, type VideoEndpoint, type VideoJob } from "../../video/job/videoJob.ts";

/** The number of videos within an hour from which the user is informed. */
const worthSaying = 5;

const hourMs = 60 * 60_000;

/** Shows a notice at most once per hour and service. */
export class SpendingNotices {
	private readonly now: () => number;
	private readonly saidAt = new Map<string, number>();

	/**
	 * `now` returns milliseconds since 1970. Counts only videos, which are expensive and easily started by mistake, without those provably not
	 * accepted. The local service is free, so it counts only if a server that may charge makes its videos.
	 */
	constructor(now: () => number) {
		this.now = now;
	}

	/** Returns the notice before another video is sent to a service; undefined if there is none or it was shown. */
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
