/** Work that can be interrupted after each step. */
export type SlicedWork = Iterator<undefined, void>;

interface Job {
	readonly work: SlicedWork;
	readonly element: Node | undefined;
}

/** Runs a callback in an idle period. The deadline has its remaining time. */
export type IdleScheduler = (
	callback: (deadline: Pick<IdleDeadline, "timeRemaining">) => void,
) => void;

/** Waits for an idle period of the browser, at most 200 ms. */
const browserIdle: IdleScheduler = callback => {
	requestIdleCallback(callback, { timeout: 200 });
};

/** The longest slice in milliseconds: half a frame, although an idle period may last 50 ms. */
const maxSliceMs = 8;

/**
 * Runs work in small slices during idle periods, in order. Work for elements removed from the page runs last, so that a chat the user has left
 * doesn't delay the current one. Work that throws is dropped, and the page handles the error.
 */
export class IdleQueue {
	private readonly schedule: IdleScheduler;
	private readonly queue: Job[] = [];
	private readonly offPage: Job[] = [];
	private isScheduled = false;

	constructor(schedule: IdleScheduler = browserIdle) {
		this.schedule = schedule;
	}

	add(work: SlicedWork, element?: Node): void {
		this.queue.push({ work, element });
		this.arm();
	}

	private arm(): void {
		if (!this.isScheduled && this.queue.length + this.offPage.length > 0) {
			this.isScheduled = true;
			this.schedule(deadline => this.run(deadline));
		}
	}

	private run(deadline: Pick<IdleDeadline, "timeRemaining">): void {
		this.isScheduled = false;
		const end = Math.max(1, deadline.timeRemaining() - maxSliceMs);
		try {
			do {
				this.step();
			} while (this.queue.length + this.offPage.length > 0 && deadline.timeRemaining() > end);
		} finally {
			this.arm();
		}
	}

	private step(): void {
		const { queue, offPage } = this;
		while (queue[0]?.element?.isConnected === false) {
			offPage.push(...queue.splice(0, 1));
		}
		const jobs = queue.length > 0 ? queue : offPage;
		const [job] = jobs;
		let isDone = true;
		try {
			isDone = job?.work.next().done !== false;
		} finally {
			if (isDone) {
				jobs.shift();
			}
		}
	}
}
