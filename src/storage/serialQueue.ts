/** Runs tasks one after the other in the order they were given; a task that fails does not keep the next from running. */
export class SerialQueue {
	private tail: Promise<unknown> = Promise.resolve();

	run<T>(task: () => Promise<T>): Promise<T> {
		const result = this.tail.then(task, task);
		this.tail = result;
		return result;
	}
}
