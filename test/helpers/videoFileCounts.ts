import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

/** How often files were worked on, by the name of the function; put back when the test is over. */
export function countFileWork(): Map<string, number> {
	const counts = new Map<string, number>();
	const names = ["readFile", "writeFile", "stat", "readdir", "rename", "link", "rm"] as const;
	for (const name of names) {
		replaceFileFunction(name, original => (...args) => {
			counts.set(name, (counts.get(name) ?? 0) + 1);
			return original(...args);
		});
	}
	return counts;
}

type FileFunction = (...args: unknown[]) => unknown;

/** Puts another function in the place of one of `node:fs/promises`, until the test is over. */
export function replaceFileFunction(
	name: "readFile" | "writeFile" | "stat" | "readdir" | "rename" | "link" | "rm",
	replacement: (original: FileFunction) => FileFunction,
): void {
	const original: unknown = Reflect.get(fs, name);
	const call: FileFunction = (...args) =>
		typeof original === "function" ? Reflect.apply(original, fs, args) : undefined;
	Reflect.set(fs, name, replacement(call));
	syncBuiltinESMExports();
	onTestFinished(() => {
		Reflect.set(fs, name, original);
		syncBuiltinESMExports();
	});
}
