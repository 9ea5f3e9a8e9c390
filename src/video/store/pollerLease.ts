import * as fs from "node:fs";
import { systemCode } from "../../common/errors.ts";
import { type Clock, every } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import type { Log } from "../../common/log.ts";
import {
	type FoundLease,
	isDead,
	type LeaseHolder,
	type LeaseDependencies,
	mayBeRunning,
	readLease,
	releaseLease,
	renewLease,
	takeLease,
} from "../../storage/lease.ts";
import { nodeFileSystem } from "../../storage/fileSystem.ts";
import type { VideoJob } from "../job/videoJob.ts";

/** Heartbeat interval, and the silence after which another window takes over, in milliseconds. */
const heartbeatMs = 30_000;
const stealAfterMs = 90_000;

/** Interval at which the other windows check the lease, in milliseconds. */
const lookMs = 5_000;

export interface PollerLeaseDependencies {
	readonly path: string;
	readonly holder: LeaseHolder;
	readonly clock: Clock;
	readonly log: Log;
	readonly onChange: (isHeld: boolean) => void;
}

/** The exclusive right to check jobs, held by one window at a time. */
export class PollerLease implements IDisposable {
	private readonly dependencies: PollerLeaseDependencies;
	private readonly leaseDependencies: LeaseDependencies;
	private held = false;
	private ticker: IDisposable | undefined;
	private isBusy = false;
	/** The holder's last heartbeat, and when this window first saw it. */
	private seen: { readonly mark: string; readonly at: number } | undefined;
	private beatAt = 0;

	/** The silence of another holder is measured by this window's monotonic clock. */
	constructor(pollerLeaseDependencies: PollerLeaseDependencies) {
		this.dependencies = pollerLeaseDependencies;
		this.leaseDependencies = {
			files: nodeFileSystem,
			path: pollerLeaseDependencies.path,
			clock: pollerLeaseDependencies.clock,
		};
	}

	get isHeld(): boolean {
		return this.held;
	}

	want(isWanted: boolean): void {
		if (isWanted && !this.ticker) {
			this.ticker = every(lookMs, () => void this.look(), this.dependencies.clock);
			void this.look();
		} else if (!isWanted && this.ticker) {
			this.dispose();
		}
	}

	/** Reads the lease file and returns whether this window still holds it. Detects a loss. */
	async verify(): Promise<boolean> {
		if (this.held) {
			const found = await this.quietly(() => readLease(this.leaseDependencies));
			if (found !== "unknown" && !this.isOurs(found)) {
				this.setHeld(false);
			}
		}
		return this.held;
	}

	dispose(): void {
		this.ticker?.dispose();
		this.ticker = undefined;
		this.seen = undefined;
		if (!this.held) {
			return;
		}
		try {
			// Synchronous, because a closing window doesn't wait for promises.
			if (
				fs.readFileSync(this.dependencies.path, "utf8").includes(this.dependencies.holder.session)
			) {
				fs.rmSync(this.dependencies.path, { force: true });
			}
		} catch (error) {
			this.dependencies.log.debug("The lease lapses by itself", { code: systemCode(error) });
		}
		this.setHeld(false);
	}

	private async look(): Promise<void> {
		if (this.isBusy) {
			return;
		}
		this.isBusy = true;
		await this.quietly(() => (this.held ? this.beat() : this.tryTake()));
		this.isBusy = false;
	}

	private async beat(): Promise<void> {
		const { clock } = this.dependencies;
		if (clock.monotonic() - this.beatAt < heartbeatMs || !(await this.verify())) {
			return;
		}
		this.beatAt = clock.monotonic();
		await renewLease(this.leaseDependencies);
	}

	private async tryTake(): Promise<void> {
		const { holder, clock } = this.dependencies;
		const isGone = (found: FoundLease): boolean => this.isOurs(found) || this.isGone(found);
		if (!(await takeLease(this.leaseDependencies, holder, isGone))) {
			return;
		}
		if (this.ticker) {
			this.beatAt = clock.monotonic();
			this.seen = undefined;
			this.setHeld(true);
		} else {
			await releaseLease(this.leaseDependencies, holder);
		}
	}

	private isGone(found: FoundLease): boolean {
		const now = this.dependencies.clock.monotonic();
		const mark = `${found.holder?.session} ${found.modifiedAt}`;
		if (this.seen?.mark !== mark) {
			this.seen = { mark, at: now };
		}
		return isDead(found) || now - this.seen.at >= stealAfterMs;
	}

	private isOurs(found: FoundLease | undefined): boolean {
		return found?.holder?.session === this.dependencies.holder.session;
	}

	private setHeld(isHeld: boolean): void {
		if (this.held !== isHeld) {
			this.held = isHeld;
			this.dependencies.onChange(isHeld);
		}
	}

	private async quietly<T>(step: () => Promise<T>): Promise<T | "unknown"> {
		try {
			return await step();
		} catch (error) {
			this.dependencies.log.warn("The lease of the videos cannot be read", {
				code: systemCode(error),
			});
			return "unknown";
		}
	}
}

/** Decides which window checks a job: the lease's holder, or for the local service the window that sent it. */
export class PollRight {
	private readonly lease: PollerLease;
	private readonly holder: LeaseHolder;
	private readonly clock: Clock;

	constructor(lease: PollerLease, holder: LeaseHolder, clock: Clock) {
		this.lease = lease;
		this.holder = holder;
		this.clock = clock;
	}

	isOurs(job: VideoJob): boolean {
		return this.belongs(job) ?? this.lease.isHeld;
	}

	/** Like `isOurs`, after reading the lease file. */
	async verify(job: VideoJob): Promise<boolean> {
		return this.belongs(job) ?? (await this.lease.verify());
	}

	private belongs({ endpoint, submitter }: VideoJob): boolean | undefined {
		if (endpoint.kind === "remote" || !submitter) {
			return undefined;
		}
		const isOwn = submitter.host === this.holder.host && submitter.pid === this.holder.pid;
		return isOwn || (mayBeRunning(submitter, this.clock.now()) ? false : undefined);
	}
}
