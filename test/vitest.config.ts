import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const root = join(import.meta.dirname, "..");

/** What a test file does that others in its process would meet, or that needs a process in which nothing else is open or kept. */
const isAlone = new RegExp(
	[
		String.raw`@vitest-environment`,
		String.raw`\bvi\.(?:mock|doMock|resetModules|spyOn|stubEnv|stubGlobal|useFakeTimers)\b`,
		String.raw`\b(?:process\.env\[[^\]]*\]|globalThis\.\w+) =[^=]`,
		String.raw`\b(?:process\.chdir|setGlobalDispatcher)\b`,
		String.raw`helpers/(?:videoIdle|videoService|heapCounts)\.ts`,
	].join("|"),
);

const all = "test/unit/**/*.test.ts";
const isolated = globSync(all, { cwd: root }).filter(file =>
	isAlone.test(readFileSync(join(root, file), "utf8")),
);

export default defineConfig({
	root,
	test: {
		// Vitest leaves a processor free, which on two is half of the machine.
		maxWorkers: availableParallelism(),
		projects: [
			{
				extends: true,
				test: { name: "shared", include: [all], exclude: isolated, isolate: false },
			},
			{ extends: true, test: { name: "isolated", include: isolated } },
		],
		tags: [{ name: "thorough", description: "Left out of `npm test`." }],
		// Ends what hangs; a crowded machine takes ten times as long as a quiet one.
		testTimeout: 60_000,
	},
});
