import { stripVTControlCharacters } from "node:util";
import type { FailedTest, TestCounts, TimedTest } from "../integration/counts.ts";

/** Lines that name the ten slowest tests of a run, the slowest first. */
export function slowestTen(times: readonly TimedTest[]): string {
	return times
		.toSorted((one, other) => other.ms - one.ms)
		.slice(0, 10)
		.map(({ title, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${title}`)
		.join("\n");
}

/** The most lines of a failure's reason that are shown at the end of a run. */
const maxLines = 12;

/** A failed test in a few lines, for the end of a run: a log that keeps only its end still tells what failed. */
export function describeFailure({ title, reason }: FailedTest): string {
	const lines = stripVTControlCharacters(reason)
		.split("\n")
		.filter(line => line.trim() !== "")
		.slice(0, maxLines);
	return [`✖ ${title}`, ...lines.map(line => `    ${line}`)].join("\n");
}

/** A line on how many tests of the suites that ran were left out; undefined where none was. */
export function describeLeftOut(suites: readonly TestCounts[]): string | undefined {
	const sum = (of: (counts: TestCounts) => number): number =>
		suites.reduce((total, counts) => total + of(counts), 0);
	const ran = sum(({ passed, failed, skipped }) => passed + failed + skipped);
	const all = ran + sum(({ leftOut = 0 }) => leftOut);
	const [some, most] = [ran, all].map(count => count.toLocaleString("en"));
	return all > ran ? `${some} of ${most} tests; \`npm run test:all\` runs all.` : undefined;
}
