import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import type { FailedTest, TestCounts, TimedTest } from "../integration/counts.ts";
import { makeCacheFolder, projectRoot, say } from "../../scripts/project.ts";
import { type ScriptOptions, type ScriptResult, runScript } from "../../scripts/script.ts";

const binSchema = z.object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) });

/** Absolute path of the JavaScript file behind a package's command, so that no shell and no .cmd file is needed. */
async function programFile(packageName: string, command: string): Promise<string> {
	const require = createRequire(import.meta.url);
	const folder = (require.resolve.paths(packageName) ?? [])
		.map(path => join(path, packageName))
		.find(path => existsSync(join(path, "package.json")));
	if (folder === undefined) {
		throw new Error(`${packageName} is not installed; run npm ci.`);
	}
	const json: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
	const { bin } = z.parse(binSchema, json);
	const file = typeof bin === "string" ? bin : bin[command];
	if (file === undefined) {
		throw new Error(`${packageName} has no command ${command}.`);
	}
	return join(dirname(join(folder, "package.json")), file);
}

/** Runs a command of a development dependency, collecting its output. */
async function runTool(
	[packageName, command, ...args]: readonly [string, string, ...string[]],
	options: Omit<ScriptOptions, "cwd"> = {},
): Promise<ScriptResult> {
	return runScript([await programFile(packageName, command), ...args], {
		...options,
		env: { NO_COLOR: "1", ...options.env },
	});
}

/** Shows what a suite prints as it runs. */
function show(text: string): void {
	process.stdout.write(text);
}

function check({ code, output }: ScriptResult): TestCounts {
	if (code === 0) {
		return { passed: 1, failed: 0, skipped: 0 };
	}
	say(output.trimEnd());
	return { passed: 0, failed: 1, skipped: 0 };
}

/** Runs tools in turn as one check: it passes when each of them ends well, and shows what the others say. */
export async function runCheck(
	...tools: readonly (readonly [string, string, ...string[]])[]
): Promise<TestCounts> {
	const results: ScriptResult[] = [];
	for (const tool of tools) {
		results.push(await runTool(tool));
	}
	return check({
		code: results.some(result => result.code !== 0) ? 1 : 0,
		output: results
			.filter(result => result.code !== 0)
			.map(result => result.output)
			.join("\n"),
	});
}

async function readJson<Schema extends z.ZodMiniType>(
	file: string,
	schema: Schema,
): Promise<z.infer<Schema> | undefined> {
	try {
		const json: unknown = JSON.parse(await readFile(file, "utf8"));
		return z.parse(schema, json);
	} catch {
		// A runner that crashed leaves no report, which is a failure of its own below.
		return undefined;
	}
}

/** Counts, made to show a failure whenever the runner says that something failed. */
function believe(counts: TestCounts | undefined, code: number): TestCounts {
	const believed = counts ?? { passed: 0, failed: 1, skipped: 0 };
	return { ...believed, failed: code !== 0 && believed.failed === 0 ? 1 : believed.failed };
}

const vitestSchema = z.object({
	numPassedTests: z.number(),
	numFailedTests: z.number(),
	numPendingTests: z.number(),
	numTodoTests: z.number(),
	testResults: z.array(
		z.object({
			assertionResults: z.array(
				z.object({
					fullName: z.string(),
					tags: z.array(z.string()),
					duration: z.nullish(z.number()),
					failureMessages: z.nullish(z.array(z.string())),
				}),
			),
		}),
	),
});

/** The tag at the top of a file of unit tests that `npm test` leaves out. */
const thorough = "thorough";

/** Runs the tests of a Vitest configuration; `name` is that of their report. `isCore` leaves out files with the tag `thorough`. */
export async function runVitest(
	name: string,
	config: string,
	isCore: boolean,
): Promise<TestCounts> {
	const file = join(await makeCacheFolder("reports"), `${name}.json`);
	await rm(file, { force: true });
	const args = [
		"run",
		`--config=${config}`,
		"--reporter=default",
		"--reporter=json",
		...(isCore ? [`--tags-filter=!${thorough}`] : []),
	];
	const { code } = await runTool(["vitest", "vitest", ...args, `--outputFile.json=${file}`], {
		onOutput: show,
	});
	const report = await readJson(file, vitestSchema);
	const all = report?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? [];
	const tests = all.filter(({ tags }) => !(isCore && tags.includes(thorough)));
	const leftOut = all.length - tests.length;
	const counts = report && {
		passed: report.numPassedTests,
		failed: report.numFailedTests,
		skipped: report.numPendingTests + report.numTodoTests - leftOut,
		leftOut,
		times: tests.map(({ fullName, duration }) => ({ title: fullName, ms: duration ?? 0 })),
		failures: tests.flatMap(({ fullName, failureMessages }) =>
			failureMessages?.length ? [{ title: fullName, reason: failureMessages.join("\n") }] : [],
		),
	};
	return believe(counts, code);
}

const playwrightResultSchema = z.object({
	duration: z.number(),
	errors: z.array(z.object({ message: z.optional(z.string()) })),
});

const playwrightTestSchema = z.object({
	title: z.string(),
	file: z.string(),
	ok: z.boolean(),
	tests: z.array(z.object({ status: z.string(), results: z.array(playwrightResultSchema) })),
});

const playwrightSuiteSchema = z.object({
	specs: z.array(playwrightTestSchema),
	get suites() {
		return z.optional(z.array(playwrightSuiteSchema));
	},
});

const playwrightSchema = z.object({
	suites: z.array(playwrightSuiteSchema),
	stats: z.object({
		expected: z.number(),
		unexpected: z.number(),
		flaky: z.number(),
		skipped: z.number(),
	}),
});

type PlaywrightTest = z.infer<typeof playwrightTestSchema>;

/** Every test of a part of a Playwright report. */
function testsIn({ specs, suites = [] }: z.infer<typeof playwrightSuiteSchema>): PlaywrightTest[] {
	return [...specs, ...suites.flatMap(testsIn)];
}

/** How long a test took, its tries added up. */
function timeOf({ title, file, tests }: PlaywrightTest): TimedTest {
	const results = tests.flatMap(test => test.results);
	const ms = results.reduce((sum, { duration }) => sum + duration, 0);
	return { title: `${file} › ${title}`, ms };
}

/** Whether a test failed at first and passed on its second try. */
function isFlaky({ tests }: PlaywrightTest): boolean {
	return tests.some(({ status }) => status === "flaky");
}

function failureOf({ title, file, tests }: PlaywrightTest): FailedTest {
	const errors = tests.flatMap(({ results }) => results).flatMap(result => result.errors);
	const reason = errors.map(({ message = "" }) => message).join("\n");
	return { title: `${file} › ${title}`, reason };
}

/** Leaves out the tests without the tag `@core`. */
const coreReporter = join(import.meta.dirname, "coreReporter.ts");

/** How many tests a run left out, as its `coreReporter` wrote it. */
async function readLeftOut(file: string): Promise<number> {
	return existsSync(file) ? Number(await readFile(file, "utf8")) : 0;
}

/**
 * Runs the Playwright tests of a folder under `test/`, with `env` on top of this process's own. `isCore` runs those with the tag `@core`
 * alone, which the tests find in `CUTAWAY_CORE`.
 */
export async function runPlaywright(
	name: string,
	isCore: boolean,
	env: Readonly<Record<string, string>> = {},
): Promise<TestCounts> {
	const folder = await makeCacheFolder("reports");
	const file = join(folder, `${name}.json`);
	const leftOutFile = join(folder, `${name}.left-out`);
	await Promise.all([file, leftOutFile].map(report => rm(report, { force: true })));
	const config = join(projectRoot, "test", name, "playwright.config.ts");
	const reporters = ["list", "json", ...(isCore ? [coreReporter] : [])];
	const args = [`--config=${config}`, `--reporter=${reporters.join(",")}`];
	const { code } = await runTool(["@playwright/test", "playwright", "test", ...args], {
		env: {
			...env,
			...(isCore ? { CUTAWAY_CORE: "1", CUTAWAY_LEFT_OUT: leftOutFile } : {}),
			PLAYWRIGHT_JSON_OUTPUT_FILE: file,
		},
		onOutput: show,
	});
	const report = await readJson(file, playwrightSchema);
	const tests = report?.suites.flatMap(testsIn) ?? [];
	const counts = report && {
		passed: report.stats.expected + report.stats.flaky,
		failed: report.stats.unexpected,
		skipped: report.stats.skipped,
		leftOut: await readLeftOut(leftOutFile),
		times: tests.map(timeOf),
		failures: tests.filter(({ ok }) => !ok).map(failureOf),
		flaky: tests.filter(isFlaky).map(({ file, title }) => `${file} › ${title}`),
	};
	return believe(counts, code);
}
