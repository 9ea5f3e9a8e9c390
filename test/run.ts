/**
 * A program: `npm test` runs what a change has to pass, of each suite its core, `npm run test:all` every stage whole, and
 * `node test/run.ts unit lint` the stages named, whole; `--core` with names runs the core of those. A check counts as one passed or
 * failed, a suite counts its tests. The last line is `N passed, N failed`, with `, N skipped` when any was; where tests were left out,
 * the line before it counts them.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runCheck, runPlaywright, runVitest } from "./host/checks.ts";
import { runIntegration } from "./host/integration.ts";
import { buildExtension } from "../scripts/build.ts";
import { platformWithLlama } from "../scripts/llamaBuild.ts";
import { packageExtension } from "../scripts/package.ts";
import { cacheFolder, projectRoot, say } from "../scripts/project.ts";
import { describeFailure, describeLeftOut, slowestTen } from "./host/runReport.ts";
import { runScript } from "../scripts/script.ts";
import type { FailedTest, TestCounts, TimedTest } from "./integration/counts.ts";

interface Stage {
	readonly name: string;
	/** Stages that follow one another in the same group run side by side: some wait for the network or an editor while others compute. */
	readonly group?: "checks" | "code";
	/** Left out of `npm test`, unless it is named. */
	readonly isExtra?: true;
	/** `isCore` asks for what `npm test` runs of the stage. */
	run(isCore: boolean): Promise<TestCounts>;
}

/** Fetches what the stages after the checks need, unless it is there; the stage that lacks something then says why. */
async function download(isCore: boolean): Promise<TestCounts> {
	const script = join(projectRoot, "test", "host", "downloads.ts");
	await runScript([script, ...(isCore ? [] : ["--all"])], {
		onOutput: text => void process.stdout.write(text),
	});
	return { passed: 0, failed: 0, skipped: 0 };
}

const passedOnce: TestCounts = { passed: 1, failed: 0, skipped: 0 };
const failedOnce: TestCounts = { passed: 0, failed: 1, skipped: 0 };

/** What the build stage made, for the stages after it. */
const made: { vsix?: string } = {};

/** Packages the production build, then leaves the development build in `dist/`, which integration tests run on. */
async function build(): Promise<TestCounts> {
	made.vsix = await packageExtension(undefined, await platformWithLlama());
	await buildExtension();
	return passedOnce;
}

/** Absolute path of a file in which a check keeps what it found, so that the next one looks at what has changed. */
function checkCache(name: string): string {
	return join(cacheFolder, "checks", name);
}

/** What checks the types of a folder's project. */
function typesOf(folder: string): [string, string, ...string[]] {
	const cache = checkCache(`${folder === "." ? "src" : folder}.tsbuildinfo`);
	return ["typescript", "tsc", "-p", folder, "--incremental", "--tsBuildInfoFile", cache];
}

const stages: readonly Stage[] = [
	{
		name: "format",
		group: "checks",
		run: () =>
			runCheck([
				"prettier",
				"prettier",
				"--check",
				".",
				"--cache",
				"--cache-strategy=content",
				`--cache-location=${checkCache("prettier")}`,
			]),
	},
	{ name: "lint", group: "checks", run: () => runCheck(["oxlint", "oxlint", "--deny-warnings"]) },
	{
		name: "types",
		group: "checks",
		run: () => runCheck(typesOf("."), typesOf("media"), typesOf("test")),
	},
	{ name: "dead-code", group: "checks", run: () => runCheck(["knip", "knip"]) },
	{ name: "downloads", group: "checks", run: download },
	{ name: "build", group: "checks", run: build },
	{
		name: "unit",
		group: "code",
		run: isCore => runVitest("unit", "test/vitest.config.ts", isCore),
	},
	{
		name: "real-model",
		group: "code",
		isExtra: true,
		run: () => runVitest("real-model", "test/realModel/vitest.config.ts", false),
	},
	{
		name: "integration",
		group: "code",
		run: isCore => runIntegration(isCore ? { grep: "@core" } : {}),
	},
	{
		name: "integration-oldest",
		group: "code",
		isExtra: true,
		run: () => runIntegration({ edition: "oldest" }),
	},
	{ name: "webview", run: isCore => runPlaywright("webview", isCore) },
	{
		name: "e2e",
		run: isCore =>
			runPlaywright("e2e", isCore, made.vsix === undefined ? {} : { CUTAWAY_VSIX: made.vsix }),
	},
];

/** The stages to run, in their order: those that are named, or those of `npm test`, or all of them. */
function chosenStages(names: readonly string[], isAll: boolean): readonly Stage[] {
	const known = stages.map(stage => stage.name);
	const unknown = names.filter(name => !known.includes(name));
	if (unknown.length > 0) {
		throw new Error(`No stage ${unknown.join(", ")}; there are ${known.join(", ")}.`);
	}
	return stages.filter(({ name, isExtra }) =>
		names.length === 0 ? isAll || isExtra !== true : names.includes(name),
	);
}

function describeCounts({ passed, failed, skipped }: TestCounts): string {
	return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

async function runStage(stage: Stage, isCore: boolean): Promise<TestCounts> {
	try {
		return await stage.run(isCore);
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
async function runAndSay(
	stage: Stage,
	isCore: boolean,
): Promise<{ counts: TestCounts; line: string }> {
	const start = performance.now();
	const counts = await runStage(stage, isCore);
	const seconds = ((performance.now() - start) / 1_000).toFixed(1).padStart(6);
	const mark = counts.failed > 0 ? "✖" : "✔";
	const flaky = counts.flaky?.length ? `, ${counts.flaky.length} of them flaky` : "";
	const line = `${mark} ${stage.name.padEnd(18)} ${seconds} s  ${describeCounts(counts)}${flaky}`;
	say(line);
	return { counts, line };
}

/** Runs the stages; only a failed build ends the run early, because nothing after it would mean anything. */
async function runStages(chosen: readonly Stage[], isCore: boolean): Promise<TestCounts> {
	const total = { passed: 0, failed: 0, skipped: 0 };
	const summary: string[] = [];
	const times: TimedTest[] = [];
	const failures: FailedTest[] = [];
	const flaky: string[] = [];
	const suites: TestCounts[] = [];
	for (const group of grouped(chosen)) {
		say(`\n── ${group.map(({ name }) => name).join(", ")} ──`);
		const results = await Promise.all(group.map(stage => runAndSay(stage, isCore)));
		for (const { counts, line } of results) {
			summary.push(line);
			times.push(...(counts.times ?? []));
			failures.push(...(counts.failures ?? []));
			flaky.push(...(counts.flaky ?? []));
			suites.push(...(counts.times ? [counts] : []));
			total.passed += counts.passed;
			total.failed += counts.failed;
			total.skipped += counts.skipped;
		}
		if (group.some(({ name }, index) => name === "build" && results[index]?.counts.failed)) {
			summary.push("  the build failed: the stages after it did not run");
			break;
		}
	}
	if (times.length > 0) {
		say(`\n── slowest ──\n${slowestTen(times)}`);
	}
	if (flaky.length > 0) {
		say(`\n── passed only on a second try ──\n${flaky.map(title => `flaky: ${title}`).join("\n")}`);
	}
	if (failures.length > 0) {
		say(`\n── failed ──\n${failures.map(describeFailure).join("\n")}`);
	}
	say(`\n── summary ──\n${summary.join("\n")}\n`);
	const leftOut = describeLeftOut(suites);
	if (leftOut !== undefined) {
		say(leftOut);
	}
	return total;
}

try {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			all: { type: "boolean", default: false },
			core: { type: "boolean", default: false },
		},
	});
	const isCore = values.core || (positionals.length === 0 && !values.all);
	const total = await runStages(chosenStages(positionals, values.all), isCore);
	say(describeCounts(total));
	process.exitCode = total.failed > 0 ? 1 : 0;
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 2;
}
