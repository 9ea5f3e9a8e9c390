/**
 * A program: `npm run test:long` runs `npm run test:all` with the loops at full length that it cuts to a tenth, then
 * takes away the guards one by one. Stages named after `--` are the only ones that run.
 */
import { join } from "node:path";
import { projectRoot } from "../../scripts/project.ts";
import { runScript } from "../../scripts/script.ts";

/** How often the loops run; what the environment says already counts more. */
const lengths = {
	CUTAWAY_FUZZ: "100000",
	CUTAWAY_INTERLEAVINGS: "60",
	CUTAWAY_KILLS: "40",
	CUTAWAY_PICTURES: "1",
	CUTAWAY_SCHEDULES: "300",
	CUTAWAY_SEEDS: "300",
	CUTAWAY_STREAMS: "200000",
	CUTAWAY_WINDOW_RUNS: "4",
};

const options = {
	env: { ...lengths, ...process.env },
	onOutput: (text: string) => void process.stdout.write(text),
};
const stages = process.argv.slice(2);
const chosen = stages.length > 0 ? stages : ["--all"];
const suite = await runScript([join(projectRoot, "test", "run.ts"), ...chosen], options);
const guards =
	stages.length > 0
		? suite
		: await runScript([join(import.meta.dirname, "takeGuards.ts")], { onOutput: options.onOutput });
process.exitCode = Math.max(suite.code, guards.code);
