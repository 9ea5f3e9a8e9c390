/** Work that can stop after each step. */
export type SlicedWork = Iterator<undefined, void>;

/** Does work in small slices when the page has nothing better to do, in the order it came. */
export interface IdleQueue {
	add(work: SlicedWork): void;
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
	const queue: SlicedWork[] = [];
	let isScheduled = false;
	const arm = (): void => {
		if (!isScheduled && queue.length > 0) {
			isScheduled = true;
			schedule(run);
		}
	};
	const step = (work: SlicedWork): void => {
		let isDone = true;
		try {
			isDone = work.next().done === true;
		} finally {
			if (isDone) {
				queue.shift();
			}
		}
	};
	const run: Parameters<IdleScheduler>[0] = deadline => {
		isScheduled = false;
		const end = Math.max(1, deadline.timeRemaining() - maxSliceMs);
		try {
			do {
				if (queue[0]) {
					step(queue[0]);
				}
			} while (queue.length > 0 && deadline.timeRemaining() > end);
		} finally {
			arm();
		}
	};
	return {
		add: work => {
			queue.push(work);
			arm();
		},
	};
}
