import { realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** A path without links as it reads below the workspace folder it is in, which may itself have been opened by a link. */
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
		// A folder that is gone holds nothing.
		return undefined;
	}
}
