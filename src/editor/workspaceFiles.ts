import * as vscode from "vscode";

/** A file of the workspace. */
export interface WorkspaceFile {
	readonly uri: vscode.Uri;
	/** Path from its workspace folder, with the folder's name before it where there are several. */
	readonly path: string;
}

/** The most files that are listed; a workspace with more is searched in part. */
export const maxListedFiles = 20_000;

/** The files of the workspace, without those that the settings `files.exclude` and `search.exclude` leave out. */
export async function listWorkspaceFiles(
	token: vscode.CancellationToken,
): Promise<readonly WorkspaceFile[]> {
	// Files that `files.exclude` names are left out by VS Code itself only while no pattern is given.
	const patterns = excludedPatterns();
	const exclude = patterns.length > 0 ? `{${patterns.join(",")}}` : undefined;
	const uris = await vscode.workspace.findFiles("**/*", exclude, maxListedFiles, token);
	return uris.map(uri => ({ uri, path: vscode.workspace.asRelativePath(uri) }));
}

/** The patterns of `files.exclude` and `search.exclude` that are on. */
export function excludedPatterns(): readonly string[] {
	return ["files", "search"].flatMap(section => {
		const patterns = vscode.workspace
			.getConfiguration(section)
			.get<Readonly<Record<string, unknown>>>("exclude", {});
		return Object.entries(patterns)
			.filter(([, isOn]) => isOn === true)
			.map(([pattern]) => pattern);
	});
}

/** The files in open tabs, the active one first, then the others in the order of their groups. */
export function openFiles(): readonly vscode.Uri[] {
	const active = vscode.window.tabGroups.activeTabGroup.activeTab;
	const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
	const uris = [active, ...tabs].map(uriOfTab).filter(uri => uri !== undefined);
	return [...new Map(uris.map(uri => [uri.toString(), uri])).values()];
}

/** The file or document a tab shows; of a diff and the like there is none. */
export function uriOfTab(tab: vscode.Tab | undefined): vscode.Uri | undefined {
	const input = tab?.input;
	return input instanceof vscode.TabInputText ||
		input instanceof vscode.TabInputCustom ||
		input instanceof vscode.TabInputNotebook
		? input.uri
		: undefined;
}
