import * as vscode from "vscode";
import type { ResolveOptions } from "../tools/resolveTarget.ts";
import { readIgnoredFiles } from "./ignoredFiles.ts";
import { excludedPatterns } from "./workspaceFiles.ts";

/** Folders no search looks into, whatever the settings say. */
const always = ["**/.git", "**/node_modules"];

/**
 * Absolute paths of files that match a glob, without what `files.exclude` and `search.exclude` leave out and what Git ignores;
 * at most `limit`.
 */
export async function listFiles(
	glob: string,
	limit: number,
	signal: AbortSignal,
	paths: ResolveOptions,
): Promise<readonly string[]> {
	const source = new vscode.CancellationTokenSource();
	const onAbort = (): void => source.cancel();
	signal.addEventListener("abort", onAbort, { once: true });
	try {
		const globs = excludedGlobs();
		const ignored = await readIgnoredFiles(anyOf(globs), paths, source.token);
		const exclude = anyOf([...globs, ...ignored.folderGlobs]);
		// Some of what is found is left out afterwards, so that more is asked for than is wanted.
		const uris = await vscode.workspace.findFiles(glob, exclude, limit * 2, source.token);
		return uris
			.filter(uri => uri.scheme === "file" && !ignored.isIgnored(uri))
			.slice(0, limit)
			.map(({ fsPath }) => fsPath);
	} finally {
		signal.removeEventListener("abort", onAbort);
		source.dispose();
	}
}

/** The globs a person excluded from files and from searches. */
export function excludedGlobs(): string[] {
	return [...new Set([...always, ...excludedPatterns()])];
}

function anyOf(globs: readonly string[]): string {
	return `{${globs.join(",")}}`;
}
