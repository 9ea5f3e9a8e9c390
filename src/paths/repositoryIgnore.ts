import { lstatSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, isAbsolute } from "node:path";
import { createIgnoreMatcher, type IgnoreFile } from "./gitIgnore.ts";
import { absolutePathRefusal, pathNames, pathPlatform, realPath } from "./pathForm.ts";
import { homedir } from "node:os";

/** Ignore patterns of a repository that apply to a folder in it, without those of the folder itself. */
interface RepositoryIgnore {
	/** Path from the repository's folder to the folder, with `/`; empty if they are the same. */
	readonly below: string;
	/** Patterns of `info/exclude` and of the parent folders, from the repository's folder downwards. */
	readonly files: readonly IgnoreFile[];
}

/**
 * Reads the patterns that Git applies to a folder from outside it: `.gitignore` files of the repository's folders above it, and `info/exclude`, also
 * if `.git` is the file of a worktree or a submodule. If the folder itself is ignored, no pattern above it applies, because the user opened it
 * anyway. Runs no process. Ignores symbolic links to pattern files, as Git does.
 */
export function readRepositoryIgnore(folder: string): RepositoryIgnore {
	const none = { below: "", files: [] };
	const real = realPath(folder);
	const root = real === undefined ? undefined : repositoryOf(real);
	if (real === undefined || root === undefined) {
		return none;
	}
	const names = pathNames(relative(root, real), pathPlatform);
	const above = names.map((_, count) => names.slice(0, count));
	const files = [
		{ folder: "", text: smallText(join(gitFolderOf(root), "info", "exclude"), false) },
		...above.map(way => ({
			folder: way.join("/"),
			text: smallText(join(root, ...way, ".gitignore"), false),
		})),
	];
	const below = names.join("/");
	return below !== "" && createIgnoreMatcher(files)(below, true) ? none : { below, files };
}

/** Finds the nearest folder with a `.git`, starting at a folder without links. */
function repositoryOf(folder: string): string | undefined {
	for (let at = folder; ; at = dirname(at)) {
		if (lstatSync(join(at, ".git"), { throwIfNoEntry: false })) {
			return at;
		}
		if (dirname(at) === at) {
			return undefined;
		}
	}
}

/** Returns the folder that contains `info`. A `.git` file names it; worktrees share that of their repository. */
function gitFolderOf(root: string): string {
	const git = join(root, ".git");
	const [, named] = /^gitdir: (.+?)\s*$/.exec(smallText(git, false)) ?? [];
	if (named === undefined) {
		return git;
	}
	const own = resolve(root, named);
	// The file must not lead to another machine, which would receive the user's password hash.
	const isNear = (path: string): boolean =>
		absolutePathRefusal(path, pathPlatform, [root]) === undefined;
	const common = isNear(own) ? smallText(join(own, "commondir"), false).trim() : "";
	const shared = resolve(own, common);
	return isNear(own) && isNear(shared) ? shared : git;
}

interface GitHome {
	/** Absolute. */
	readonly home: string;
	readonly configHome: string | undefined;
}

/** Returns those of the current user. */
export function ownGitHome(): GitHome {
	return { home: homedir(), configHome: process.env["XDG_CONFIG_HOME"] };
}

/** The deepest nesting of included settings, as in Git. */
const maxIncludes = 10;

/**
 * Returns the patterns of the user's global ignore file: that of `core.excludesFile` in their Git settings and the files these include, or else
 * `git/ignore` in their config folder. Returns an empty text without either. Ignores a workspace's Git settings and conditional includes, and runs no
 * process. https://git-scm.com/docs/gitignore, https://git-scm.com/docs/git-config
 */
export function globalIgnoreText({ home, configHome }: GitHome): string {
	const folder = configHome || join(home, ".config");
	// Later settings override earlier ones, as in Git.
	const [last] = [join(home, ".gitconfig"), join(folder, "git", "config")].flatMap(
		path => excludesFileIn(path, home, maxIncludes) ?? [],
	);
	const path = last ?? join(folder, "git", "ignore");
	return isAbsolute(path) ? smallText(path) : "";
}

function excludesFileIn(path: string, home: string, includes: number): string | undefined {
	let section = "";
	let found: string | undefined;
	for (const line of smallText(path).split(/\r?\n/)) {
		section = /^\s*\[([^\]]*)\]/.exec(line)?.[1]?.trim().toLowerCase() ?? section;
		const [, name = "", quoted, bare = ""] =
			/(?:^|\])\s*(excludesfile|path)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^#;]*))/i.exec(line) ?? [];
		const value = (quoted ?? bare.trim()).replaceAll(/\\(.)/g, "$1").replace(/^~(?=[\\/])/, home);
		const key = `${section}.${name.toLowerCase()}`;
		if (key === "core.excludesfile") {
			found = value;
		} else if (key === "include.path" && includes > 0) {
			found = excludesFileIn(resolve(dirname(path), value), home, includes - 1) ?? found;
		}
	}
	return found;
}

const maxBytes = 1024 * 1024;

/** Returns the text of a small regular UTF-8 file, or an empty text. With `ofLink`, follows symbolic links. */
function smallText(path: string, ofLink = true): string {
	try {
		const stats = ofLink ? statSync(path) : lstatSync(path);
		return stats.isFile() && stats.size <= maxBytes ? readFileSync(path, "utf8") : "";
	} catch {
		// Most users have no such file.
		return "";
	}
}
