import { sep } from "node:path";
import * as vscode from "vscode";
import { createGlobExclusion } from "../../paths/globExclusion.ts";
import { pathInFolder, pathPlatform, realPath } from "../../paths/pathForm.ts";
import { ignoredPaths } from "../../editor/ignoredFiles.ts";
import { excludedGlobs, localFolders } from "../../editor/workspaceFiles.ts";

/** Whether `files.exclude` or `search.exclude` excludes a path. The path must be absolute, without links. */
export function isExcludedPath(path: string): boolean {
	const place = folderOfPath(path, realFolders());
	return exclusionOf(place?.uri)(shownPath(path, place));
}

/**
 * Returns those of the paths that the settings exclude or that Git ignores; all of them if Git takes too long. The paths must be absolute, without
 * links.
 */
export async function leftOutPaths(paths: readonly string[]): Promise<ReadonlySet<string>> {
	return pathsLeftOut(paths).catch(() => new Set(paths));
}

/** Returns the same for files that a folder brings, which the user sees: if Git takes too long, those that the settings exclude. */
export async function excludedOfFolder(paths: readonly string[]): Promise<ReadonlySet<string>> {
	return pathsLeftOut(paths).catch(() => new Set(paths.filter(isExcludedPath)));
}

async function pathsLeftOut(paths: readonly string[]): Promise<ReadonlySet<string>> {
	const folders = realFolders();
	const placed = paths.map(path => ({ path, place: folderOfPath(path, folders) }));
	const asked = [...Map.groupBy(placed, ({ place }) => place?.uri)].map(async ([uri, held]) => {
		const ignored =
			uri &&
			(await ignoredPaths(
				uri,
				held.flatMap(({ place }) => place?.inner ?? []),
			));
		return held.filter(({ place }) => place && ignored?.has(place.inner)).map(({ path }) => path);
	});
	return new Set([...paths.filter(isExcludedPath), ...(await Promise.all(asked)).flat()]);
}

const last = new Map<string, { readonly key: string; isExcluded(path: string): boolean }>();

/** Caches the result for folders until the settings change, because lists contain thousands of files. */
function exclusionOf(folder: vscode.Uri | undefined): (path: string) => boolean {
	const globs = excludedGlobs(folder);
	const [name, key] = [folder?.toString() ?? "", globs.join("\n")];
	const known = last.get(name);
	const rule = known?.key === key ? known : { key, isExcluded: createGlobExclusion(globs) };
	last.set(name, rule);
	return rule.isExcluded;
}

interface RealFolder {
	/** As opened, possibly through a link. */
	readonly uri: vscode.Uri;
	/** Without links. */
	readonly path: string;
}

function realFolders(): readonly RealFolder[] {
	return localFolders().map(({ uri }) => ({ uri, path: realPath(uri.fsPath) ?? uri.fsPath }));
}

/** Returns the workspace folder of a path, and the path relative to it, with `/`. */
function folderOfPath(
	path: string,
	folders: readonly RealFolder[],
): { readonly uri: vscode.Uri; readonly inner: string } | undefined {
	for (const folder of folders) {
		const inner = pathInFolder(folder.path, path, pathPlatform);
		if (inner !== undefined) {
			return { uri: folder.uri, inner };
		}
	}
	return undefined;
}

function shownPath(path: string, place: { readonly inner: string } | undefined): string {
	return place?.inner ?? path.split(sep).join("/").replace(/^\/+/, "");
}
