import { lstatSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** Where a user's own Git settings are. */
export interface GitHome {
	/** Absolute. */
	readonly home: string;
	/** `XDG_CONFIG_HOME`, where it is set. */
	readonly configHome: string | undefined;
}

/** Where those of whoever runs the editor are. */
export function ownGitHome(): GitHome {
	return { home: homedir(), configHome: process.env["XDG_CONFIG_HOME"] };
}

/** How deep settings may name further settings, as in Git. */
const maxIncludes = 10;

/**
 * The patterns a user has Git ignore everywhere: those of `core.excludesFile` in their own settings and the files these
 * include, else of `git/ignore` in their folder of settings; empty without either. A workspace's Git settings have no say.
 * No process is run, and what is included under a condition is not read. https://git-scm.com/docs/gitignore,
 * https://git-scm.com/docs/git-config
 */
export function globalIgnoreText({ home, configHome }: GitHome): string {
	const folder = configHome || join(home, ".config");
	// What comes later wins, as in Git.
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

/** The largest file of settings or patterns that is read, in bytes. */
const maxBytes = 1024 * 1024;

/** Text of a small regular file in UTF-8; empty where there is none. `ofLink`: also of one that a link leads to. */
export function smallText(path: string, ofLink = true): string {
	try {
		const stats = ofLink ? statSync(path) : lstatSync(path);
		return stats.isFile() && stats.size <= maxBytes ? readFileSync(path, "utf8") : "";
	} catch {
		// Most people have no such file.
		return "";
	}
}
