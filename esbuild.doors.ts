/**
 * The part of the build that opens doors: an import of a folder's `index.ts` becomes one of the file behind it. Otherwise every
 * chunk that takes one thing of a folder would load whatever any chunk takes of it.
 */
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Plugin } from "esbuild";

const importOfDoor = /^import \{([^}]*)\} from "(\.[^"]*\/index\.ts)";/gm;
const exportOfDoor = /^export \{([^}]*)\} from "(\.[^"]+)";/gm;

const split = (names: string): string[] =>
	names.split(",").flatMap(name => (name.trim().startsWith("type ") ? [] : name.trim() || []));

/** What a door passes on as values, by name, with the absolute path of the file that has it. */
async function behind(door: string): Promise<ReadonlyMap<string, string>> {
	const text = await readFile(door, "utf8");
	return new Map(
		[...text.matchAll(exportOfDoor)].flatMap(([, names = "", file = ""]) =>
			split(names).map(name => [name, join(dirname(door), file)] as const),
		),
	);
}

/** The text with one import for each file behind a door, on as many lines as before; what a door passes on as a whole stays. */
async function openDoors(path: string): Promise<string> {
	const text = await readFile(path, "utf8");
	const folder = dirname(path);
	const doors = new Map(
		await Promise.all(
			[...text.matchAll(importOfDoor)].map(
				async ([, , door = ""]) => [door, await behind(join(folder, door))] as const,
			),
		),
	);
	return text.replaceAll(importOfDoor, (statement: string, names: string, door: string) => {
		const files = doors.get(door);
		const opened = split(names).map(name => {
			const file = files?.get(name.replace(/ as .*/, ""));
			const from = file && relative(folder, file).replaceAll("\\", "/");
			return `import { ${name} } from "${from ? (from.startsWith(".") ? from : `./${from}`) : door}";`;
		});
		return opened.join(" ") + "\n".repeat(statement.split("\n").length - 1);
	});
}

/** Makes imports through doors go to the files behind them. */
export const throughDoors: Plugin = {
	name: "through-doors",
	setup: build => {
		build.onLoad({ filter: /[\\/](?:src|media)[\\/].*\.ts$/ }, async ({ path }) => ({
			contents: await openDoors(path),
			loader: "ts",
		}));
	},
};
