import * as vscode from "vscode";
import { type FileDiff, ToolFailure } from "../tools/tool/index.ts";
import { readGitDiff } from "../tools/catalog/index.ts";

/** The part of the Git extension's API, version 1, that is used. */
interface GitApi {
	/** The program the user chose. */
	readonly git: { readonly path: string };
	readonly repositories: readonly { readonly rootUri: vscode.Uri }[];
}

/** What changed since the last commit, or is staged, file by file. Throws `ToolFailure` without the Git extension or Git. */
export async function gitDiff(isStaged: boolean): Promise<readonly FileDiff[]> {
	const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>("vscode.git");
	if (!extension) {
		throw new ToolFailure("The editor's Git extension is not there.");
	}
	const { git, repositories } = apiOf(await extension.activate());
	const diffs = await Promise.all(
		repositories
			.filter(({ rootUri }) => rootUri.scheme === "file")
			.map(({ rootUri }) => readGitDiff(git.path, rootUri.fsPath, isStaged)),
	);
	return diffs.flat();
}

/** The extension hands out nothing where Git is missing or switched off. */
function apiOf(exports: { getAPI(version: 1): GitApi }): GitApi {
	try {
		return exports.getAPI(1);
	} catch {
		throw new ToolFailure("Git is not there, or is switched off in the editor.");
	}
}
