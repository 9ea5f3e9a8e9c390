import { ServiceError } from "../../client/contract/errors.ts";
import { type Clock, every } from "../../common/async.ts";
import { Disposable, type IDisposable } from "../../common/disposable.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import { Limiter } from "../../common/limiter.ts";
import type { Log } from "../../common/log.ts";
import { Account, type AccountDependencies, keyNeededReason } from "../job/account.ts";
import { rawStatusOf, readGeneration } from "../job/generationReading.ts";
import { maxPollsAtOnce, nextPollMs, staggerMs } from "../job/pollSchedule.ts";
import { isWatched, type VideoJob } from "../job/videoJob.ts";
import { videoFailureOf } from "../job/videoFailure.ts";
import type { ClipFetcher } from "../download/clipFetcher.ts";
import type { JobTable } from "../store/jobTable.ts";
import type { PollerLease, PollRight } from "../store/pollerLease.ts";

/** Dependencies of a poller. */
export interface PollerDependencies {
	readonly table: JobTable;
	readonly lease: PollerLease;
	readonly right: PollRight;
	readonly accounts: AccountDependencies;
	readonly clips: ClipFetcher;
	readonly clock: Clock;
	readonly log: Log;
	readonly random: () => number;
}

/** One job being watched by this window. */
interface Watching {
	readonly round: number;
	readonly stopping: AbortController;
	timer: IDisposable | undefined;
	/** A lookup or a download is under way or waits for its turn. */
	isBusy: boolean;
	/** Monotonic time up to which watching is counted, in milliseconds. */
	countedTo: number;
}

/** How often the clocks are compared, and the jump between them that means the machine slept. docs/faults.md. */
const tickMs = 5_000;
const wakeJumpMs = 15_000;

/** How long after its request a job counts as just submitted. */
const freshMs = 1_000;

/**
 * Asks the service about every watched job while this window holds the lease, and has finished clips fetched. Only lookups
 * that cost nothing. Rows J5–J11, J19, J20, J23, J25.
 */
export class Poller extends Disposable {
	private readonly dependencies: PollerDependencies;
	private readonly watchings = new Map<string, Watching>();
	/** Ids of all jobs that some window is to watch, so that one job's change costs no look at the others. */
	private readonly watched = new Set<string>();
	private readonly polls = new Limiter(maxPollsAtOnce);
	private ticker: IDisposable | undefined;
	private lastTick = 0;

	constructor(dependencies: PollerDependencies) {
		super();
		this.dependencies = dependencies;
		this.register(dependencies.table.onDidChange(id => this.syncOne(id)));
	}

	/** Takes up what is to be watched and drops what is not; call it when the lease came or went. */
	sync(): void {
		if (this.isDisposed) {
			return;
		}
		const { table, lease } = this.dependencies;
		table.all().forEach(({ id }) => this.note(id));
		lease.want(this.watched.size > 0);
		const fresh = [...this.watched].flatMap(id => this.taken(id) ?? []);
		fresh.forEach((job, index) => this.begin(job, staggerMs(index, fresh.length)));
		this.keepTicking();
	}

	/** The same for one job that changed. */
	private syncOne(id: string): void {
		if (this.isDisposed) {
			return;
		}
		this.note(id);
		this.dependencies.lease.want(this.watched.size > 0);
		const job = this.taken(id);
		if (job) {
			this.begin(job, 0);
		}
		this.keepTicking();
	}

	/** Notes whether a job is to be watched, and drops it if it is not, not by this window, or again. */
	private note(id: string): void {
		const { table, right } = this.dependencies;
		const job = table.get(id);
		const isToWatch = job !== undefined && isWatched(job) && !table.isReadOnly(id);
		if (isToWatch) {
			this.watched.add(id);
		} else {
			this.watched.delete(id);
		}
		const watching = this.watchings.get(id);
		if (watching && !(isToWatch && right.isOurs(job) && job.watch.round === watching.round)) {
			this.drop(id, watching);
		}
	}

	/** The job, if this window is to begin watching it. */
	private taken(id: string): VideoJob | undefined {
		const job = this.dependencies.table.get(id);
		const isOurs = this.watched.has(id) && job !== undefined && this.dependencies.right.isOurs(job);
		return isOurs && !this.watchings.has(id) ? job : undefined;
	}

	override dispose(): void {
		for (const [id, watching] of this.watchings) {
			this.drop(id, watching);
		}
		this.ticker?.dispose();
		super.dispose();
	}

	private begin(job: VideoJob, afterMs: number): void {
		const { clock, random } = this.dependencies;
		const watching: Watching = {
			round: job.watch.round,
			stopping: new AbortController(),
			timer: undefined,
			isBusy: false,
			countedTo: clock.monotonic(),
		};
		this.watchings.set(job.id, watching);
		// One that was just submitted has nothing to show yet; one taken up after a restart may.
		const age = Math.abs(clock.now() - (job.submitter?.since ?? 0));
		const isFresh = job.watch.lastCheckedAt === undefined && age < freshMs;
		const pause = isFresh && job.state.name === "inProgress" ? nextPollMs(job, random) : afterMs;
		this.schedule(job.id, watching, pause);
	}

	private drop(id: string, watching: Watching): void {
		watching.timer?.dispose();
		watching.stopping.abort();
		this.watchings.delete(id);
	}

	private schedule(id: string, watching: Watching, ms: number): void {
		watching.timer?.dispose();
		watching.timer = this.dependencies.clock.setTimer(ms, () => void this.run(id, watching));
	}

	private async run(id: string, watching: Watching): Promise<void> {
		if (watching.isBusy) {
			return;
		}
		watching.isBusy = true;
		try {
			await this.check(id, watching);
		} catch (error) {
			if (!isAbortError(error)) {
				const { name, message } = toError(error);
				this.dependencies.log.error("A video could not be followed", { id, name, message });
			}
		}
		watching.isBusy = false;
		const job = this.dependencies.table.get(id);
		if (job && this.watchings.get(id) === watching) {
			this.schedule(id, watching, nextPollMs(job, this.dependencies.random));
		}
	}

	private async check(id: string, watching: Watching): Promise<void> {
		const { table, clips, right } = this.dependencies;
		const { signal } = watching.stopping;
		const address = await this.polls.run(() => this.poll(id, watching), signal);
		const job = table.get(id);
		if (address === undefined || job?.state.name !== "downloading" || !(await right.verify(job))) {
			return;
		}
		const ending = await clips.fetch(job, address, signal, () => this.poll(id, watching));
		if (ending) {
			await clips.settle(job, ending);
		}
	}

	/** Asks once and records the answer; gives the clip's address when there is one. */
	private async poll(id: string, watching: Watching): Promise<string | undefined> {
		const { table, clock, accounts } = this.dependencies;
		const job = table.get(id);
		const { signal } = watching.stopping;
		if (!job || job.generationId === undefined || signal.aborted) {
			return undefined;
		}
		const { round } = watching;
		try {
			const { client } = new Account(accounts, job.endpoint, job.keyMark);
			const generation = await client.getGeneration(job.generationId, {
				signal,
				isSingleAttempt: true,
			});
			const reading = readGeneration(generation);
			await table.apply(id, {
				type: "polled",
				round,
				at: clock.now(),
				watchedMs: this.count(job, watching),
				rawStatus: rawStatusOf(generation),
				reading,
				detail: generation.detail,
			});
			return reading.kind === "complete" ? reading.address : undefined;
		} catch (error) {
			if (isAbortError(error)) {
				throw error;
			}
			await this.pollFailed(job, watching, error);
			return undefined;
		}
	}

	private async pollFailed(job: VideoJob, watching: Watching, error: unknown): Promise<void> {
		const { table } = this.dependencies;
		const reason = keyNeededReason(error);
		if (reason) {
			await Promise.all(
				this.sameAccount(job).map(({ id, watch }) =>
					table.apply(id, { type: "keyNeeded", round: watch.round, reason }),
				),
			);
			return;
		}
		await table.apply(job.id, {
			type: "pollFailed",
			round: watching.round,
			watchedMs: this.count(job, watching),
			failure: videoFailureOf(error instanceof ServiceError ? error : toError(error)),
		});
	}

	/** H2: what one job learns of its key holds for all of them, so the user is asked once. */
	private sameAccount(job: VideoJob): VideoJob[] {
		return this.dependencies.table
			.all()
			.filter(
				other =>
					isWatched(other) &&
					other.endpoint.origin === job.endpoint.origin &&
					other.keyMark === job.keyMark,
			);
	}

	private count(job: VideoJob, watching: Watching): number {
		const now = this.dependencies.clock.monotonic();
		const watchedMs = job.watch.watchedMs + (now - watching.countedTo);
		watching.countedTo = now;
		return watchedMs;
	}

	private keepTicking(): void {
		const { clock } = this.dependencies;
		if (this.watchings.size === 0) {
			this.ticker?.dispose();
			this.ticker = undefined;
		} else if (!this.ticker) {
			this.lastTick = clock.now();
			this.ticker = every(tickMs, () => void this.tick(), clock);
		}
	}

	/** A wall clock that ran ahead of the ticks means the machine slept: everything is asked once, without a burst (row J23). */
	private async tick(): Promise<void> {
		const { clock, lease } = this.dependencies;
		const now = clock.now();
		const jumpMs = now - this.lastTick - tickMs;
		this.lastTick = now;
		if (jumpMs <= wakeJumpMs) {
			return;
		}
		// Another window may have taken over meanwhile; then the loss has dropped what is its own.
		await lease.verify();
		const idle = [...this.watchings].filter(([, watching]) => !watching.isBusy);
		idle.forEach(([id, watching], index) =>
			this.schedule(id, watching, staggerMs(index, idle.length)),
		);
	}
}
