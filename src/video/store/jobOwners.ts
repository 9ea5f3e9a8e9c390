import type { Clock } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import { type LeaseHolder, mayBeRunning } from "../../storage/lease.ts";
import type { VideoJob } from "../job/videoJob.ts";

/** How long a record may stay unchanged before its window counts as gone, in milliseconds. Every check and a download change it more often. */
const silentMs = 10 * 60_000;

/** The windows of this process. */
const openWindows = new Set<string>();

/** Knows the owner of each job: the window that sent its request, or the one that took the job over. The owner checks the job. */
export class JobOwners implements IDisposable {
	private readonly holder: LeaseHolder;
	private readonly clock: Clock;
	/** Jobs of other windows as last seen, with the monotonic time of their last change. */
	private readonly seen = new Map<string, { readonly job: VideoJob; readonly at: number }>();

	constructor(holder: LeaseHolder, clock: Clock) {
		this.holder = holder;
		this.clock = clock;
		openWindows.add(holder.session);
	}

	dispose(): void {
		openWindows.delete(this.holder.session);
	}

	isOurs(job: VideoJob): boolean {
		return ownerOf(job)?.window === this.holder.session;
	}

	/** Whether the window that checks a job is gone, so that this one may take it over. */
	isAbandoned(job: VideoJob): boolean {
		const now = this.clock.monotonic();
		const last = this.seen.get(job.id);
		const at = last?.job === job ? last.at : now;
		this.seen.set(job.id, { job, at });
		return now - at >= silentMs || !this.isRunning(ownerOf(job));
	}

	/** Forgets a job that needs no more checks. */
	forget(id: string): void {
		this.seen.delete(id);
	}

	private isRunning(owner: ReturnType<typeof ownerOf>): boolean {
		const { pid, host } = this.holder;
		if (owner?.host === host && owner.pid === pid) {
			return openWindows.has(owner.window ?? "");
		}
		return owner !== undefined && mayBeRunning(owner, this.clock.now());
	}
}

function ownerOf({ follower, submitter }: VideoJob): VideoJob["submitter"] {
	return follower ?? submitter;
}
