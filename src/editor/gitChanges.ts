import * as vscode from "vscode";
import { ToolFailure } from "../common/errors.ts";
import type { FileDiff } from "../tools/contract/editorActions.ts";
import { type DiffSource, readFileDiff, readGitDiff } from "../tools/contract/gitDiff.ts";
import { decodeText } from "./documents.ts";
import { gitApi, type GitRepository } from "./gitExtension.ts";

/** A local repository that is open in the Git extension. */
export interface OpenRepository extends GitRepository {
	readonly source: DiffSource;
}

/** Lists the open repositories. Throws `ToolFailure` if the Git extension or Git is missing. */
export async function openRepositories(): Promise<OpenRepository[]> {
	const { git, repositories } = await gitApi();
	return repositories
		.filter(({ rootUri }) => rootUri.scheme === "file")
		.map(({ rootUri, inputBox }) => ({
			rootUri,
			inputBox,
			source: sourceOf(git.path, rootUri.fsPath),
		}));
}

/** Lists the staged or unstaged changes since the last commit, by file. Throws `ToolFailure` if the Git extension or Git is missing. */
export async function gitDiff(
	isStaged: boolean,
	signal: AbortSignal,
): Promise<readonly FileDiff[]> {
	const repositories = await openRepositories();
	if (repositories.length === 0) {
		throw new ToolFailure("The editor's Git extension has no repository open.");
	}
	const diffs = await Promise.all(
		repositories.map(({ source }) => readGitDiff({ ...source, signal }, isStaged)),
	);
	return diffs.flat();
}

/** Returns a file's changes since the last commit; empty if there are none, undefined if the file is in no repository. Throws like `gitDiff`. */
export async function gitFileDiff(uri: vscode.Uri): Promise<string | undefined> {
	const api = await gitApi();
	const root = uri.scheme === "file" ? api.getRepository(uri)?.rootUri : undefined;
	const source = root && sourceOf(api.git.path, root.fsPath);
	return source && ((await readFileDiff(source, uri.fsPath))?.diff ?? "");
}

function sourceOf(git: string, root: string): DiffSource {
	return { git, root, decode: decodeText };
}
