import * as vscode from "vscode";
import { type PathTarget, resolveTarget } from "../paths/resolveTarget.ts";
import { targetUri } from "./targetUri.ts";
import { findFiles, workspacePaths } from "./workspaceFiles.ts";

/** The most files that one search examines. If there are more, a name is ambiguous. */
const maxFound = 500;

/** A path that can be searched for, without special characters of globs. */
const searchable = /^[\w@+-][\w.@+-]*(?:\/[\w.@+-]+)*\.\w{1,10}$/;

/**
 * Finds the workspace files that paths in an answer refer to. Returns their labels, and undefined for paths without a file. A path is relative to a
 * workspace folder, or else the end of exactly one file's path. Never finds files outside the workspace, including through links. Reads no files.
 */
export async function namedFiles(paths: readonly string[]): Promise<(string | undefined)[]> {
	const labels = paths.map(path => namedFile(path)?.label);
	const open = paths.filter((path, index) => labels[index] === undefined && searchable.test(path));
	if (open.length === 0) {
		return labels;
	}
	const { uris } = await findFiles(
		`**/{${open.join(",")}}`,
		maxFound,
		workspacePaths(),
		new vscode.CancellationTokenSource().token,
	);
	const found = uris.length < maxFound ? uris : [];
	return paths.map((path, index) => labels[index] ?? onlyEnding(path, open, found)?.label);
}

function onlyEnding(
	path: string,
	open: readonly string[],
	uris: readonly vscode.Uri[],
): PathTarget | undefined {
	const [only, ...others] = open.includes(path)
		? uris.filter(uri => uri.path.endsWith(`/${path}`))
		: [];
	return only && others.length === 0 ? namedFile(only.fsPath) : undefined;
}

/** Returns the workspace file at a path that starts in its folder, or with the name of one of several folders. */
function namedFile(path: string): PathTarget | undefined {
	const paths = workspacePaths();
	const written = [
		path,
		...(paths.roots.length > 1 ? paths.roots.map(({ name }) => `${name}/${path}`) : []),
	];
	const targets = written.flatMap(asked => {
		const resolution = resolveTarget(asked, paths);
		return resolution.ok && resolution.target.kind === "file" ? resolution.target : [];
	});
	return targets.length === 1 ? targets[0] : undefined;
}

/** Opens a workspace file at a line, counted from 1. Returns false if no file has that label any longer. */
export async function openNamedFile(
	label: string,
	line: number | undefined,
	endLine: number | undefined,
): Promise<boolean> {
	const target = namedFile(label);
	if (!target) {
		return false;
	}
	const first = (line ?? 1) - 1;
	const selection = new vscode.Range(first, 0, Math.max(first, (endLine ?? 1) - 1), 0);
	const options = line === undefined ? {} : { selection };
	await vscode.commands.executeCommand("vscode.open", targetUri(target), options);
	return true;
}
