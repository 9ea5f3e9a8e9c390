import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { browserFlags, ensureBrowser, findBrowser } from "../host/browser.ts";
import { projectRoot } from "../../scripts/project.ts";

// Workers read this file again: what the first reading found, they take from the environment.
const browser = ensureBrowser();
process.env["CUTAWAY_WHOLE_BROWSER"] ??= findBrowser(true) ?? browser;
process.env["CUTAWAY_BROWSER"] = browser;

export default defineConfig({
	testDir: ".",
	testMatch: "**/*.spec.ts",
	globalSetup: "./globalSetup.ts",
	outputDir: join(projectRoot, "test-results", "e2e"),
	// Limits for a machine that does ten things besides: they end what hangs, and say nothing of how fast anything is.
	timeout: 300_000,
	expect: { timeout: 60_000 },
	// The whole editor, server and browser of a journey can fail for reasons of the machine; a second try is reported as flaky.
	retries: 1,
	forbidOnly: Boolean(process.env["CI"]),
	workers: Number(process.env["CUTAWAY_E2E_WORKERS"] ?? 2),
	reporter: [["list"]],
	use: {
		actionTimeout: 60_000,
		navigationTimeout: 120_000,
		screenshot: "only-on-failure",
		launchOptions: { executablePath: browser, args: [...browserFlags] },
	},
});
