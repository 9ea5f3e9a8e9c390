/** Work that can stop after each step. */
export type SlicedWork = Iterator<undefined, void>;

interface Job {
	readonly work: SlicedWork;
	readonly element: Node | undefined;
}

/** Runs a callback in a quiet moment; the deadline says how long that lasts. */
export type IdleScheduler = (
	callback: (deadline: Pick<IdleDeadline, "timeRemaining">) => void,
) => void;

/** Waits for a quiet moment of the browser, at most 200 ms. */
const browserIdle: IdleScheduler = callback => {
	requestIdleCallback(callback, { timeout: 200 });
};

/** The longest slice in milliseconds: half a frame, though a quiet moment may last 50 ms. */
const maxSliceMs = 8;

/**
 * Does work in small slices when the page has nothing better to do, in the order it came. Work for an element that has left the page
 * waits until nothing else is left, so that a chat the user has left never holds up the one that is shown. Work that throws is
 * dropped, and the error is the page's.
 */
export class IdleQueue {
	private readonly schedule: IdleScheduler;
	private readonly queue: Job[] = [];
	private readonly offPage: Job[] = [];
	private isScheduled = false;

	/** Makes an empty queue. */
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
