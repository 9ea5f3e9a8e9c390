/** Runs tasks one after the other in the order they were given; a task that fails does not keep the next from running. */
export type SerialQueue = <T>(task: () => Promise<T>) => Promise<T>;

/** Makes a queue with nothing in it. */
export function createSerialQueue(): SerialQueue {
	let tail: Promise<unknown> = Promise.resolve();
	return task => {
		const result = tail.then(task, task);
		tail = result;
		return result;
	};
}
