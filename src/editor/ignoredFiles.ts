import * as vscode from "vscode";
import {
	createIgnoreMatcher,
	type IgnoreFile,
	plainFolderGlobs,
	globalIgnoreText,
	ownGitHome,
	type WorkspacePaths,
	resolveTarget,
} from "../paths/index.ts";
import { readTarget, ToolFailure } from "../tools/tool/index.ts";

/** The most files of patterns that are read. */
const maxIgnoreFiles = 500;

/** Files that Git ignores in the workspace folders of this machine. */
export interface IgnoredFiles {
	/** Globs that keep a search of a workspace folder out of folders nothing of which could be found. */
	plainGlobs(folder: vscode.WorkspaceFolder): readonly string[];
	isIgnored(uri: vscode.Uri, isFolder?: boolean): boolean;
}

/**
 * Reads the patterns of `.gitignore` files and of `.git/info/exclude` inside the workspace, and those the user's own Git
 * settings name: no process is run, so that a workspace's Git settings run none either, and it works without Git. Links in
 * the workspace are not followed, as Git does.
 */
export async function readIgnoredFiles(
	exclude: string,
	paths: WorkspacePaths,
	token: vscode.CancellationToken,
): Promise<IgnoredFiles> {
	const found = await vscode.workspace.findFiles("**/.gitignore", exclude, maxIgnoreFiles, token);
	const folders = vscode.workspace.workspaceFolders ?? [];
	const everywhere: IgnoreFile = {
		folder: "",
		text: globalIgnoreText(ownGitHome()),
	};
	const files = folders.map(folder => ({
		folder,
		// What a user ignores everywhere is overruled by every file of patterns in the workspace, so it comes first.
		patterns: [everywhere, ...patternsOf(folder, found, paths)],
	}));
	const foldsCase = paths.platform !== "linux";
	const matchers = new Map(
		files.map(({ folder, patterns }) => [
			folder.uri.toString(),
			createIgnoreMatcher(patterns, foldsCase),
		]),
	);
	return {
		plainGlobs: wanted =>
			plainFolderGlobs(files.find(({ folder }) => folder === wanted)?.patterns ?? []),
		isIgnored: (uri, isFolder) => {
			const folder = vscode.workspace.getWorkspaceFolder(uri);
			const isIgnored = matchers.get(folder?.uri.toString() ?? "");
			return (folder && isIgnored?.(pathBelow(folder, uri), isFolder)) ?? false;
		},
	};
}

function patternsOf(
	folder: vscode.WorkspaceFolder,
	found: readonly vscode.Uri[],
	paths: WorkspacePaths,
): IgnoreFile[] {
	const own = found.filter(uri => vscode.workspace.getWorkspaceFolder(uri) === folder);
	const exclude = vscode.Uri.joinPath(folder.uri, ".git", "info", "exclude");
	// What `.git/info/exclude` says is overruled by every `.gitignore`, so it comes first.
	return [
		{ folder: "", text: textOf(exclude, paths) },
		...own.map(uri => ({
			folder: pathBelow(folder, uri).split("/").slice(0, -1).join("/"),
			text: textOf(uri, paths),
		})),
	];
}

function textOf({ fsPath }: vscode.Uri, paths: WorkspacePaths): string {
	const resolution = resolveTarget(fsPath, paths);
	if (!resolution.ok || resolution.target.kind !== "file" || resolution.target.isLinked) {
		return "";
	}
	try {
		return new TextDecoder().decode(readTarget(resolution.target));
	} catch (error) {
		if (error instanceof ToolFailure) {
			return "";
		}
		throw error;
	}
}

function pathBelow(folder: vscode.WorkspaceFolder, uri: vscode.Uri): string {
	return uri.path.slice(folder.uri.path.replace(/\/$/, "").length + 1);
}
