import { sep } from "node:path";
import * as vscode from "vscode";
import type { Exclusion } from "../../attachments/attachment/attachmentTray.ts";
import { createGlobExclusion } from "../../paths/gitIgnore.ts";
import { pathInFolder, pathPlatform, realPath } from "../../paths/pathForm.ts";
import { isIgnoredFile, readIgnoredFiles } from "../../editor/ignoredFiles.ts";
import { anyOf, excludedGlobs, localFolders, workspacePaths } from "../../editor/workspaceFiles.ts";

/** Whether `files.exclude` or `search.exclude` excludes a path. The path must be absolute, without links. */
export function isExcludedPath(path: string): boolean {
	const place = placeOf(path, realFolders());
	return exclusionOf(place?.uri)(shownPath(path, place));
}

/** Whether a file is excluded or ignored by Git. The path must be absolute, without links. */
export function isLeftOut(path: string): boolean {
	const place = placeOf(path, realFolders());
	const uri = place && vscode.Uri.joinPath(place.uri, place.inner);
	return isExcludedPath(path) || (uri !== undefined && isIgnoredFile(uri, workspacePaths()));
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

/** Returns the rule for files that an attached folder omits: those of `isExcludedPath`, and those ignored by Git. */
export async function readExclusion(): Promise<Exclusion> {
	const { token } = new vscode.CancellationTokenSource();
	const { isIgnored } = await readIgnoredFiles(anyOf(excludedGlobs()), workspacePaths(), token);
	const folders = realFolders();
	const rules = new Map(
		[undefined, ...folders.map(({ uri }) => uri)].map(uri => [
			uri,
			createGlobExclusion(excludedGlobs(uri)),
		]),
	);
	return (path, isFolder) => {
		const place = placeOf(path, folders);
		return (
			(rules.get(place?.uri)?.(shownPath(path, place)) ?? true) ||
			(place !== undefined && isIgnored(vscode.Uri.joinPath(place.uri, place.inner), isFolder))
		);
	};
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
