import { type Clock, watchSleep } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import { noticeAfterMs, type RequestNotice } from "../contract/serviceClient.ts";

/** Silence after which a started answer counts as stalled, in milliseconds. */
const stallAfterMs = 60_000;

/** Time without content after which the user is asked, regardless of other bytes, in milliseconds. */
const noContentAfterMs = 300_000;

/** Silence after a sleep of the machine from which the connection counts as lost, in milliseconds. One to this machine outlives a sleep. */
const wakePatienceMs = 5_000;

export interface WaitWatchDependencies {
	readonly clock: Clock;
	/** How long to wait for the first byte, in milliseconds. */
	readonly firstByteMs: number;
	readonly onNotice: (notice: RequestNotice) => void;
	/** Called at most once: nothing arrived in time, or soon after the machine slept. */
	readonly onGivenUp: () => void;
}

/** Monitors how long an exchange waits for the network. A slow reader, which pauses the sender, isn't a stall. */
export class WaitWatch implements IDisposable {
	private readonly dependencies: WaitWatchDependencies;
	private readonly clock: Clock;
	private readonly ticker: IDisposable;
	private timer: IDisposable | undefined;
	private wakeTimer: IDisposable | undefined;
	private limitMs: number;
	private isWaiting = true;
	private hasArrived = false;
	/** Monotonic times, in milliseconds. */
	private silentSince: number;
	private contentAt: number;
	private isNoticeDue = true;
	private shown: "silent" | "noContent" | undefined;

	constructor(dependencies: WaitWatchDependencies) {
		this.dependencies = dependencies;
		this.clock = dependencies.clock;
		this.limitMs = dependencies.firstByteMs;
		this.silentSince = this.clock.monotonic();
		this.contentAt = this.silentSince;
		this.ticker = watchSleep(hasSlept => this.tick(hasSlept), this.clock);
		this.check();
	}

	/** Restarts the silence timer after request bytes were sent or when the exchange waits again. */
	waiting(): void {
		this.isWaiting = true;
		this.silentSince = this.clock.monotonic();
	}

	/** Called when data arrives. The first data ends the wait for the first byte. */
	arrived(): void {
		this.isWaiting = false;
		this.wakeTimer?.dispose();
		if (!this.hasArrived) {
			this.hasArrived = true;
			this.limitMs = stallAfterMs;
			this.contentAt = this.clock.monotonic();
		}
		this.resume("silent");
		if (!this.isNoticeDue) {
			// The timer was set to the end of the previous silence, which is after the next notice.
			this.timer?.dispose();
			this.check();
		}
	}

	/** Called when visible content arrives, which only the stream's parser can determine. */
	content(): void {
		this.contentAt = this.clock.monotonic();
		this.resume("noContent");
	}

	dispose(): void {
		this.ticker.dispose();
		this.timer?.dispose();
		this.wakeTimer?.dispose();
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

	private tick(hasSlept: boolean): void {
		if (hasSlept) {
			this.wakeTimer?.dispose();
			this.wakeTimer = this.clock.setTimer(wakePatienceMs, () => this.giveUp());
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
