import { existsSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { resolveTarget, type WorkspacePaths } from "../../paths/resolveTarget.ts";
import type { KeptChange } from "./keptChange.ts";

/** Returns the absolute paths of a file's missing parent folders, innermost first. */
export function missingFolders(path: string): string[] {
	const missing: string[] = [];
	for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) {
		missing.push(folder);
	}
	return missing;
}

/**
 * Removes the folders that a change created for its files, after it was undone. Keeps folders that aren't empty, have become links or are outside the
 * workspace, and those around them. Never throws.
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
		// Not empty, or not permitted: keeps the folder.
		return false;
	}
}
