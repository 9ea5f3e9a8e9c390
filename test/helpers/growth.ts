const small = 16 * 1024;
const large = 16 * small;
const fewestTries = 3;
const mostTries = 40;

/** The most that a test lets `growth` be: halfway, on a scale of powers, between 16 and 256. */
export const linearGrowth = 64;

/**
 * How much longer `run` takes for a text of 256 KB than for one of 16 KB, both made of `piece`: about 16 times as long where every
 * character is looked at a bounded number of times, 256 times where each is looked at once for every other. The quickest of many tries
 * counts, so that what else runs on the machine does not.
 */
export function growth(run: (text: string) => unknown, piece: string): number {
	const of = (size: number): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
	const [short, long] = [of(small), of(large)];
	let rounds = 1;
	while (timeOf(run, short, rounds) < 0.2 && rounds < 1_024) {
		rounds *= 2;
	}
	const best = { short: Infinity, long: Infinity };
	for (let tries = 1; tries <= mostTries; tries += 1) {
		best.short = Math.min(best.short, timeOf(run, short, rounds));
		best.long = Math.min(best.long, timeOf(run, long, rounds));
		if (tries >= fewestTries && best.long < best.short * linearGrowth) {
			break;
		}
	}
	return best.long / best.short;
}

function timeOf(run: (text: string) => unknown, text: string, rounds: number): number {
	const start = performance.now();
	for (let round = 0; round < rounds; round += 1) {
		run(text);
	}
	return performance.now() - start;
}

/** Returns the processor time of some work in milliseconds, which some systems count in steps of 10. It hardly depends on what else runs. */
export function cpuTimeOf(work: () => unknown): number {
	const before = process.threadCpuUsage();
	work();
	const { user, system } = process.threadCpuUsage(before);
	return (user + system) / 1_000;
}
