import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { createIgnoreMatcher, type IgnoreFile } from "./gitIgnore.ts";
import { absolutePathRefusal, pathNames, pathPlatform } from "./pathForm.ts";
import { smallText } from "./globalIgnore.ts";

/** Ignore patterns of a repository that apply to a folder in it, without those of the folder itself. */
export interface RepositoryIgnore {
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

function realPath(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch {
		// A deleted folder has no patterns.
		return undefined;
	}
}
