import { cpus } from "node:os";

/**
 * Makes a function that says which share of the processors' time was idle since it was last called, from 0 to 1; 1 where the
 * system does not say.
 * @see https://nodejs.org/api/os.html#oscpus
 */
export function createIdleShare(): () => number {
	let last = processorTimes();
	return () => {
		const next = processorTimes();
		const total = next.total - last.total;
		const idle = next.idle - last.idle;
		last = next;
		return total > 0 ? idle / total : 1;
	};
}

/** What all processors together did since the machine started, in ms. */
function processorTimes(): { readonly idle: number; readonly total: number } {
	const times = cpus().map(cpu => cpu.times);
	const sum = (values: readonly number[]): number => values.reduce((all, ms) => all + ms, 0);
	return {
		idle: sum(times.map(({ idle }) => idle)),
		total: sum(times.flatMap(time => Object.values(time))),
	};
}
