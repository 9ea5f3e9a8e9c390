import { realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** Maps a path without links back below its workspace folder as it was opened, possibly through a link. */
export function openedPath(path: string, roots: readonly string[]): string {
	for (const root of roots) {
		const real = realPath(root);
		if (real !== undefined && real !== root && path.startsWith(`${real}${sep}`)) {
			return join(root, relative(real, path));
		}
	}
	return path;
}

function realPath(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch {
		// A deleted folder contains nothing.
		return undefined;
	}
}
