/** A test or a file of tests, and how long it took. */
export interface TimedTest {
	readonly title: string;
	readonly ms: number;
}

/** A test that failed, and what its runner reports of it. */
export interface FailedTest {
	readonly title: string;
	readonly reason: string;
}

/** How many tests ended in which way. */
export interface TestCounts {
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
	/** How many tests of the suite were not chosen; none when left out. */
	readonly leftOut?: number;
	/** How long each test took, where the suite says so. */
	readonly times?: readonly TimedTest[];
	/** The tests that failed, where the suite names them. */
	readonly failures?: readonly FailedTest[];
	/** Titles of the tests that passed only on a second try. */
	readonly flaky?: readonly string[];
}

/** Begins every line that the suite prints, so that the harness can tell it from the editor's own words. */
export const lineMark = "[integration] ";
