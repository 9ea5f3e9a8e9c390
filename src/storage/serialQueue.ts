/** Runs tasks one at a time in the order they were given. A failed task doesn't stop the next. */
export class SerialQueue {
	private tail: Promise<unknown> = Promise.resolve();

	run<T>(task: () => Promise<T>): Promise<T> {
		const result = this.tail.then(task, task);
		this.tail = result;
		return result;
	}
}
