import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
	root: join(import.meta.dirname, ".."),
	test: {
		include: ["test/unit/**/*.test.ts"],
		// Ends what hangs; a crowded machine takes ten times as long as a quiet one.
		testTimeout: 60_000,
		// Vitest leaves a processor free, which on two is half of the machine.
		maxWorkers: availableParallelism(),
	},
});
