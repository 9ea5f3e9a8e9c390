/**
 * A program: `npm run test:desktop [-- --version VERSION] [-- --installed]` runs the integration suite in desktop VS
 * Code: the version that `@vscode/test-electron` downloads, or with `--installed` the one that `code` on the path
 * starts. Linux without a screen needs `xvfb-run -a` before it.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runTests } from "@vscode/test-electron";
import type { TestCounts } from "../integration/counts.ts";
import { findDesktopEditor } from "./desktopEditor.ts";
import { writeUserSettings } from "./editorSettings.ts";
import { readCounts } from "./integration.ts";
import { bundleIntegrationTests } from "./integrationBundle.ts";
import { buildExtension } from "../../scripts/build.ts";
import { makeCacheFolder, projectRoot, say } from "../../scripts/project.ts";
import { provideSampleWorkspaceFile } from "../../scripts/sample.ts";

/** The program of the installed desktop VS Code; throws when there is none or its command does not tell. */
function installedProgram(): string {
	const program = findDesktopEditor()?.program;
	if (program === undefined) {
		throw new Error("--installed found no desktop VS Code behind a `code` command on the path.");
	}
	return program;
}

async function runInDesktop(choice: {
	readonly version: string;
	readonly isInstalled: boolean;
}): Promise<TestCounts> {
	await buildExtension();
	const extensionTestsPath = await bundleIntegrationTests();
	const folder = await mkdtemp(join(await makeCacheFolder("runs"), "desktop-"));
	const resultFile = join(folder, "result.json");
	const workspace = await provideSampleWorkspaceFile(folder);
	await writeUserSettings(join(folder, "user", "User"), {});
	try {
		await runTests({
			...(choice.isInstalled
				? { vscodeExecutablePath: installedProgram() }
				: { version: choice.version }),
			extensionDevelopmentPath: projectRoot,
			extensionTestsPath,
			extensionTestsEnv: { CUTAWAY_TEST_RESULT: resultFile },
			launchArgs: [
				workspace,
				`--user-data-dir=${join(folder, "user")}`,
				`--extensions-dir=${join(folder, "extensions")}`,
				"--disable-workspace-trust",
				"--disable-gpu",
			],
		});
		return await readCounts(resultFile);
	} catch (error) {
		say(error instanceof Error ? error.message : String(error));
		const counts = await readCounts(resultFile);
		return { ...counts, failed: Math.max(1, counts.failed) };
	} finally {
		await rm(folder, { recursive: true, force: true, maxRetries: 3 });
	}
}

const { values } = parseArgs({
	options: {
		version: { type: "string", default: "stable" },
		installed: { type: "boolean", default: false },
	},
});
const counts = await runInDesktop({ version: values.version, isInstalled: values.installed });
say(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
