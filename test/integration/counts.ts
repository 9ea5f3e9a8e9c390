/** How many tests ended in which way. */
export interface TestCounts {
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
}

/** Begins every line that the suite prints, so that the harness can tell it from the editor's own words. */
export const lineMark = "[integration] ";
