import { matchesGlob } from "node:path";

/**
 * Whether globs of the settings `files.exclude` and `search.exclude` leave out a path, given from its workspace folder on with
 * `/`. As in VS Code, a glob that names a folder leaves out all that is in it, and a name that begins with a dot is a name like
 * any other. https://code.visualstudio.com/docs/editor/glob-patterns
 */
export function createGlobExclusion(globs: readonly string[]): (path: string) => boolean {
	const patterns = globs.map(glob => withoutDots(glob.replace(/\/$/, "")));
	const folders = new Map<string, boolean>();
	const isNamed = (path: string): boolean => patterns.some(pattern => matchesGlob(path, pattern));
	const isInExcluded = (path: string): boolean => {
		const cut = path.lastIndexOf("/");
		return cut > 0 && isFolderExcluded(path.slice(0, cut));
	};
	const isFolderExcluded = (path: string): boolean => {
		const verdict = folders.get(path) ?? (isInExcluded(path) || isNamed(path));
		folders.set(path, verdict);
		return verdict;
	};
	return path => {
		const plain = withoutDots(path);
		return isInExcluded(plain) || isNamed(plain);
	};
}

/** Node's globs pass over names that begin with a dot. A dot means nothing else in a glob, so that another character may stand for it. */
function withoutDots(text: string): string {
	return text.replaceAll(".", "\uE000");
}
