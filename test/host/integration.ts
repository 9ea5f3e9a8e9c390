/**
 * A program: `node test/host/integration.ts [--editor oldest] [--grep PATTERN]` runs the integration suite inside the
 * extension host of a real VS Code served to a headless Chromium, without a desktop and without a download site.
 */
import { type WriteStream, createWriteStream, mkdirSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import * as z from "zod/mini";
import { type TestCounts, lineMark } from "../integration/counts.ts";
import { browserFlags, ensureBrowser } from "./browser.ts";
import { type EditorEdition, ensureEditorBuild } from "./editorBuild.ts";
import {
	type EditorServer,
	remoteUri,
	startEditorServer,
	workbenchAddress,
} from "./editorServer.ts";
import { bundleIntegrationTests, bundleMcpServer } from "./integrationBundle.ts";
import { leanBuiltInExtensions } from "./leanExtensions.ts";
import { makeCacheFolder, projectRoot, say } from "../../scripts/project.ts";
import { provideSampleWorkspaceFile } from "../../scripts/sample.ts";

/** Milliseconds without a line from the editor after which the suite has stopped; one test may take two minutes of them. */
const longestSilence = 300_000;

/** An extension that brings a language model, beside Cutaway. */
const modelProvider = join(projectRoot, "test", "integration", "modelProvider");

/** Which editor runs the suite, and which of its tests. */
export interface IntegrationOptions {
	readonly edition?: EditorEdition;
	/** Regular expression over full test titles; all tests when left out. */
	readonly grep?: string;
}

const countsSchema = z.object({
	passed: z.number(),
	failed: z.number(),
	skipped: z.number(),
	leftOut: z.optional(z.number()),
	times: z.optional(z.array(z.object({ title: z.string(), ms: z.number() }))),
	failures: z.optional(z.array(z.object({ title: z.string(), reason: z.string() }))),
});

/** Reads the counts the runner left; a suite that never reported counts as one failure. */
export async function readCounts(file: string): Promise<TestCounts> {
	try {
		const json: unknown = JSON.parse(await readFile(file, "utf8"));
		const { times = [], failures = [], ...counts } = z.parse(countsSchema, json);
		return { ...counts, times, failures };
	} catch {
		return { passed: 0, failed: 1, skipped: 0 };
	}
}

/** Whether the editor came up without its folder, as a machine's first start of it now and then does. */
function hasRunNothing({ passed, failed, skipped }: TestCounts): boolean {
	return passed + failed + skipped === 0;
}

/** Shows the lines of the suite itself; everything else the editor prints goes to the log alone. */
function hear(line: string, edition: EditorEdition, log: WriteStream): void {
	if (line.startsWith(lineMark)) {
		// Both editions may run at once.
		say(`${edition} ${line.replaceAll(lineMark, "")}`);
	} else {
		log.write(`${line}\n`);
	}
}

/**
 * Opens the page that starts the tests; resolves with the exit code that the workbench reports. `onLine` gets every line
 * that the workbench and the extension host print.
 */
async function runInBrowser(
	address: string,
	server: EditorServer,
	onLine: (line: string) => void,
): Promise<number> {
	const browser = await chromium.launch({
		executablePath: ensureBrowser(),
		args: [...browserFlags],
	});
	try {
		const page = await browser.newPage({ viewport: { width: 1000, height: 600 } });
		const exit = Promise.withResolvers<number>();
		const timer = setTimeout(
			() => exit.reject(new Error(`The suite was silent for ${longestSilence / 1000} s.`)),
			longestSilence,
		);
		await page.exposeFunction("codeAutomationLog", (_type: string, args: unknown[]) => {
			timer.refresh();
			onLine(args.map(String).join(" "));
		});
		await page.exposeFunction("codeAutomationExit", (code: number) => exit.resolve(code));
		void server.ended.then(() => exit.reject(new Error("The editor server ended in mid-run.")));
		await page.goto(address);
		return await exit.promise.finally(() => clearTimeout(timer));
	} finally {
		await browser.close();
	}
}

/** Runs the suite and prints its lines; resolves with the counts, a suite without a verdict being one failure. */
export async function runIntegration(options: IntegrationOptions = {}): Promise<TestCounts> {
	const edition = options.edition ?? "current";
	const build = await ensureEditorBuild(edition);
	const testModule = await bundleIntegrationTests(edition);
	const folder = await mkdtemp(join(await makeCacheFolder("runs"), "integration-"));
	const resultFile = join(folder, "result.json");
	const workspace = await provideSampleWorkspaceFile(folder);
	mkdirSync(join(projectRoot, "test-results"), { recursive: true });
	const logName = `integration-${edition}.log`;
	const log = createWriteStream(join(projectRoot, "test-results", logName));
	const extensionsFolder = join(folder, "extensions");
	const providerFolder = join(extensionsFolder, "cutaway.cutaway-test-models-1.0.0");
	await cp(modelProvider, providerFolder, { recursive: true });
	await bundleMcpServer(providerFolder);
	const builtInExtensionsFolder = join(folder, "built-in");
	await mkdir(builtInExtensionsFolder);
	await leanBuiltInExtensions(build, builtInExtensionsFolder);
	const server = await startEditorServer({
		build,
		builtInExtensionsFolder,
		dataFolder: join(folder, "data"),
		extensionsFolder,
		isDriven: true,
		settings: {},
		env: {
			CUTAWAY_TEST_RESULT: resultFile,
			CUTAWAY_EDITOR_VERSION: build.version,
			...(options.grep === undefined ? {} : { CUTAWAY_TEST_GREP: options.grep }),
		},
	});
	try {
		const address = workbenchAddress(server, workspace, [
			["extensionDevelopmentPath", remoteUri(server, projectRoot)],
			["extensionTestsPath", remoteUri(server, testModule)],
		]);
		const runOnce = async (): Promise<TestCounts> => {
			const code = await runInBrowser(address, server, line => hear(line, edition, log));
			const counts = await readCounts(resultFile);
			return code !== 0 && counts.passed > 0 && counts.failed === 0
				? { ...counts, failed: 1 }
				: counts;
		};
		let counts = await runOnce();
		if (hasRunNothing(counts)) {
			say("The editor opened without its folder and ran no test; once more.");
			counts = await runOnce();
		}
		return hasRunNothing(counts) ? { ...counts, failed: 1 } : counts;
	} catch (error) {
		say(error instanceof Error ? error.message : String(error));
		log.write(server.output());
		say(`The editor's own words are in test-results/${logName}.`);
		return { passed: 0, failed: 1, skipped: 0 };
	} finally {
		await server.stop();
		log.end();
		await rm(folder, { recursive: true, force: true });
	}
}

if (import.meta.main) {
	const { values } = parseArgs({
		options: { editor: { type: "string", default: "current" }, grep: { type: "string" } },
	});
	const counts = await runIntegration({
		edition: values.editor === "oldest" ? "oldest" : "current",
		...(values.grep === undefined ? {} : { grep: values.grep }),
	});
	say(`${counts.passed} passed, ${counts.failed} failed`);
	process.exitCode = counts.failed > 0 ? 1 : 0;
}
