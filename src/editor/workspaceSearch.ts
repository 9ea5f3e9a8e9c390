import * as vscode from "vscode";
import type { ResolveOptions } from "../paths/index.ts";
import { findFiles } from "./workspaceFiles.ts";

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
		// Some of what is found is left out afterwards, so that more is asked for than is wanted.
		const { uris, isIgnored } = await findFiles(glob, limit * 2, paths, source.token);
		return uris
			.filter(uri => uri.scheme === "file" && !isIgnored(uri))
			.slice(0, limit)
			.map(({ fsPath }) => fsPath);
	} finally {
		signal.removeEventListener("abort", onAbort);
		source.dispose();
	}
}
