import * as vscode from "vscode";
import { ToolFailure } from "../common/errors.ts";
import type { FileDiff } from "../tools/tool/editorActions.ts";
import { type DiffSource, readFileDiff, readGitDiff } from "../tools/tool/gitDiff.ts";
import { decodeText } from "./documents.ts";

/** The used part of the Git extension's API, version 1. */
interface GitApi {
	readonly git: { readonly path: string };
	readonly repositories: readonly GitRepository[];
	/** Returns null for a file outside of the repositories. */
	getRepository(uri: vscode.Uri): GitRepository | null;
}

interface GitRepository {
	readonly rootUri: vscode.Uri;
	readonly inputBox: { value: string };
}

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
export async function gitDiff(isStaged: boolean): Promise<readonly FileDiff[]> {
	const repositories = await openRepositories();
	if (repositories.length === 0) {
		throw new ToolFailure("The editor's Git extension has no repository open.");
	}
	const diffs = await Promise.all(repositories.map(({ source }) => readGitDiff(source, isStaged)));
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

async function gitApi(): Promise<GitApi> {
	const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>("vscode.git");
	if (!extension) {
		throw new ToolFailure("The editor's Git extension is not there.");
	}
	return apiOf(await extension.activate());
}

/** The extension's `getAPI` throws if Git is missing or disabled. */
function apiOf(exports: { getAPI(version: 1): GitApi }): GitApi {
	try {
		return exports.getAPI(1);
	} catch {
		throw new ToolFailure("Git is not there, or is switched off in the editor.");
	}
}
