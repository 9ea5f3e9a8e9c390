import { realpathSync } from "node:fs";
import { sep } from "node:path";
import * as vscode from "vscode";
import type { Exclusion } from "../../attachments/index.ts";
import { createGlobExclusion, pathInFolder, pathPlatform } from "../../paths/index.ts";
import { readIgnoredFiles, anyOf, excludedGlobs, workspacePaths } from "../../editor/index.ts";

/** Whether the settings `files.exclude` and `search.exclude` leave a path out; for absolute paths without links. */
export function isExcludedPath(path: string): boolean {
	return exclusionOf(excludedGlobs())(shownPath(path, placeOf(path, realFolders())));
}

let last: { readonly key: string; readonly isExcluded: (path: string) => boolean } | undefined;

/** A list of thousands of files asks about each: what is known of their folders is kept while the settings stay the same. */
function exclusionOf(globs: readonly string[]): (path: string) => boolean {
	const key = globs.join("\n");
	last = last?.key === key ? last : { key, isExcluded: createGlobExclusion(globs) };
	return last.isExcluded;
}

/** Rule for the files that an attached folder leaves out: what `isExcludedPath` does, and what Git ignores. */
export async function readExclusion(): Promise<Exclusion> {
	const globs = excludedGlobs();
	const { token } = new vscode.CancellationTokenSource();
	const { isIgnored } = await readIgnoredFiles(anyOf(globs), workspacePaths(), token);
	const isExcluded = createGlobExclusion(globs);
	const folders = realFolders();
	return (path, isFolder) => {
		const place = placeOf(path, folders);
		return (
			isExcluded(shownPath(path, place)) ||
			(place !== undefined && isIgnored(vscode.Uri.joinPath(place.uri, place.inner), isFolder))
		);
	};
}

interface RealFolder {
	/** As it was opened, which may be by a link. */
	readonly uri: vscode.Uri;
	/** Without links. */
	readonly path: string;
}

function realFolders(): readonly RealFolder[] {
	return (vscode.workspace.workspaceFolders ?? [])
		.filter(({ uri }) => uri.scheme === "file")
		.map(({ uri }) => ({ uri, path: realPath(uri.fsPath) }));
}

function realPath(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		// A folder that is gone holds nothing.
		return path;
	}
}

/** The workspace folder a path is in, and its way from there with `/`. */
function placeOf(
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
