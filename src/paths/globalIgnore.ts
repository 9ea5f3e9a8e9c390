import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The largest file of settings or patterns that is read, in bytes. */
const maxBytes = 1024 * 1024;

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

/**
 * The patterns a user has Git ignore everywhere: those of `core.excludesFile` in their own settings, else of `git/ignore` in
 * their folder of settings; empty without either. A workspace's Git settings have no say. No process is run, and files
 * that settings include are not read. https://git-scm.com/docs/gitignore, https://git-scm.com/docs/git-config
 */
export function globalIgnoreText({ home, configHome }: GitHome): string {
	const folder = configHome || join(home, ".config");
	// What comes later wins, as in Git.
	const settings = [join(folder, "git", "config"), join(home, ".gitconfig")].map(textOf).join("\n");
	const named = excludesFileIn(settings);
	const path = named?.replace(/^~(?=[\\/])/, home) ?? join(folder, "git", "ignore");
	return isAbsolute(path) ? textOf(path) : "";
}

function excludesFileIn(settings: string): string | undefined {
	let isCore = false;
	let found: string | undefined;
	for (const line of settings.split(/\r?\n/)) {
		const [, section] = /^\s*\[([^\]]*)\]/.exec(line) ?? [];
		isCore = section === undefined ? isCore : section.trim().toLowerCase() === "core";
		const [, quoted, bare] =
			/(?:^|\])\s*excludesfile\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^#;]*))/i.exec(line) ?? [];
		if (isCore && (quoted ?? bare) !== undefined) {
			found = quoted?.replaceAll(/\\(.)/g, "$1") ?? bare?.trim();
		}
	}
	return found;
}

function textOf(path: string): string {
	try {
		const stats = statSync(path);
		return stats.isFile() && stats.size <= maxBytes ? readFileSync(path, "utf8") : "";
	} catch {
		// Most people have no such file.
		return "";
	}
}
