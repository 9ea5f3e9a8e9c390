import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { type GitFolder, GitFailure, runGit } from "./gitProcess.ts";

/** Returns those of the paths below a folder that Git ignores; none if it ignores the folder. Throws `GitFailure` if Git takes too long. */
export async function ignoredByGit(
	folder: GitFolder,
	paths: readonly string[],
): Promise<ReadonlySet<string>> {
	// Without the index, which is slow to search, Git also names tracked files.
	const check = ["check-ignore", "--no-index", "-z", "--stdin"];
	// The folder itself comes first. What begins with `./` has no special characters.
	const found = await namesFrom(folder, check, ["", ...paths].map(path => `./${path}\0`).join(""));
	if (found.size === 0 || found.has("./")) {
		return new Set();
	}
	const tracked = await namesFrom(folder, [
		"ls-files",
		"-z",
		"--cached",
		"--ignored",
		"--exclude-standard",
	]);
	return new Set(paths.filter(path => found.has(`./${path}`) && !tracked.has(path)));
}

/** Git ends with a failure if nothing is ignored, outside a repository, and if the repository isn't the user's. */
async function namesFrom(
	folder: GitFolder,
	what: readonly string[],
	input?: string,
): Promise<ReadonlySet<string>> {
	try {
		return new Set((await runGit(folder, what, input)).toString("utf8").split("\0"));
	} catch (error) {
		if (error instanceof GitFailure && error.reason === "exit") {
			return new Set();
		}
		throw error;
	}
}

/** Whether Git ignores a path below a folder. */
interface IgnoreQuestion {
	readonly root: string;
	readonly path: string;
}

/** Repositories around a folder, outermost first, and the link in its path, if there is one. Paths are relative to the workspace folder. */
interface Surroundings {
	readonly repositories: readonly string[];
	readonly link?: string;
}

/**
 * Returns a function that finds the questions of a path: about the path, or the link in it, to its own repository, and about each repository around
 * it to the next. Git answers for nothing behind a link. Looks at each folder once.
 */
export function createQuestions(
	folder: string,
): (path: string) => Promise<readonly IgnoreQuestion[]> {
	const known = new Map<string, Promise<Surroundings>>([
		["", Promise.resolve({ repositories: [] })],
	]);
	const around = (path: string): Promise<Surroundings> => {
		const found = known.get(path) ?? look(path);
		known.set(path, found);
		return found;
	};
	const look = async (path: string): Promise<Surroundings> => {
		const above = await around(parentOf(path));
		if (above.link !== undefined) {
			return above;
		}
		const { repositories } = above;
		const at = join(folder, path);
		const [stats, git] = await Promise.all(
			[lstat(at), lstat(join(at, ".git"))].map(known => known.catch(() => undefined)),
		);
		if (stats?.isSymbolicLink()) {
			return { repositories, link: path };
		}
		return git ? { repositories: [...repositories, path] } : above;
	};
	return async path => {
		const { repositories, link } = await around(parentOf(path));
		return ["", ...repositories].map((root, index) => ({
			root: join(folder, root),
			path: (repositories[index] ?? link ?? path).slice(root === "" ? 0 : root.length + 1),
		}));
	};
}

/** Returns the folder of a path with `/`; empty at the top. */
export function parentOf(path: string): string {
	return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
