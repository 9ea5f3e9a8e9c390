/** Work that can stop after each step. */
export type SlicedWork = Iterator<undefined, void>;

/**
 * Does work in small slices when the page has nothing better to do, in the order it came. Work for an element that has left the page
 * waits until nothing else is left, so that a chat the user has left never holds up the one that is shown.
 */
export interface IdleQueue {
	add(work: SlicedWork, element?: Node): void;
}

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

/** Makes a queue. Work that throws is dropped, and the error is the page's. */
export function createIdleQueue(schedule: IdleScheduler = browserIdle): IdleQueue {
	const queue: Job[] = [];
	const offPage: Job[] = [];
	let isScheduled = false;
	const arm = (): void => {
		if (!isScheduled && queue.length + offPage.length > 0) {
			isScheduled = true;
			schedule(run);
		}
	};
	const step = (): void => {
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
	};
	const run: Parameters<IdleScheduler>[0] = deadline => {
		isScheduled = false;
		const end = Math.max(1, deadline.timeRemaining() - maxSliceMs);
		try {
			do {
				step();
			} while (queue.length + offPage.length > 0 && deadline.timeRemaining() > end);
		} finally {
			arm();
		}
	};
	return {
		add: (work, element) => {
			queue.push({ work, element });
			arm();
		},
	};
}
