import { ServiceError } from "../../client/contract/serviceError.ts";
import { type Clock, Limiter, watchSleep } from "../../common/async.ts";
import { Disposable, type IDisposable } from "../../common/disposable.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { Account, type AccountDependencies, keyNeededReason } from "../job/account.ts";
import {
	rawStatusOf,
	readGeneration,
	maxPollsAtOnce,
	nextPollMs,
	staggerMs,
} from "../job/generationReading.ts";
import { isWatched, type VideoJob, videoFailureOf } from "../job/videoJob.ts";
import type { LeaseHolder } from "../../storage/lease.ts";
import type { ClipFetcher } from "../download/clipFetcher.ts";
import type { JobTable } from "../store/jobTable.ts";
import type { JobOwners } from "../store/jobOwners.ts";

export interface PollerDependencies {
	readonly table: JobTable;
	readonly holder: LeaseHolder;
	readonly owners: JobOwners;
	readonly accounts: AccountDependencies;
	readonly clips: ClipFetcher;
	readonly clock: Clock;
	readonly log: Log;
	readonly random: () => number;
}

interface Watching {
	readonly round: number;
	readonly stopping: AbortController;
	timer: IDisposable | undefined;
	/** A status request or download is running or queued. */
	isBusy: boolean;
	/** Monotonic time up to which watching has been counted, in milliseconds. */
	countedTo: number;
}

/** Age of a request up to which a job counts as just submitted, in milliseconds. */
const freshMs = 1_000;

/** Checks every watched job of this window, and of windows that are gone, and starts the downloads. Sends only requests that are free. docs/faults.md. */
export class Poller extends Disposable {
	private readonly dependencies: PollerDependencies;
	private readonly watchings = new Map<string, Watching>();
	/** Ids of all jobs to watch in any window, so that a change of one job doesn't require a scan of all. */
	private readonly watched = new Set<string>();
	private readonly polls = new Limiter(maxPollsAtOnce);
	private ticker: IDisposable | undefined;

	constructor(dependencies: PollerDependencies) {
		super();
		this.dependencies = dependencies;
		this.register(dependencies.table.onDidChange(id => this.syncOne(id)));
	}

	/** Starts and stops watching jobs as needed, also those of windows that are gone. */
	sync(): void {
		if (this.isDisposed) {
			return;
		}
		this.dependencies.table.all().forEach(({ id }) => this.note(id));
		const fresh = [...this.watched].flatMap(id => this.taken(id) ?? []);
		fresh.forEach((job, index) => this.begin(job, staggerMs(index, fresh.length)));
		this.keepTicking();
	}

	/** Like `sync`, for one job that changed. */
	private syncOne(id: string): void {
		if (this.isDisposed) {
			return;
		}
		this.note(id);
		const job = this.taken(id);
		if (job) {
			this.begin(job, 0);
		}
		this.keepTicking();
	}

	/** Records whether a job is to be watched. Drops it if it isn't, if another window watches it, or if its round changed. */
	private note(id: string): void {
		const { table, owners } = this.dependencies;
		const job = table.get(id);
		const isToWatch = job !== undefined && isWatched(job) && !table.isReadOnly(id);
		if (isToWatch) {
			this.watched.add(id);
			this.takeOver(job);
		} else {
			this.watched.delete(id);
			owners.forget(id);
		}
		const watching = this.watchings.get(id);
		if (watching && !(isToWatch && owners.isOurs(job) && job.watch.round === watching.round)) {
			this.drop(id, watching);
		}
	}

	/** Takes over a job whose window is gone. The lock of the record lets only one window do so. */
	private takeOver(job: VideoJob): void {
		const { table, owners, holder, clock } = this.dependencies;
		if (!owners.isOurs(job) && owners.isAbandoned(job)) {
			const by = { ...holder, window: holder.session, since: clock.now() };
			void table.apply(job.id, { type: "takenOver", from: job.follower, by });
		}
	}

	/** Returns the job if this window should start watching it. */
	private taken(id: string): VideoJob | undefined {
		const job = this.dependencies.table.get(id);
		const isOurs = this.watched.has(id) && job && this.dependencies.owners.isOurs(job);
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
		// A job that was just submitted has no result yet, unlike one resumed after a restart.
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
		const { table, clips, owners } = this.dependencies;
		const { signal } = watching.stopping;
		const address = await this.polls.run(() => this.poll(id, watching), signal);
		const job = table.get(id);
		if (address === undefined || job?.state.name !== "downloading" || !owners.isOurs(job)) {
			return;
		}
		const ending = await clips.fetch(job, address, signal, () => this.poll(id, watching));
		if (ending) {
			await clips.settle(job, ending);
		}
	}

	/** Checks once and records the result. Returns the clip's address if there is one. */
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

	/** A key problem of one job applies to all jobs of the account, so the user is asked once. */
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
			this.ticker = watchSleep(hasSlept => hasSlept && this.checkAll(), clock);
		}
	}

	/** Checks every job once after the machine slept, spread over a few seconds. */
	private checkAll(): void {
		const idle = [...this.watchings].filter(([, watching]) => !watching.isBusy);
		idle.forEach(([id, watching], index) =>
			this.schedule(id, watching, staggerMs(index, idle.length)),
		);
	}
}
