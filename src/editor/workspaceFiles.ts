import * as vscode from "vscode";
import { isAbortError } from "../common/errors.ts";
import {
	distinctRoots,
	resolveTarget,
	type WorkspacePaths,
	type PathTarget,
} from "../paths/resolveTarget.ts";
import { pathPlatform, openedPath } from "../paths/pathForm.ts";
import {
	createGlobExclusion,
	createGlobMatcher,
	isPlainGlob,
	isQuickGlob,
} from "../paths/globExclusion.ts";
import { ignoredPaths } from "./ignoredFiles.ts";
import { parentOf } from "../tools/contract/gitIgnore.ts";

export interface WorkspaceFile {
	readonly uri: vscode.Uri;
	/** Path relative to its workspace folder; starts with the folder's name if there are several. */
	readonly path: string;
}

/** The most files to list. A larger workspace is searched in part. */
const maxListedFiles = 20_000;

/** Folders that are always excluded from searches. */
const always = ["**/.git", "**/node_modules"];

/** Lists the files of the workspace, without those that `files.exclude`, `search.exclude` and Git exclude. */
export async function listWorkspaceFiles(
	token: vscode.CancellationToken,
): Promise<readonly WorkspaceFile[]> {
	const uris = await findFiles("**/*", maxListedFiles, token);
	return uris.map(uri => ({ uri, path: labelInWorkspace(uri) }));
}

/** The most searches for one list: if one finds too many files, the next passes over the ignored folders among them. */
const maxSearches = 3;
const maxIgnoredFolders = 200;

/**
 * Finds at most `limit` files that match a glob, in an absolute folder or everywhere, without those that `files.exclude`, `search.exclude` and Git
 * exclude. If Git takes too long, it excludes none.
 */
export async function findFiles(
	glob: string,
	limit: number,
	token: vscode.CancellationToken,
	below?: string,
	signal?: AbortSignal,
): Promise<readonly vscode.Uri[]> {
	const isQuick = isQuickGlob(glob);
	const isNamed = isQuick ? () => true : createGlobMatcher([glob]);
	const search = isQuick ? { glob, limit } : { glob: "**/*", limit: maxListedFiles };
	const bases =
		below === undefined ? localFolders().map(({ uri }) => uri) : [targetUri({ path: below })];
	const found = bases.map(async (base): Promise<readonly vscode.Uri[]> => {
		const uris = await findBelow(base, search, token, signal);
		return uris.filter(uri => isNamed(pathBelow(base, uri)));
	});
	if (below === undefined && bases.length < (vscode.workspace.workspaceFolders ?? []).length) {
		// Searching a single folder without a search provider never ends. Searching all folders skips it.
		found.push(findElsewhere(search, token));
	}
	return (await Promise.all(found)).flat().slice(0, limit);
}

interface FileSearch {
	readonly glob: string;
	readonly limit: number;
}

async function findElsewhere(
	{ glob, limit }: FileSearch,
	token: vscode.CancellationToken,
): Promise<readonly vscode.Uri[]> {
	const exclude = anyOf(excludedGlobs().filter(isPlainGlob));
	const uris = await vscode.workspace.findFiles(glob, exclude, limit, token);
	return uris.filter(({ scheme }) => scheme !== "file");
}

async function findBelow(
	base: vscode.Uri,
	{ glob, limit }: FileSearch,
	token: vscode.CancellationToken,
	signal: AbortSignal | undefined,
): Promise<readonly vscode.Uri[]> {
	const folder = vscode.workspace.getWorkspaceFolder(base)?.uri ?? base;
	const globs = excludedGlobs(folder);
	const isRoot = folder.path === base.path;
	// Other globs are relative to the workspace folder, or may be somebody else's and slow in VS Code.
	const isSearched = (each: string): boolean =>
		isPlainGlob(each) && (isRoot || each.startsWith("**/"));
	const searched = globs.filter(isSearched);
	const isExcluded = createGlobExclusion(globs.filter(each => !isSearched(each)));
	const ignoredFolders: string[] = [];
	for (let search = 1; ; search += 1) {
		const exclude = anyOf([...searched, ...ignoredFolders]);
		const pattern = new vscode.RelativePattern(base, glob);
		const uris = await vscode.workspace.findFiles(pattern, exclude, limit, token);
		const inFolder = uris
			.map(uri => ({ uri, path: pathBelow(folder, uri) }))
			.filter(({ path }) => !isExcluded(path));
		const paths = inFolder.map(({ path }) => path);
		const ignored = await ignoredIfKnown(folder, paths, signal);
		if (uris.length < limit || ignored.size === 0 || search === maxSearches) {
			return inFolder.flatMap(({ uri, path }) => (ignored.has(path) ? [] : [uri]));
		}
		const folders = await ignoredIfKnown(folder, foldersOf(ignored), signal);
		const outermost = [...folders].filter(each => !folders.has(parentOf(each)));
		const start = isRoot ? "" : `${pathBelow(folder, base)}/`;
		const below = outermost.filter(each => each.startsWith(start)).slice(0, maxIgnoredFolders);
		ignoredFolders.push(...below.map(each => each.slice(start.length)).filter(isPlainGlob));
	}
}

/** Returns the paths that Git ignores; none if Git takes too long. */
function ignoredIfKnown(
	folder: vscode.Uri,
	paths: readonly string[],
	signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
	return ignoredPaths(folder, paths, signal).catch((error: unknown) => {
		if (isAbortError(error)) {
			throw error;
		}
		return new Set();
	});
}

/** Returns the folders that contain the paths, without the workspace folder. */
function foldersOf(paths: Iterable<string>): readonly string[] {
	const folders = new Set<string>();
	for (const path of paths) {
		for (let at = parentOf(path); at !== "" && !folders.has(at); at = parentOf(at)) {
			folders.add(at);
		}
	}
	return [...folders];
}

/** Returns a file's path relative to a folder, with `/`. */
export function pathBelow(folder: vscode.Uri, { path }: vscode.Uri): string {
	return path.slice(folder.path.replace(/\/$/, "").length + 1);
}

type WrittenGlob =
	| { readonly type: "file"; readonly path: string }
	/** `glob` applies below an absolute folder, or in every workspace folder if undefined. */
	| { readonly type: "below"; readonly folder: string | undefined; readonly glob: string };

/**
 * Parses a glob written by a model. A leading part that is an existing path is literal, because folders can have names like `[id]`; a folder's path
 * matches everything in it. A pattern without a slash matches files in any folder.
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

/** Matches composed and decomposed forms of a name, which look the same. */
function bothForms(glob: string): string {
	const forms = [...new Set([glob, glob.normalize("NFC"), glob.normalize("NFD")])];
	return forms.length === 1 ? glob : `{${forms.join(",")}}`;
}

export function anyOf(globs: readonly string[]): string {
	return `{${globs.join(",")}}`;
}

type Patterns = Readonly<Record<string, unknown>>;

/**
 * Returns the globs excluded by the user or the workspace from files or searches, and those always excluded; with the settings of a workspace folder
 * if one is given. A workspace can add exclusions but not remove the user's.
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

/** The most globs of one setting. More exclude everything. */
const maxGlobs = 2000;

function globsOf(patterns: Patterns): string[] {
	const entries = Object.entries(patterns);
	return entries.length > maxGlobs
		? ["**"]
		: entries.filter(([, isOn]) => isOn === true).map(([pattern]) => pattern);
}

/** Returns the workspace folders that are in this machine's file system. */
export function localFolders(): readonly vscode.WorkspaceFolder[] {
	return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
}

/** Returns the local workspace folders, for the path rules. */
export function workspacePaths(): WorkspacePaths {
	const roots = distinctRoots(localFolders().map(({ name, uri }) => ({ name, path: uri.fsPath })));
	return { roots, platform: pathPlatform };
}

/**
 * Returns a path relative to its workspace folder, prefixed with its name if there are several, like the paths in tools. Returns the whole path of
 * other files.
 */
export function labelInWorkspace(uri: vscode.Uri): string {
	const { roots } = workspacePaths();
	const folder = vscode.workspace.getWorkspaceFolder(uri);
	const root = roots.find(({ path }) => path === folder?.uri.fsPath);
	return root && roots.length > 1
		? `${root.name}/${vscode.workspace.asRelativePath(uri, false)}`
		: vscode.workspace.asRelativePath(uri);
}

/** Returns the files in open tabs: the active one, then the others in the order of their groups. */
export function openUris(): readonly vscode.Uri[] {
	const active = vscode.window.tabGroups.activeTabGroup.activeTab;
	const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
	const uris = [active, ...tabs].map(uriOfTab).filter(uri => uri !== undefined);
	return [...new Map(uris.map(uri => [uri.toString(), uri])).values()];
}

/** Returns the URI of a tab's file or document; undefined for diffs and the like. */
export function uriOfTab(tab: vscode.Tab | undefined): vscode.Uri | undefined {
	const input = tab?.input;
	return input instanceof vscode.TabInputText ||
		input instanceof vscode.TabInputCustom ||
		input instanceof vscode.TabInputNotebook
		? input.uri
		: undefined;
}

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
	const uris = await findFiles(
		`**/{${open.join(",")}}`,
		maxFound,
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

/** Returns the URI of a workspace file by its label; undefined if no file has it. */
export function namedFileUri(label: string): vscode.Uri | undefined {
	const target = namedFile(label);
	return target && targetUri(target);
}

/** Opens a workspace file at a line, counted from 1. Returns false if no file has that label any longer. */
export async function openNamedFile(
	label: string,
	line: number | undefined,
	endLine: number | undefined,
): Promise<boolean> {
	const uri = namedFileUri(label);
	if (!uri) {
		return false;
	}
	await openAtLines(uri, line, endLine);
	return true;
}

/** Opens a file in an editor for its type, with the cursor at a line, counted from 1. */
export async function openAtLines(
	uri: vscode.Uri,
	line: number | undefined,
	endLine: number | undefined,
): Promise<void> {
	const first = (line ?? 1) - 1;
	const selection = new vscode.Range(first, 0, Math.max(first, (endLine ?? 1) - 1), 0);
	const options = line === undefined ? {} : { selection };
	await vscode.commands.executeCommand("vscode.open", uri, options);
}

/**
 * Returns a file's URI as the editor uses it. If a workspace folder was opened through a link, its documents, problems and tabs have the link's path,
 * but a target's path has no links. The editor wouldn't match the other path.
 */
export function targetUri({ path }: Pick<PathTarget, "path">): vscode.Uri {
	const roots = localFolders().map(({ uri }) => uri.fsPath);
	return vscode.Uri.file(openedPath(path, roots));
}

interface ProblemsText {
	readonly text: string;
	readonly count: number;
}

const maxProblems = 200;

const severityNames = ["error", "warning", "information", "hint"] as const;

/** Lists VS Code's problems, most severe first, one per line: file, line and column from 1, severity, message, source. */
export function problemsText(
	diagnostics: readonly [vscode.Uri, readonly vscode.Diagnostic[]][],
): ProblemsText {
	const problems = diagnostics
		.flatMap(([uri, found]) => found.map(diagnostic => ({ uri, diagnostic })))
		.sort((a, b) => a.diagnostic.severity - b.diagnostic.severity);
	const lines = problems.slice(0, maxProblems).map(({ uri, diagnostic }) => {
		const { start } = diagnostic.range;
		const place = `${labelInWorkspace(uri)}:${start.line + 1}:${start.character + 1}`;
		const source = diagnostic.source === undefined ? "" : ` (${diagnostic.source})`;
		return `${place} ${severityNames[diagnostic.severity]}: ${diagnostic.message.replaceAll(/\s+/g, " ")}${source}`;
	});
	const rest = problems.length - lines.length;
	return {
		text: [...lines, ...(rest > 0 ? [`… and ${rest} more`] : [])].join("\n"),
		count: problems.length,
	};
}
