import { existsSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { resolveTarget, type WorkspacePaths } from "../../paths/resolveTarget.ts";
import type { KeptChange } from "./keptChange.ts";

/** Absolute paths of the folders that a file at an absolute path still lacks, the innermost first. */
export function missingFolders(path: string): string[] {
	const missing: string[] = [];
	for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) {
		missing.push(folder);
	}
	return missing;
}

/**
 * Removes the folders that a change made for its files, once the change is undone. A folder that holds anything, has become a
 * link or is no longer in the workspace stays, and so do those around it. Never throws.
 */
export function removeMadeFolders(
	{ files }: Pick<KeptChange, "files">,
	paths: WorkspacePaths,
): void {
	for (const file of files) {
		const folders = file.type === "create" || file.type === "rename" ? file.madeFolders : [];
		folders.every(folder => isRemoved(folder, paths));
	}
}

function isRemoved(folder: string, paths: WorkspacePaths): boolean {
	const resolution = resolveTarget(folder, paths);
	if (!resolution.ok || resolution.target.path !== folder) {
		return false;
	}
	try {
		rmdirSync(folder);
		return true;
	} catch {
		// Not empty, or not allowed: the user keeps it.
		return false;
	}
}
