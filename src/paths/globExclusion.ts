import { matchesGlob } from "node:path";

/**
 * Creates a test whether the globs of `files.exclude` and `search.exclude` match a path, given relative to its workspace folder with `/`. As in VS
 * Code, a glob that names a folder also excludes its contents, and a leading dot is not special.
 * https://code.visualstudio.com/docs/editor/glob-patterns
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

/** Replaces dots by another character, because Node's globs skip names with a leading dot. Dots have no other meaning in globs. */
function withoutDots(text: string): string {
	return text.replaceAll(".", "\uE000");
}
