import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
	root: join(import.meta.dirname, ".."),
	test: {
		include: ["test/unit/**/*.test.ts"],
		testTimeout: 20_000,
		// Vitest leaves a processor free, which on two is half of the machine.
		maxWorkers: availableParallelism(),
	},
});
