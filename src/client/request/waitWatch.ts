import { type Clock, every } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import type { RequestNotice } from "../contract/events.ts";

/** Silence after which the user is told that Cutaway still waits, in milliseconds. Rows S21, G20. */
const noticeAfterMs = 15_000;

/** Silence after which a started answer counts as stalled, in milliseconds. Rows S21, G20. */
const stallAfterMs = 60_000;

/** Time without content after which the user is asked, however many bytes arrive, in milliseconds. Row S22. */
const noContentAfterMs = 300_000;

const tickMs = 5_000;

/** A wall clock that ran this much further than a tick means the machine slept. docs/faults.md. */
const wakeJumpMs = 15_000;

/** Dependencies of a watch. */
export interface WaitWatchDependencies {
	readonly clock: Clock;
	/** How long the first byte may take, in milliseconds. */
	readonly firstByteMs: number;
	readonly onNotice: (notice: RequestNotice) => void;
	/** Called at most once, when the wait is over: nothing came in time, or the machine slept meanwhile. */
	readonly onGivenUp: () => void;
}

/**
 * Watches one exchange wait for the network from the moment it is made. Time counts only while the exchange waits: a reader
 * that takes its time, and so pauses the sender, is no stall. Rows N8, S21, S22, S26.
 */
export class WaitWatch implements IDisposable {
	private readonly dependencies: WaitWatchDependencies;
	private readonly clock: Clock;
	private readonly ticker: IDisposable;
	private timer: IDisposable | undefined;
	private limitMs: number;
	private isWaiting = true;
	private hasArrived = false;
	/** Monotonic times, in milliseconds. */
	private silentSince: number;
	private contentAt: number;
	/** Wall time of the last tick, in milliseconds. */
	private lastTick: number;
	private isNoticeDue = true;
	private shown: "silent" | "noContent" | undefined;

	constructor(dependencies: WaitWatchDependencies) {
		this.dependencies = dependencies;
		this.clock = dependencies.clock;
		this.limitMs = dependencies.firstByteMs;
		this.silentSince = this.clock.monotonic();
		this.contentAt = this.silentSince;
		this.lastTick = this.clock.now();
		this.ticker = every(tickMs, () => this.tick(), this.clock);
		this.check();
	}

	/** Request bytes went out, or the exchange begins to wait again: the silence starts from here. */
	waiting(): void {
		this.isWaiting = true;
		this.silentSince = this.clock.monotonic();
	}

	/** Something arrived; the first time, it ends the wait for a beginning of the answer. */
	arrived(): void {
		this.isWaiting = false;
		if (!this.hasArrived) {
			this.hasArrived = true;
			this.limitMs = stallAfterMs;
			this.contentAt = this.clock.monotonic();
		}
		this.resume("silent");
		if (!this.isNoticeDue) {
			// The timer was set for the end of a longer wait.
			this.timer?.dispose();
			this.check();
		}
	}

	/** Notes that something for the user arrived; only a stream's frames can tell. Row S22. */
	content(): void {
		this.contentAt = this.clock.monotonic();
		this.resume("noContent");
	}

	dispose(): void {
		this.ticker.dispose();
		this.timer?.dispose();
	}

	private check(): void {
		const silentMs = this.isWaiting ? this.clock.monotonic() - this.silentSince : 0;
		if (silentMs >= this.limitMs) {
			this.giveUp();
			return;
		}
		this.isNoticeDue = silentMs < noticeAfterMs;
		if (!this.isNoticeDue) {
			this.show("silent");
		}
		const dueMs = this.isNoticeDue ? noticeAfterMs : this.limitMs;
		this.timer = this.clock.setTimer(dueMs - silentMs, () => this.check());
	}

	private tick(): void {
		const now = this.clock.now();
		const jumpMs = now - this.lastTick - tickMs;
		this.lastTick = now;
		if (jumpMs > wakeJumpMs) {
			this.giveUp();
		} else if (this.hasArrived && this.clock.monotonic() - this.contentAt >= noContentAfterMs) {
			this.show("noContent");
		}
	}

	private show(notice: "silent" | "noContent"): void {
		if (this.shown === undefined) {
			this.shown = notice;
			this.dependencies.onNotice({ type: notice });
		}
	}

	private resume(notice: "silent" | "noContent"): void {
		if (this.shown === notice) {
			this.shown = undefined;
			this.dependencies.onNotice({ type: "resumed" });
		}
	}

	private giveUp(): void {
		this.dispose();
		this.dependencies.onGivenUp();
	}
}
