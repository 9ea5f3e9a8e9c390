/**
 * A program: `npm test` runs every stage, `node test/run.ts unit lint` the ones named. A check counts as one passed or
 * failed, a suite counts its tests. The last line is `N passed, N failed`, with `, N skipped` when any was.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runCheck, runPlaywright, runVitest } from "./host/checks.ts";
import { runIntegration } from "./host/integration.ts";
import { packageExtension } from "./host/package.ts";
import { projectRoot, say } from "./host/project.ts";
import { describeFailure, slowestTen } from "./host/runReport.ts";
import { runScript } from "./host/script.ts";
import type { FailedTest, TestCounts, TimedTest } from "./integration/counts.ts";

interface Stage {
	readonly name: string;
	/** Stages that follow one another in the same group run side by side. */
	readonly group?: "checks" | "integration";
	run(): Promise<TestCounts>;
}

const passedOnce: TestCounts = { passed: 1, failed: 0, skipped: 0 };
const failedOnce: TestCounts = { passed: 0, failed: 1, skipped: 0 };

/** What the build stage made, for the stages after it. */
const made: { vsix?: string } = {};

/** Packages the production build, then leaves the development build in `dist/`, which integration tests run on. */
async function build(): Promise<TestCounts> {
	made.vsix = await packageExtension();
	const { code, output } = await runScript([join(projectRoot, "esbuild.js")]);
	if (code !== 0) {
		say(output.trimEnd());
	}
	return code === 0 ? passedOnce : failedOnce;
}

const stages: readonly Stage[] = [
	{
		name: "format",
		group: "checks",
		run: () => runCheck(["prettier", "prettier", "--check", "."]),
	},
	{ name: "lint", group: "checks", run: () => runCheck(["oxlint", "oxlint", "--deny-warnings"]) },
	{
		name: "types",
		group: "checks",
		run: () =>
			runCheck(
				["typescript", "tsc", "-p", "."],
				["typescript", "tsc", "-p", "media"],
				["typescript", "tsc", "-p", "test"],
			),
	},
	{ name: "dead-code", group: "checks", run: () => runCheck(["knip", "knip"]) },
	{ name: "build", run: build },
	{ name: "unit", run: () => runVitest("unit", "test/vitest.config.ts") },
	{ name: "real-model", run: () => runVitest("real-model", "test/realModel/vitest.config.ts") },
	{ name: "integration", group: "integration", run: () => runIntegration() },
	{
		name: "integration-oldest",
		group: "integration",
		run: () => runIntegration({ edition: "oldest" }),
	},
	...(existsSync(join(projectRoot, "test", "webview", "playwright.config.ts"))
		? [{ name: "webview", run: () => runPlaywright("webview") }]
		: []),
	{
		name: "e2e",
		run: () => runPlaywright("e2e", made.vsix === undefined ? {} : { CUTAWAY_VSIX: made.vsix }),
	},
];

/** The stages named on the command line, in the order they run in; all when none is named. */
function chosenStages(names: readonly string[]): readonly Stage[] {
	const known = stages.map(stage => stage.name);
	const unknown = names.filter(name => !known.includes(name));
	if (unknown.length > 0) {
		throw new Error(`No stage ${unknown.join(", ")}; there are ${known.join(", ")}.`);
	}
	return names.length === 0 ? stages : stages.filter(stage => names.includes(stage.name));
}

function describeCounts({ passed, failed, skipped }: TestCounts): string {
	return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

async function runStage(stage: Stage): Promise<TestCounts> {
	try {
		return await stage.run();
	} catch (error) {
		say(error instanceof Error ? (error.stack ?? error.message) : String(error));
		return failedOnce;
	}
}

/** Stages in the order they run in; those of an inner list side by side. */
function grouped(chosen: readonly Stage[]): Stage[][] {
	const groups: Stage[][] = [];
	for (const stage of chosen) {
		const last = groups.at(-1);
		if (last && stage.group !== undefined && last[0]?.group === stage.group) {
			last.push(stage);
		} else {
			groups.push([stage]);
		}
	}
	return groups;
}

/** Runs a stage and says how it ended in one line, which it returns with the counts. */
async function runAndSay(stage: Stage): Promise<{ counts: TestCounts; line: string }> {
	const start = performance.now();
	const counts = await runStage(stage);
	const seconds = ((performance.now() - start) / 1_000).toFixed(1).padStart(6);
	const mark = counts.failed > 0 ? "✖" : "✔";
	const line = `${mark} ${stage.name.padEnd(18)} ${seconds} s  ${describeCounts(counts)}`;
	say(line);
	return { counts, line };
}

/** Runs the stages; only a failed build ends the run early, because nothing after it would mean anything. */
async function runStages(chosen: readonly Stage[]): Promise<TestCounts> {
	const total = { passed: 0, failed: 0, skipped: 0 };
	const summary: string[] = [];
	const times: TimedTest[] = [];
	const failures: FailedTest[] = [];
	for (const group of grouped(chosen)) {
		say(`\n── ${group.map(({ name }) => name).join(", ")} ──`);
		const results = await Promise.all(group.map(runAndSay));
		for (const { counts, line } of results) {
			summary.push(line);
			times.push(...(counts.times ?? []));
			failures.push(...(counts.failures ?? []));
			total.passed += counts.passed;
			total.failed += counts.failed;
			total.skipped += counts.skipped;
		}
		if (group[0]?.name === "build" && results[0]?.counts.failed) {
			summary.push("  the build failed: the stages after it did not run");
			break;
		}
	}
	if (times.length > 0) {
		say(`\n── slowest ──\n${slowestTen(times)}`);
	}
	if (failures.length > 0) {
		say(`\n── failed ──\n${failures.map(describeFailure).join("\n")}`);
	}
	say(`\n── summary ──\n${summary.join("\n")}\n`);
	return total;
}

try {
	const total = await runStages(chosenStages(process.argv.slice(2)));
	say(describeCounts(total));
	process.exitCode = total.failed > 0 ? 1 : 0;
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 2;
}
