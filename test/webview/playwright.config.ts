import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { browserFlags, ensureBrowser } from "../host/browser.ts";
import { projectRoot } from "../../scripts/project.ts";

// Workers read this file again: what the first reading found, they take from the environment.
const browser = ensureBrowser();
process.env["CUTAWAY_BROWSER"] = browser;

export default defineConfig({
	testDir: ".",
	testMatch: "**/*.spec.ts",
	outputDir: join(projectRoot, "test-results", "webview"),
	// Limits for a busy machine: they end what hangs, and say nothing of how fast anything is.
	timeout: 120_000,
	expect: { timeout: 30_000 },
	forbidOnly: Boolean(process.env["CI"]),
	workers: availableParallelism(),
	fullyParallel: true,
	reporter: [["list"]],
	use: {
		reuseContext: true,
		actionTimeout: 30_000,
		screenshot: "only-on-failure",
		viewport: { width: 420, height: 720 },
		contextOptions: { reducedMotion: "reduce" },
		launchOptions: { executablePath: browser, args: [...browserFlags] },
	},
});
