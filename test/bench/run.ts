/**
 * A program: `npm run bench [NAME…]` prints the figures that claims about speed rest on, each beside its reference from the
 * same run. A name is a file of this folder without its ending; with none, all run.
 */
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

/** What every benchmark file exports. */
interface Benchmark {
	readonly run: () => Promise<void>;
}

const names = readdirSync(import.meta.dirname)
	.filter(file => file.endsWith(".bench.ts"))
	.map(file => basename(file, ".bench.ts"));
const asked = process.argv.slice(2);
const unknown = asked.filter(name => !names.includes(name));
if (unknown.length > 0) {
	process.stderr.write(
		`No such benchmark: ${unknown.join(", ")}. There are ${names.join(", ")}.\n`,
	);
	process.exit(2);
}
for (const name of asked.length > 0 ? asked : names) {
	process.stdout.write(`\n${name}\n`);
	const file = pathToFileURL(join(import.meta.dirname, `${name}.bench.ts`)).href;
	const benchmark = (await import(file)) as Benchmark;
	await benchmark.run();
}
