import { realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import * as l10n from "@vscode/l10n";
import type { SensitiveReason } from "./sensitivePaths.ts";

/** The system whose naming rules apply. */
export type PathPlatform = "win32" | "darwin" | "linux";

export const pathPlatform: PathPlatform =
	process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux";

/** A syntactic problem of a path. docs/security.md. */
type PathFormRefusal =
	| "empty"
	| "tooLong"
	| "hiddenCharacter"
	| "networkPath"
	| "devicePath"
	| "address"
	| "homeFolder"
	| "relative"
	| "backslash"
	| "alternateStream"
	| "invalidCharacter"
	| "reservedName"
	| "trailingDot"
	| "shortName";

/** The longest path and name that any of the three systems allows, in UTF-16 code units. */
const maxPathLength = 4096;
const maxNameLength = 255;

/** https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const reservedName = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;
const shortName = /~\d/;
const drive = /^[a-z]:[\\/]/i;
const devicePath = /^[\\/]{2}[.?](?:[\\/]|$)|^[\\/]\?\?[\\/]/;
const networkPath = /^[\\/]{2}/;

/**
 * Returns the problem with a path that a model wrote, or undefined. Doesn't touch the disk: even reading a network path's size can leak a password
 * hash (GHSA-j5wm-6crw-xvmr). Only paths in `folders`, which the user has opened, may be on the network, as WSL folders are.
 */
export function writtenPathRefusal(
	path: string,
	platform: PathPlatform,
	folders: readonly string[] = [],
): PathFormRefusal | undefined {
	if (path.trim() === "") {
		return "empty";
	}
	if (path.length > maxPathLength) {
		return "tooLong";
	}
	// File systems can't store these. Other hidden characters are refused only in names that don't exist.
	if (path.includes("\0") || !path.isWellFormed()) {
		return "hiddenCharacter";
	}
	const host = hostRefusal(path);
	const isOpened = platform === "win32" && folders.some(folder => isOnShareOf(folder, path));
	if (host && !(host === "networkPath" && isOpened)) {
		return host;
	}
	if (
		/^[a-z][a-z\d+.-]+:(?:[\\/]|%)|^(?:file|data|vscode|command|untitled|javascript):/i.test(path)
	) {
		return "address";
	}
	if (/^~(?:[\\/]|$)/.test(path)) {
		return "homeFolder";
	}
	const isWindows = platform === "win32";
	if (!isWindows && path.includes("\\")) {
		return "backslash";
	}
	const names = namesBelowDrive(path, platform);
	if (names.some(name => name.length > maxNameLength)) {
		return "tooLong";
	}
	const refusal = isWindows ? windowsNamesRefusal(names) : undefined;
	return (
		refusal ?? (isWindows && names.some(name => shortName.test(name)) ? "shortName" : undefined)
	);
}

/**
 * Returns why an absolute path from the user or the system must not be accessed, or undefined. Allows every name that a file can have. Only paths in
 * `folders`, which the user has opened, may be on the network, because any access to another host's path leaks the user's password hash.
 * docs/security.md.
 */
export function absolutePathRefusal(
	path: string,
	platform: PathPlatform,
	folders: readonly string[] = [],
): PathFormRefusal | undefined {
	if (path === "") {
		return "empty";
	}
	if (path.includes("\0")) {
		return "hiddenCharacter";
	}
	if (platform !== "win32") {
		return path.startsWith("/") ? undefined : "relative";
	}
	const host = hostRefusal(path);
	const isOpened = folders.some(folder => pathInFolder(folder, path, platform) !== undefined);
	if (host && !(host === "networkPath" && isOpened)) {
		return host;
	}
	return host || drive.test(path)
		? windowsNamesRefusal(namesBelowDrive(path, platform))
		: "relative";
}

/** Whether a path refers to a device or another machine, which any access would contact. */
function hostRefusal(path: string): "devicePath" | "networkPath" | undefined {
	if (devicePath.test(path)) {
		return "devicePath";
	}
	return networkPath.test(path) ? "networkPath" : undefined;
}

/** Whether a path is on the same network share as a folder, at or below the folder. */
function isOnShareOf(folder: string, path: string): boolean {
	return networkPath.test(folder) && namesInFolder(folder, path, "win32", true) !== undefined;
}

/** Names that Windows interprets differently from how they are written. */
function windowsNamesRefusal(names: readonly string[]): PathFormRefusal | undefined {
	if (names.some(name => name.includes(":"))) {
		return "alternateStream";
	}
	if (names.some(name => /[<>"|?*]/.test(name))) {
		return "invalidCharacter";
	}
	if (names.some(name => reservedName.test(name))) {
		return "reservedName";
	}
	const isCut = names.some(name => name !== ".." && /[. ]$/.test(name));
	return isCut ? "trailingDot" : undefined;
}

/** Splits a path into names, without `.` and empty names. Keeps `..`. */
export function pathNames(path: string, platform: PathPlatform): string[] {
	return path
		.split(platform === "win32" ? /[\\/]/ : "/")
		.filter(name => name !== "" && name !== ".");
}

function namesBelowDrive(path: string, platform: PathPlatform): string[] {
	const names = pathNames(path, platform);
	return platform === "win32" && drive.test(path) ? names.slice(1) : names;
}

export function isAbsolutePath(path: string, platform: PathPlatform): boolean {
	return platform === "win32" ? /^(?:[a-z]:)?[\\/]|^[a-z]:/i.test(path) : path.startsWith("/");
}

/**
 * Returns the names between a folder and a path below it, including `..`, or undefined if the path doesn't start with the folder's names. Compares
 * whole names, so that `/work-evil` is not in `/work` (CVE-2025-53110).
 */
export function namesInFolder(
	folder: string,
	path: string,
	platform: PathPlatform,
	ignoresCase: boolean,
): string[] | undefined {
	const names = pathNames(path, platform);
	const above = pathNames(folder, platform);
	const isSame = (name: string, other = ""): boolean =>
		name === other ||
		// The upper case of `ß` is `SS`, which is a different name.
		(ignoresCase && name.length === other.length && name.toUpperCase() === other.toUpperCase());
	const isIn = above.every((name, index) => isSame(name, names[index]));
	return isIn ? names.slice(above.length) : undefined;
}

/**
 * Returns the relative path from a folder to a path in it, or undefined if the path is elsewhere; `""` for the folder itself. Both must be absolute
 * with links resolved. Ignores case only on Windows.
 */
export function pathInFolder(
	folder: string,
	path: string,
	platform: PathPlatform,
): string | undefined {
	const isPlain = ![folder, path].some(each => pathNames(each, platform).includes(".."));
	return isPlain
		? namesInFolder(folder, path, platform, platform === "win32")?.join("/")
		: undefined;
}

/** Maps a path without links back below its workspace folder as it was opened, possibly through a link. */
export function openedPath(path: string, roots: readonly string[]): string {
	for (const root of roots) {
		const real = realPath(root);
		if (real !== undefined && real !== root && path.startsWith(`${real}${sep}`)) {
			return join(root, relative(real, path));
		}
	}
	return path;
}

/** Returns a path without links, or undefined for one that leads nowhere, such as a deleted folder. */
export function realPath(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch {
		return undefined;
	}
}

/** Why a path is refused. docs/security.md. */
export type PathRefusal =
	| PathFormRefusal
	| "outside"
	| "unknownFolder"
	| "danglingLink"
	| "linkLoop"
	| "notRegular"
	| "notFolder"
	| "isFolder"
	| "missing"
	| "exists"
	| "unreadable";

const words: Readonly<Record<PathRefusal, () => string>> = {
	empty: () => l10n.t("The path is empty."),
	tooLong: () => l10n.t("The path is too long."),
	hiddenCharacter: () => l10n.t("The path contains hidden or control characters."),
	networkPath: () => l10n.t("Network and device paths are not allowed."),
	devicePath: () => l10n.t("Network and device paths are not allowed."),
	address: () => l10n.t("The path is an address. Use a path relative to the workspace."),
	homeFolder: () => l10n.t("The path must be relative to the workspace, not to the home folder."),
	relative: () => l10n.t("The path doesn't start at the root or a drive."),
	backslash: () => l10n.t("The path must be written with forward slashes."),
	alternateStream: () => l10n.t("The path contains a name that files can't have."),
	invalidCharacter: () => l10n.t("The path contains a name that files can't have."),
	reservedName: () => l10n.t("The path contains a name that files can't have."),
	trailingDot: () => l10n.t("The path contains a name that files can't have."),
	shortName: () => l10n.t("The path contains a short name. Use the full name."),
	outside: () => l10n.t("The path isn't allowed: it leads out of the workspace."),
	unknownFolder: () =>
		l10n.t("With several workspace folders, the path must begin with the name of one."),
	danglingLink: () => l10n.t("The path isn't allowed: it goes through a broken link."),
	linkLoop: () => l10n.t("The path isn't allowed: it goes through a broken link."),
	notRegular: () => l10n.t("The path isn't allowed: it isn't a regular file."),
	notFolder: () => l10n.t("A part of the path is a file, not a folder."),
	isFolder: () => l10n.t("The path is a folder; a file is needed."),
	missing: () => l10n.t("This file doesn't exist."),
	exists: () => l10n.t("This path already exists."),
	unreadable: () => l10n.t("The path couldn't be checked."),
};

/** Returns the message for the user and the model. It reveals nothing about files outside the workspace. */
export function refusalWords(refusal: PathRefusal): string {
	return words[refusal]();
}

const sensitiveWords: Readonly<Record<SensitiveReason, (label: string) => string>> = {
	runsCode: label => l10n.t("{0} can decide what runs on this machine", label),
	instructsAgents: label => l10n.t("{0} tells AI agents what to do", label),
	secret: label => l10n.t("{0} may contain secrets", label),
	shortName: label => l10n.t("{0} may be the short name of another file", label),
};

/** Returns why a file needs the user's attention. docs/security.md. */
export function sensitiveFileMessage(reason: SensitiveReason, label: string): string {
	return sensitiveWords[reason](label);
}
