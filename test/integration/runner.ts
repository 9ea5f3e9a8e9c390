import { writeFile } from "node:fs/promises";
import type Mocha from "mocha";
import * as vscode from "vscode";
import { type FailedTest, type TestCounts, type TimedTest, lineMark } from "./counts.ts";

/** Loads one test file; its top level declares suites and tests through Mocha's globals. */
export type SuiteLoader = () => Promise<unknown>;

/** Milliseconds one test or hook may take; the first one waits for activation on a busy machine. */
const testTimeout = 180_000;

function print(line: string): void {
	console.log(lineMark + line.replaceAll("\n", `\n${lineMark}`));
}

function pathOf(test: Mocha.Test): string {
	return test.titlePath().join(" › ");
}

/** Prints one line per test as it ends, and every failure with its stack once more at the end. */
function report(runner: Mocha.Runner): () => TestCounts {
	const counts = { passed: 0, failed: 0, skipped: 0 };
	const times: TimedTest[] = [];
	const failures: FailedTest[] = [];
	runner.on("pass", test => {
		counts.passed++;
		times.push({ title: pathOf(test), ms: test.duration ?? 0 });
		print(`  ✔ ${pathOf(test)} (${test.duration ?? 0} ms)`);
	});
	runner.on("pending", test => {
		counts.skipped++;
		print(`  - ${pathOf(test)}`);
	});
	runner.on("fail", (test, error: unknown) => {
		counts.failed++;
		const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
		failures.push({ title: pathOf(test), reason });
		print(`  ✖ ${pathOf(test)}\n${reason.replace(/^/gm, "      ")}`);
	});
	return () => ({ ...counts, leftOut: runner.suite.total() - runner.total, times, failures });
}

/** Makes a Mocha whose own reporter is silent: it would write to a terminal, which an extension host does not have. */
async function createMocha(): Promise<Mocha> {
	// Mocha is an ES module and this bundle is CommonJS, which not every supported Node may require.
	const { default: MochaClass } = await import("mocha");
	class SilentReporter extends MochaClass.reporters.Base {
		override epilogue(): void {}
	}
	return new MochaClass({ ui: "bdd", timeout: testTimeout, reporter: SilentReporter });
}

async function loadSuites(
	mocha: Mocha,
	suites: Readonly<Record<string, SuiteLoader>>,
): Promise<void> {
	const root = mocha.suite;
	for (const [file, load] of Object.entries(suites)) {
		root.emit("pre-require", globalThis, file, mocha);
		// One after the other: a file's suites belong to the globals set up for it.
		await load();
		root.emit("require", {}, file, mocha);
		root.emit("post-require", globalThis, file, mocha);
	}
}

/** Milliseconds the editor has for opening its folder; on a machine that never started it before it now and then opens none. */
const folderTimeout = 60_000;

/** Whether the window has its folder, which it gets a moment after its extension host at times. */
async function hasFolder(): Promise<boolean> {
	const end = performance.now() + folderTimeout;
	while (performance.now() < end) {
		if (vscode.workspace.workspaceFolders?.length) {
			return true;
		}
		await new Promise(resolve => setTimeout(resolve, 200));
	}
	return false;
}

async function writeCounts(counts: TestCounts): Promise<void> {
	const resultFile = process.env["CUTAWAY_TEST_RESULT"];
	if (resultFile) {
		await writeFile(resultFile, JSON.stringify(counts));
	}
}

/**
 * Makes the `run` that VS Code calls inside its extension host. The counts go to the file that the environment variable
 * `CUTAWAY_TEST_RESULT` names; `run` rejects when a test failed or none was found, so the host reports a failure too.
 * `CUTAWAY_TEST_GREP`, when set, chooses tests by their full title. An editor that opened without its folder runs no test, which
 * its counts of nought say.
 */
export function createRun(suites: Readonly<Record<string, SuiteLoader>>): () => Promise<void> {
	return async () => {
		if (!(await hasFolder())) {
			await writeCounts({ passed: 0, failed: 0, skipped: 0 });
			throw new Error("The editor opened without its folder.");
		}
		const mocha = await createMocha();
		const pattern = process.env["CUTAWAY_TEST_GREP"];
		if (pattern) {
			mocha.grep(new RegExp(pattern));
		}
		await loadSuites(mocha, suites);
		const counts = await new Promise<TestCounts>(resolve => {
			const read = { counts: (): TestCounts => ({ passed: 0, failed: 0, skipped: 0 }) };
			const runner = mocha.run(() => resolve(read.counts()));
			read.counts = report(runner);
		});
		await writeCounts(counts);
		if (counts.failed > 0 || counts.passed === 0) {
			throw new Error(`${counts.passed} passed, ${counts.failed} failed`);
		}
	};
}
