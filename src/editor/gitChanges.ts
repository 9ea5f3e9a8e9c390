import * as vscode from "vscode";
import type { FileDiff } from "../tools/tool/editorActions.ts";
import { ToolFailure } from "../tools/tool/toolFailure.ts";
import { type DiffSource, readFileDiff, readGitDiff } from "../tools/catalog/gitDiff.ts";
import { decodeText } from "./textEncoding.ts";

/** The part of the Git extension's API, version 1, that is used. */
interface GitApi {
	/** The program the user chose. */
	readonly git: { readonly path: string };
	readonly repositories: readonly GitRepository[];
	/** The repository a file is in; none for a file outside of them. */
	getRepository(uri: vscode.Uri): GitRepository | null;
}

interface GitRepository {
	readonly rootUri: vscode.Uri;
	/** The box for the message of the next commit. */
	readonly inputBox: { value: string };
}

/** A repository on this machine that the Git extension has open. */
export interface OpenRepository extends GitRepository {
	readonly source: DiffSource;
}

/** Lists the repositories that are open. Throws `ToolFailure` without the Git extension or Git. */
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

/** Lists the changes since the last commit, staged or not, file by file. Throws `ToolFailure` without the Git extension or Git. */
export async function gitDiff(isStaged: boolean): Promise<readonly FileDiff[]> {
	const repositories = await openRepositories();
	if (repositories.length === 0) {
		throw new ToolFailure("The editor's Git extension has no repository open.");
	}
	const diffs = await Promise.all(repositories.map(({ source }) => readGitDiff(source, isStaged)));
	return diffs.flat();
}

/** Returns the changes of a file since the last commit, empty when nothing did; undefined for a file in no repository. Throws as `gitDiff`. */
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

/** The extension hands out nothing where Git is missing or switched off. */
function apiOf(exports: { getAPI(version: 1): GitApi }): GitApi {
	try {
		return exports.getAPI(1);
	} catch {
		throw new ToolFailure("Git is not there, or is switched off in the editor.");
	}
}
