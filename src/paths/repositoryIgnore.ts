import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { createIgnoreMatcher, type IgnoreFile } from "./gitIgnore.ts";
import { absolutePathRefusal, pathNames, pathPlatform } from "./pathForm.ts";
import { smallText } from "./globalIgnore.ts";

/** Ignore patterns that a repository has for a folder in it, apart from those of the folder itself. */
export interface RepositoryIgnore {
	/** The way from the repository's folder to the one asked about, with `/`; empty for that folder itself. */
	readonly below: string;
	/** Patterns of `info/exclude` and of the folders above, from the repository's folder on. */
	readonly files: readonly IgnoreFile[];
}

/**
 * Reads the patterns that Git adds to those in a folder: of `.gitignore` files between the repository and it, and of
 * `info/exclude`, also where `.git` is the file of a worktree or a submodule. A folder that is ignored itself was opened
 * nevertheless, so that nothing above it counts. No process is run, and a link is no file of patterns, as for Git.
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

/** The nearest folder with a `.git`, from a folder without links upwards. */
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

/** The folder that holds `info` of a repository. A file `.git` names it; a worktree's shares that of its repository. */
function gitFolderOf(root: string): string {
	const git = join(root, ".git");
	const [, named] = /^gitdir: (.+?)\s*$/.exec(smallText(git, false)) ?? [];
	if (named === undefined) {
		return git;
	}
	const own = resolve(root, named);
	// A file must not lead to another machine, which would be handed the user's password hash.
	const isNear = (path: string): boolean =>
		absolutePathRefusal(path, pathPlatform, [root]) === undefined;
	const common = isNear(own) ? smallText(join(own, "commondir"), false).trim() : "";
	const shared = resolve(own, common);
	return isNear(own) && isNear(shared) ? shared : git;
}

function realPath(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch {
		// A folder that is gone holds nothing.
		return undefined;
	}
}
