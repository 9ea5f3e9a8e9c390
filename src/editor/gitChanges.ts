import * as vscode from "vscode";
import type { FileDiff } from "../tools/editorActions.ts";
import { ToolFailure } from "../tools/tool.ts";

/** The part of the Git extension's API, version 1, that is used. */
interface GitApi {
	readonly repositories: readonly {
		readonly rootUri: vscode.Uri;
		diff(cached?: boolean): Promise<string>;
	}[];
}

/** What changed since the last commit, or is staged, file by file. Throws `ToolFailure` without the Git extension or Git. */
export async function gitDiff(isStaged: boolean): Promise<readonly FileDiff[]> {
	const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>("vscode.git");
	if (!extension) {
		throw new ToolFailure("The editor's Git extension is not there.");
	}
	const git = apiOf(await extension.activate());
	const diffs = await Promise.all(
		git.repositories.map(async repository =>
			splitDiff(repository.rootUri, await repository.diff(isStaged)),
		),
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

/** A unified diff taken apart by its files; the name is the one after the change. */
function splitDiff(root: vscode.Uri, text: string): FileDiff[] {
	return text
		.split(/^(?=diff --git )/m)
		.filter(diff => diff.startsWith("diff --git "))
		.map(diff => {
			const name =
				/^\+\+\+ "?b\/(.+?)"?$/m.exec(diff)?.[1] ?? /^--- "?a\/(.+?)"?$/m.exec(diff)?.[1];
			// A change without text, such as of a mode, names its file in the first line alone.
			const path = name ?? / b\/(.+)$/m.exec(diff)?.[1] ?? "";
			return { path: vscode.Uri.joinPath(root, path).fsPath, diff };
		});
}
