import { defineConfig } from "@playwright/test";
import journeys from "../e2e/playwright.config.ts";

/** `npm run pictures`: draws the README's pictures again, in the same editor as the journeys. */
export default defineConfig({
	...journeys,
	testDir: ".",
	testMatch: "*.spec.ts",
	globalSetup: "../e2e/globalSetup.ts",
	workers: 1,
});
