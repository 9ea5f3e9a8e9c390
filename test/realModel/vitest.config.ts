import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
	root: join(import.meta.dirname, "..", ".."),
	test: {
		include: ["test/realModel/**/*.test.ts"],
		// Fetching llama.cpp takes its time on a slow line.
		hookTimeout: 600_000,
		testTimeout: 120_000,
	},
});
