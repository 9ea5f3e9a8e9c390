import { lstatSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** Folders of a user's Git settings. */
export interface GitHome {
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

/** The largest file to read, in bytes. */
const maxBytes = 1024 * 1024;

/** Returns the text of a small regular UTF-8 file, or an empty text. With `ofLink`, follows symbolic links. */
export function smallText(path: string, ofLink = true): string {
	try {
		const stats = ofLink ? statSync(path) : lstatSync(path);
		return stats.isFile() && stats.size <= maxBytes ? readFileSync(path, "utf8") : "";
	} catch {
		// Most users have no such file.
		return "";
	}
}
