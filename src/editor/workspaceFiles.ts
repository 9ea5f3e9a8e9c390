import * as vscode from "vscode";
import { distinctRoots, resolveTarget, type WorkspacePaths } from "../paths/resolveTarget.ts";
import { pathPlatform } from "../paths/pathForm.ts";
import { type IgnoredFiles, readIgnoredFiles } from "./ignoredFiles.ts";
import { targetUri } from "./targetUri.ts";

/** A file of the workspace. */
export interface WorkspaceFile {
	readonly uri: vscode.Uri;
	/** Path from its workspace folder, with the folder's name before it where there are several. */
	readonly path: string;
}

/** The most files that are listed; a workspace with more is searched in part. */
const maxListedFiles = 20_000;

/** Folders no search looks into, whatever the settings say. */
const always = ["**/.git", "**/node_modules"];

/** Files of the workspace, and which of them Git ignores. */
export interface WorkspaceFiles {
	readonly files: readonly WorkspaceFile[];
	/** Asked only of what is to be shown: to ask of every file of a large workspace takes half a second. */
	readonly isIgnored: IgnoredFiles["isIgnored"];
}

/** The files of the workspace, without those that the settings `files.exclude` and `search.exclude` leave out. */
export async function listWorkspaceFiles(token: vscode.CancellationToken): Promise<WorkspaceFiles> {
	const { uris, isIgnored } = await findFiles("**/*", maxListedFiles, workspacePaths(), token);
	const files = uris.map(uri => ({ uri, path: labelInWorkspace(uri) }));
	return { files, isIgnored };
}

/**
 * At most `limit` files that match a glob below an absolute folder, or in all, without what the settings `files.exclude` and
 * `search.exclude` leave out and, as far as that is cheap, what Git ignores; `isIgnored` tells the rest.
 */
export async function findFiles(
	glob: string,
	limit: number,
	paths: WorkspacePaths,
	token: vscode.CancellationToken,
	below?: string,
): Promise<{
	readonly uris: readonly vscode.Uri[];
	readonly isIgnored: IgnoredFiles["isIgnored"];
}> {
	const { plainGlobs, isIgnored } = await readIgnoredFiles(anyOf(excludedGlobs()), paths, token);
	if (below !== undefined) {
		const uri = targetUri({ path: below });
		// Other globs of settings begin at the workspace folder; what they leave out is asked about when it is told.
		const exclude = anyOf(excludedGlobs(uri).filter(each => each.startsWith("**/")));
		const pattern = new vscode.RelativePattern(uri, glob);
		return { uris: await vscode.workspace.findFiles(pattern, exclude, limit, token), isIgnored };
	}
	const folders = vscode.workspace.workspaceFolders ?? [];
	const here = folders.filter(({ uri }) => uri.scheme === "file");
	const found = await Promise.all(
		here.map(folder => {
			// Files that `files.exclude` names are left out by VS Code itself only while no pattern is given.
			const exclude = anyOf([...excludedGlobs(folder.uri), ...plainGlobs(folder)]);
			const pattern = new vscode.RelativePattern(folder, glob);
			return vscode.workspace.findFiles(pattern, exclude, limit, token);
		}),
	);
	if (here.length < folders.length) {
		// A search of one folder that no extension searches never ends; one of all folders passes over it.
		const all = await vscode.workspace.findFiles(glob, anyOf(excludedGlobs()), limit, token);
		found.push(all.filter(({ scheme }) => scheme !== "file"));
	}
	return { uris: found.flat().slice(0, limit), isIgnored };
}

/** Files that a glob means. */
export type WrittenGlob =
	/** The glob is the path of one file. */
	| { readonly type: "file"; readonly path: string }
	/** `glob` holds below an absolute folder, or in every workspace folder where there is none. */
	| { readonly type: "below"; readonly folder: string | undefined; readonly glob: string };

/**
 * Understands a glob as a model writes it. As far as its beginning is the path of what is there, it is no pattern: folders are
 * called `[id]`, and a path of a folder means all that is in it. A pattern without a slash means files of any folder.
 */
export function understandGlob(written: string, paths: WorkspacePaths): WrittenGlob {
	const names = written.split("/").filter(name => name !== "" && name !== ".");
	for (let count = names.length; count > 0; count -= 1) {
		const start = names.slice(0, count).join("/");
		const resolution = resolveTarget(start, paths);
		if (!resolution.ok || resolution.target.kind === "missing") {
			continue;
		}
		const { kind, path } = resolution.target;
		const rest = names.slice(count).join("/");
		if (kind === "folder") {
			return { type: "below", folder: path, glob: bothForms(rest === "" ? "**/*" : rest) };
		}
		if (rest === "") {
			return { type: "file", path };
		}
	}
	const glob = names.length === 0 ? "**/*" : names.join("/");
	const isName = names.length === 1 && !glob.startsWith("**");
	return { type: "below", folder: undefined, glob: bothForms(isName ? `**/${glob}` : glob) };
}

/** Names may be composed or not, which looks the same; a pattern means both. */
function bothForms(glob: string): string {
	const forms = [...new Set([glob, glob.normalize("NFC"), glob.normalize("NFD")])];
	return forms.length === 1 ? glob : `{${forms.join(",")}}`;
}

/** Globs as one. */
export function anyOf(globs: readonly string[]): string {
	return `{${globs.join(",")}}`;
}

type Patterns = Readonly<Record<string, unknown>>;

/**
 * Globs that the user or the workspace excludes from files or from searches, and those no search looks into; with those of
 * a workspace folder when one is given. A workspace can add to what the user excludes, never take from it.
 */
export function excludedGlobs(folder?: vscode.Uri): readonly string[] {
	const excluded = ["files", "search"].flatMap(section => {
		const configuration = vscode.workspace.getConfiguration(section, folder);
		const { defaultValue, globalValue } = configuration.inspect<Patterns>("exclude") ?? {};
		const ofUser = { ...defaultValue, ...globalValue };
		return [...globsOf(ofUser), ...globsOf(configuration.get<Patterns>("exclude", {}))];
	});
	return [...new Set([...always, ...excluded])];
}

function globsOf(patterns: Patterns): string[] {
	return Object.entries(patterns)
		.filter(([, isOn]) => isOn === true)
		.map(([pattern]) => pattern);
}

/** The workspace folders on this machine. */
export function workspacePaths(): WorkspacePaths {
	const roots = distinctRoots(
		(vscode.workspace.workspaceFolders ?? [])
			.filter(({ uri }) => uri.scheme === "file")
			.map(({ name, uri }) => ({ name, path: uri.fsPath })),
	);
	return { roots, platform: pathPlatform };
}

/** A path from its workspace folder on, which is named where there are several, as tools name files; else the whole path. */
export function labelInWorkspace(uri: vscode.Uri): string {
	const { roots } = workspacePaths();
	const folder = vscode.workspace.getWorkspaceFolder(uri);
	const root = roots.find(({ path }) => path === folder?.uri.fsPath);
	return root && roots.length > 1
		? `${root.name}/${vscode.workspace.asRelativePath(uri, false)}`
		: vscode.workspace.asRelativePath(uri);
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
