import { readdirSync } from "node:fs";
import { join } from "node:path";

/** What is below a folder and is no folder, links among it; no link is followed. */
export function pathsBelow(folder: string): { readonly path: string; readonly isFile: boolean }[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
		const path = join(folder, entry.name);
		return entry.isDirectory() ? pathsBelow(path) : [{ path, isFile: entry.isFile() }];
	});
}
