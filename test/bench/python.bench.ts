/** What the code interpreter costs: time until it can run, for an answer, for a large table; memory; what the service feels of it. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { systemClock } from "../../src/common/async.ts";
import { tableAnalysis } from "../../src/localService/demo/demoEngine.ts";
import {
	CodeInterpreter,
	type InterpreterFile,
} from "../../src/localService/python/codeInterpreter.ts";
import { buildPython } from "../helpers/pythonFiles.ts";
import { createRandom } from "../helpers/random.ts";

const signal = new AbortController().signal;
const megabyte = 2 ** 20;

/** Prints the figures. */
export async function run(): Promise<void> {
	const built = await buildPython();
	const folder = await mkdtemp(join(tmpdir(), "cutaway-bench-"));
	const interpreter = new CodeInterpreter(built.options, systemClock);
	const before = process.memoryUsage.rss();
	const file = await writeTable(folder, 5 * megabyte);
	const python = interpreter.open("bench", [file]);
	const took = async (name: string, code: string): Promise<void> => {
		const histogram = monitorEventLoopDelay({ resolution: 5 });
		histogram.enable();
		const startedAt = performance.now();
		const { status } = await python.run(code, signal);
		const ms = performance.now() - startedAt;
		histogram.disable();
		const delay = Math.max(0, histogram.percentile(99) / 1e6 - 5);
		print(
			name,
			`${ms.toFixed(0)} ms, ${status}, event loop of the service ${delay.toFixed(1)} ms p99`,
		);
	};
	await took("the first run, Python loaded for it", "1 + 1");
	print(
		"memory with Python loaded",
		`${((process.memoryUsage.rss() - before) / megabyte).toFixed(0)} MB more`,
	);
	await took("a run after that", "1 + 1");
	await took("reference: summing a million in Python", "sum(range(1_000_000))");
	await took(
		"figures of a CSV file of 5 MB",
		`path = ${JSON.stringify(file.name)}\n${tableAnalysis}`,
	);
	print(
		"memory after that",
		`${((process.memoryUsage.rss() - before) / megabyte).toFixed(0)} MB more`,
	);
	await interpreter.stop();
	await built.remove();
	await rm(folder, { recursive: true, force: true });
}

async function writeTable(folder: string, size: number): Promise<InterpreterFile> {
	const random = createRandom(1);
	const lines = ["id,amount,color,day"];
	for (let length = 0, row = 1; length < size; row += 1) {
		const amount = (random.next() * 1000).toFixed(2);
		const line = `${row},${amount},${random.pick(["red", "green", "blue"])},2026-01-${10 + random.below(20)}`;
		lines.push(line);
		length += line.length + 1;
	}
	const path = join(folder, "held");
	await writeFile(path, lines.join("\n"));
	return { id: "1", name: "table.csv", type: "text/csv", size, path };
}

function print(name: string, figures: string): void {
	process.stdout.write(`  ${name.padEnd(48)} ${figures}\n`);
}
