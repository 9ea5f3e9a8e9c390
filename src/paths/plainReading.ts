import { basename } from "node:path";
import type { PathPlatform } from "./pathForm.ts";
import { type PathTarget, resolveTarget, type WorkspacePaths } from "./resolveTarget.ts";

/**
 * Finds the file or folder that a model means by a path that leads nowhere as it is written: in quotes, as a `file:` address, with the separators of
 * another system, with a slash or the workspace's name before it, or with what mentions, diffs, containers and places in a file add. Returns undefined unless exactly one reading exists. Each reading passes the same
 * checks as any path, so nothing outside the workspace is found.
 */
export function plainReading(asked: string, paths: WorkspacePaths): PathTarget | undefined {
	const found = new Map<string, PathTarget>();
	for (const reading of readingsOf(asked, paths)) {
		const resolution = resolveTarget(reading, paths);
		if (resolution.ok && resolution.target.kind !== "missing") {
			found.set(resolution.target.path, resolution.target);
		}
	}
	const [target] = found.values();
	return found.size === 1 ? target : undefined;
}

/** Returns a new file's path without the workspace's name before it, which would make a folder of that name in the workspace. */
export function withoutWorkspaceName(asked: string, paths: WorkspacePaths): string | undefined {
	const [first = "", ...rest] = asked.split("/");
	const isThere = (path: string): boolean => {
		const resolution = resolveTarget(path, paths);
		return resolution.ok && resolution.target.kind === "folder";
	};
	const [below] = rest;
	return isWorkspaceName(first, paths) &&
		below !== undefined &&
		below !== "" &&
		!isThere(first) &&
		(rest.length === 1 || isThere(below))
		? rest.join("/")
		: undefined;
}

function isWorkspaceName(name: string, { roots }: WorkspacePaths): boolean {
	const [root, ...others] = roots;
	return (
		root !== undefined && others.length === 0 && [root.name, basename(root.path)].includes(name)
	);
}

/** What surrounds a path in a mention, a diff, a container, and before the lines of a place. */
const additions: readonly RegExp[] = [
	/^(?:@|[ab][\\/]|[\\/](?:workspace|workdir|repo|project|app)[\\/])/,
	/(?::\d+(?:[:-]\d+)?|#L\d+(?:-L?\d+)?)$/,
];

function readingsOf(asked: string, paths: WorkspacePaths): Set<string> {
	const bare = asked
		.trim()
		.replace(/^(["'`])(.*)\1$/s, "$2")
		.replace(/^<(.*)>$/s, "$1");
	const shorter = additions.reduce((path, added) => path.replace(added, ""), bare);
	return new Set([...formsOf(bare, paths), ...formsOf(shorter, paths)]);
}

function formsOf(bare: string, paths: WorkspacePaths): Set<string> {
	const written = fileAddress(bare) ?? bare;
	// Another machine or a device is never meant.
	if (/^[\\/]{2}|^[\\/]\?\?/.test(written) || written === "") {
		return new Set();
	}
	const path = paths.platform === "win32" ? written : written.replaceAll("\\", "/");
	const relative = path.replace(/^[\\/]+/, "");
	const [first = "", ...rest] = relative.split(/[\\/]/);
	const inWorkspace = isWorkspaceName(first, paths) && rest.length > 0 ? [rest.join("/")] : [];
	return new Set([path, ...driveForms(path, paths.platform), relative, ...inWorkspace]);
}

function fileAddress(text: string): string | undefined {
	const [, path] = /^file:\/\/(?:localhost)?(\/.*)$/is.exec(text) ?? [];
	try {
		return path === undefined ? undefined : decodeURIComponent(path);
	} catch {
		// It isn't encoded as an address.
		return path;
	}
}

/** The forms of a drive in other systems on Windows: `/c:/a`, `/c/a`, `/mnt/c/a`. */
function driveForms(path: string, platform: PathPlatform): string[] {
	const [, drive = "", rest = ""] = /^[\\/](?:mnt[\\/])?([a-z]):?([\\/].*)$/is.exec(path) ?? [];
	return platform === "win32" && drive !== "" ? [`${drive}:${rest}`] : [];
}
