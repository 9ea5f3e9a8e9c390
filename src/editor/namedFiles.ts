import * as vscode from "vscode";
import { type PathTarget, resolveTarget } from "../paths/resolveTarget.ts";
import { targetUri } from "./targetUri.ts";
import { findFiles, workspacePaths } from "./workspaceFiles.ts";

/** The most files that one search looks at; where there are more, which one a name means cannot be told. */
const maxFound = 500;

/** The end of a path that is searched for: no character means something else in a glob. */
const searchable = /^[\w@+-][\w.@+-]*(?:\/[\w.@+-]+)*\.\w{1,10}$/;

/**
 * The labels of the files of the workspace that paths of an answer mean, undefined for a path that means none. A path counts from
 * a workspace folder; one that leads nowhere from there is a file whose path ends like it, if there is exactly one. Nothing
 * outside the workspace is ever found, by a link neither; nothing is read.
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

/** The one file of the workspace that a path means, from its folder or, without that, from one of several. */
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

/** Opens a file of the workspace at a line, counted from 1; false when there is none of that label any more. */
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
