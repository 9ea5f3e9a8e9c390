import type { TimedTest } from "../integration/counts.ts";

/** Lines that name the ten slowest tests of a run, the slowest first. */
export function slowestTen(times: readonly TimedTest[]): string {
	return times
		.toSorted((one, other) => other.ms - one.ms)
		.slice(0, 10)
		.map(({ title, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${title}`)
		.join("\n");
}
