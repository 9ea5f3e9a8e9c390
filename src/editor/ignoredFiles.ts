import * as vscode from "vscode";
import { ToolFailure } from "../common/errors.ts";
import { createIgnoreMatcher, type IgnoreFile, plainFolderGlobs } from "../paths/gitIgnore.ts";
import { globalIgnoreText, ownGitHome, readRepositoryIgnore } from "../paths/repositoryIgnore.ts";
import { type WorkspacePaths, resolveTarget } from "../paths/resolveTarget.ts";
import { readTarget } from "../tools/tool/safeFile.ts";

const maxIgnoreFiles = 500;

/** The Git-ignored files in the local workspace folders. */
export interface IgnoredFiles {
	/** Globs of ignored folders, to exclude them from a search of a workspace folder. */
	plainGlobs(folder: vscode.WorkspaceFolder): readonly string[];
	isIgnored(uri: vscode.Uri, isFolder?: boolean): boolean;
}

/**
 * Reads the patterns of `.gitignore` files in the workspace, of their repositories, and of the user's own Git settings. Doesn't run Git, so that a
 * workspace's Git settings can't run programs. Like Git, doesn't follow links in the workspace.
 */
export async function readIgnoredFiles(
	exclude: string,
	paths: WorkspacePaths,
	token: vscode.CancellationToken,
): Promise<IgnoredFiles> {
	const found = await vscode.workspace.findFiles("**/.gitignore", exclude, maxIgnoreFiles, token);
	const folders = vscode.workspace.workspaceFolders ?? [];
	const rules = folders.map(folder => {
		const own = found.filter(uri => vscode.workspace.getWorkspaceFolder(uri) === folder);
		return { folder, ...rulesOf(folder, own, paths) };
	});
	const foldsCase = paths.platform !== "linux";
	const matchers = new Map(
		rules.map(({ folder, below, patterns }) => {
			const matches = createIgnoreMatcher(patterns, foldsCase);
			const isIgnored = (path: string, isFolder?: boolean): boolean =>
				matches(wayOf(below, path), isFolder);
			return [folder.uri.toString(), isIgnored];
		}),
	);
	return {
		plainGlobs: wanted => {
			const { patterns = [], below } = rules.find(({ folder }) => folder === wanted) ?? {};
			return plainFolderGlobs(patterns, below);
		},
		isIgnored: (uri, isFolder) => {
			const folder = vscode.workspace.getWorkspaceFolder(uri);
			const isIgnored = matchers.get(folder?.uri.toString() ?? "");
			return (folder && isIgnored?.(pathBelow(folder, uri), isFolder)) ?? false;
		},
	};
}

/** Whether Git ignores a file. Reads only the ignore files in its parent folders. */
export function isIgnoredFile(uri: vscode.Uri, paths: WorkspacePaths): boolean {
	const folder = vscode.workspace.getWorkspaceFolder(uri);
	if (!folder) {
		return false;
	}
	const names = pathBelow(folder, uri).split("/");
	const above = names.map((_, depth) =>
		vscode.Uri.joinPath(folder.uri, ...names.slice(0, depth), ".gitignore"),
	);
	const { patterns, below } = rulesOf(folder, above, paths);
	return createIgnoreMatcher(patterns, paths.platform !== "linux")(wayOf(below, names.join("/")));
}

/** Returns the patterns for a folder; `own` are the ignore files in it. */
function rulesOf(
	folder: vscode.WorkspaceFolder,
	own: readonly vscode.Uri[],
	paths: WorkspacePaths,
): { readonly below: string; readonly patterns: readonly IgnoreFile[] } {
	const everywhere = { folder: "", text: globalIgnoreText(ownGitHome()) };
	const { below, files } = repositoryOf(folder);
	// Deeper ignore files take precedence, and all of them override the user's global patterns.
	return { below, patterns: [everywhere, ...files, ...patternsOf(folder, own, below, paths)] };
}

function repositoryOf({ uri }: vscode.WorkspaceFolder): ReturnType<typeof readRepositoryIgnore> {
	return uri.scheme === "file" ? readRepositoryIgnore(uri.fsPath) : { below: "", files: [] };
}

function patternsOf(
	folder: vscode.WorkspaceFolder,
	own: readonly vscode.Uri[],
	below: string,
	paths: WorkspacePaths,
): IgnoreFile[] {
	return own.map(uri => ({
		folder: wayOf(below, pathBelow(folder, uri).split("/").slice(0, -1).join("/")),
		text: textOf(uri, paths),
	}));
}

/** Converts a path relative to the workspace folder into one relative to the repository. */
function wayOf(below: string, path: string): string {
	return [below, path].filter(part => part !== "").join("/");
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
