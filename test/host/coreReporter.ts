import { writeFileSync } from "node:fs";
import type { Reporter } from "@playwright/test/reporter";

/**
 * Leaves out of a run of Playwright every test without the tag `@core`, and writes how many those are into the file that
 * `CUTAWAY_LEFT_OUT` names.
 */
export default class CoreReporter implements Reporter {
	preprocess: NonNullable<Reporter["preprocess"]> = async ({ suite, testRun }) => {
		const leftOut = suite.allTests().filter(({ tags }) => !tags.includes("@core"));
		for (const test of leftOut) {
			testRun.exclude(test);
		}
		const file = process.env["CUTAWAY_LEFT_OUT"];
		if (file !== undefined) {
			writeFileSync(file, String(leftOut.length));
		}
	};

	printsToStdio(): boolean {
		return false;
	}
}
