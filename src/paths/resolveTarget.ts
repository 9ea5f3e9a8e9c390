import { type BigIntStats, lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { revealInLine } from "../common/hiddenText.ts";
import {
	isAbsolutePath,
	namesInFolder,
	pathNames,
	type PathPlatform,
	writtenPathRefusal,
	type PathRefusal,
} from "./pathForm.ts";
import { sensitiveReason, type SensitiveReason } from "./sensitivePaths.ts";

export interface WorkspaceRoot {
	/** Unique name in the editor. Paths start with it if there are several folders. */
	readonly name: string;
	/** Absolute. */
	readonly path: string;
}

/** The file or folder that a model's path refers to, with links resolved. docs/security.md. */
export interface PathTarget {
	readonly asked: string;
	/** Absolute, with links resolved. */
	readonly path: string;
	/** Relative to the workspace folder, with `/`. Starts with the folder's name if there are several. */
	readonly label: string;
	readonly inside: readonly string[];
	readonly kind: "file" | "folder" | "missing";
	/** Device and inode, which identify the file under any name. For a missing file, those of its nearest existing ancestor. */
	readonly identity: string;
	/** Whether the path contained a symbolic link. */
	readonly isLinked: boolean;
	/** Whether the file has further hard links, which may be outside the workspace. */
	readonly isHardLinked: boolean;
	readonly isExecutable: boolean;
	/** In bytes; 0 unless it is a file. */
	readonly size: number;
	/** Why reading it needs the user's approval, by the path as asked or resolved. */
	readonly readReason: SensitiveReason | undefined;
	/** Why changing it needs a warning, by the path as asked or resolved. */
	readonly writeReason: SensitiveReason | undefined;
}

export type Resolution =
	| { readonly ok: true; readonly target: PathTarget }
	| { readonly ok: false; readonly refusal: PathRefusal };

export interface WorkspacePaths {
	readonly roots: readonly WorkspaceRoot[];
	readonly platform: PathPlatform;
}

/** More links than this are a loop. Same limit as Linux. */
const maxLinks = 40;

/**
 * Resolves a path name by name, as the system would, and refuses it as soon as it leaves the workspace, so that nothing outside is touched. Refuses
 * dangling links, because the first write would create a file at their destination (CVE-2026-32055). Synchronous, so that nothing runs between the
 * check and the use that follows it.
 */
export function resolveTarget(asked: string, { roots, platform }: WorkspacePaths): Resolution {
	const refusal = writtenPathRefusal(
		asked,
		platform,
		roots.map(({ path }) => path),
	);
	if (refusal) {
		return { ok: false, refusal };
	}
	try {
		const places = roots.map(root => ({ ...root, real: realpathSync(root.path) }));
		const start = startOf(asked, places, platform);
		return typeof start === "string"
			? { ok: false, refusal: start }
			: new Walk(places, platform).follow(asked, start);
	} catch {
		// Access was denied or the file system failed.
		return { ok: false, refusal: "unreadable" };
	}
}

/** Returns the folders with unique names, each a single path segment. Equal names get the parent folder's name added, or else a number. */
export function distinctRoots(roots: readonly WorkspaceRoot[]): WorkspaceRoot[] {
	const plain = roots.map(({ name }) => name);
	const marked = (names: readonly string[], markOf: (root: WorkspaceRoot, at: number) => string) =>
		roots.map((root, at) => {
			const name = names[at] ?? root.name;
			const isShared = names.indexOf(name) !== names.lastIndexOf(name);
			return isShared ? `${root.name} (${markOf(root, at)})` : name;
		});
	const named = marked(plain, ({ path }) => basename(dirname(path)));
	const names = marked(named, (_, at) => `${at + 1}`);
	return roots.map((root, at) => ({ ...root, name: names[at] ?? root.name }));
}

/** Whether two resolutions found the same file or folder. */
export function isSameTarget(before: PathTarget, after: PathTarget): boolean {
	return (
		before.path === after.path && before.kind === after.kind && before.identity === after.identity
	);
}

/** Whether two targets are one file, also under names in other letters, which Windows and macOS take for the same. */
export function isSameFile(one: PathTarget, other: PathTarget): boolean {
	const isNamedAlike = one.path.toLowerCase() === other.path.toLowerCase();
	return one.path === other.path || (isNamedAlike && one.identity === other.identity);
}

interface ResolvedRoot extends WorkspaceRoot {
	readonly real: string;
}

interface Start {
	readonly place: ResolvedRoot;
	readonly names: readonly string[];
}

function startOf(
	asked: string,
	places: readonly ResolvedRoot[],
	platform: PathPlatform,
): Start | PathRefusal {
	if (isAbsolutePath(asked, platform)) {
		return enter(asked, places, platform) ?? "outside";
	}
	const names = pathNames(asked, platform);
	const [first, ...rest] = places;
	if (!first) {
		return "outside";
	}
	if (rest.length === 0) {
		return { place: first, names };
	}
	// A folder's name in the editor may differ from that on the disk.
	const place = [
		places.filter(({ name }) => name === names[0]),
		places.filter(({ path }) => basename(path) === names[0]),
	].find(named => named.length === 1)?.[0];
	return place ? { place, names: names.slice(1) } : "unknownFolder";
}

/** Finds the workspace folder that contains an absolute path, by whole names: `/ws-evil` is not in `/ws` (CVE-2025-53110). */
function enter(
	path: string,
	places: readonly ResolvedRoot[],
	platform: PathPlatform,
): Start | undefined {
	for (const place of places) {
		for (const base of [place.path, place.real]) {
			const names = namesInFolder(base, path, platform, platform !== "linux");
			if (names) {
				return { place, names };
			}
		}
	}
	return undefined;
}

class Walk {
	private readonly places: readonly ResolvedRoot[];
	private readonly platform: PathPlatform;
	private links = 0;
	/** A name with at least this many after it comes from a link. If it is missing, the link is dangling. */
	private linkFloor = Number.POSITIVE_INFINITY;
	/** The path as it was asked for, from its root. The location of the workspace itself is the user's choice. */
	private written = "";

	constructor(places: readonly ResolvedRoot[], platform: PathPlatform) {
		this.places = places;
		this.platform = platform;
	}

	follow(asked: string, start: Start): Resolution {
		this.written = start.names.join("/");
		let { place } = start;
		let waiting = [...start.names];
		let done: string[] = [];
		let stats: BigIntStats = lstatSync(place.real, { bigint: true });
		for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
			if (name === "..") {
				if (done.length === 0) {
					return refused("outside");
				}
				done.pop();
				stats = lstatSync(join(place.real, ...done), { bigint: true });
				continue;
			}
			if (!stats.isDirectory()) {
				return refused("notFolder");
			}
			const next = lstatSync(join(place.real, ...done, name), {
				bigint: true,
				throwIfNoEntry: false,
			});
			const alike = next ? undefined : nameAlike(join(place.real, ...done), name);
			if (alike !== undefined) {
				waiting.unshift(alike);
				continue;
			}
			if (!next) {
				return waiting.length >= this.linkFloor
					? refused("danglingLink")
					: this.missing(asked, place, done, [name, ...waiting], stats);
			}
			if (next.isSymbolicLink()) {
				const step = this.through(place, done, name, waiting);
				if (typeof step === "string") {
					return refused(step);
				}
				({ place, done, waiting } = step);
				stats = lstatSync(join(place.real, ...done), { bigint: true });
				continue;
			}
			done.push(name);
			stats = next;
		}
		return this.found(asked, place, done, stats);
	}

	private through(
		place: ResolvedRoot,
		done: readonly string[],
		name: string,
		waiting: readonly string[],
	): { place: ResolvedRoot; done: string[]; waiting: string[] } | PathRefusal {
		this.links += 1;
		if (this.links > maxLinks) {
			return "linkLoop";
		}
		const goal = readlinkSync(join(place.real, ...done, name));
		const isAbsolute = isAbsolutePath(goal, this.platform);
		const start = isAbsolute ? enter(goal, this.places, this.platform) : undefined;
		if (isAbsolute && !start) {
			return "outside";
		}
		const goalNames = start ? start.names : pathNames(goal, this.platform);
		const isInsideLink = waiting.length >= this.linkFloor;
		this.linkFloor = isInsideLink ? this.linkFloor : waiting.length;
		return {
			place: start?.place ?? place,
			done: start ? [] : [...done],
			waiting: [...goalNames, ...waiting],
		};
	}

	private missing(
		asked: string,
		place: ResolvedRoot,
		done: readonly string[],
		rest: readonly string[],
		ancestor: BigIntStats,
	): Resolution {
		if (rest.includes("..")) {
			return refused("missing");
		}
		return rest.some(name => revealInLine(name) !== name)
			? refused("hiddenCharacter")
			: this.target(asked, place, [...done, ...rest], "missing", ancestor);
	}

	private found(
		asked: string,
		place: ResolvedRoot,
		done: readonly string[],
		stats: BigIntStats,
	): Resolution {
		if (stats.isDirectory()) {
			return this.target(asked, place, done, "folder", stats);
		}
		// Pipes, sockets and devices never end, or act when they are opened.
		return stats.isFile() ? this.target(asked, place, done, "file", stats) : refused("notRegular");
	}

	private target(
		asked: string,
		place: ResolvedRoot,
		names: readonly string[],
		kind: PathTarget["kind"],
		stats: BigIntStats,
	): Resolution {
		const inside = names.join("/");
		const both = [this.written, inside];
		const worst = (use: "read" | "write"): SensitiveReason | undefined =>
			both.map(path => sensitiveReason(path, use)).find(reason => reason !== undefined);
		const label = this.places.length > 1 ? [place.name, ...names].join("/") : inside;
		return {
			ok: true,
			target: {
				asked,
				path: join(place.real, ...names),
				label: label === "" ? "." : label,
				inside: [...names],
				kind,
				identity: `${stats.dev}:${stats.ino}`,
				isLinked: this.links > 0,
				isHardLinked: kind === "file" && stats.nlink > 1n,
				isExecutable: kind === "file" && (stats.mode & 0o111n) !== 0n,
				size: kind === "file" ? Number(stats.size) : 0,
				readReason: worst("read"),
				writeReason: worst("write"),
			},
		};
	}
}

/** Finds a name that differs only in Unicode composition: macOS decomposes letters, models don't. */
function nameAlike(folder: string, name: string): string | undefined {
	const isPlain = /^[\0-\x7F]*$/.test(name);
	return isPlain
		? undefined
		: readdirSync(folder).find(
				other => other !== name && other.normalize("NFC") === name.normalize("NFC"),
			);
}

function refused(refusal: PathRefusal): Resolution {
	return { ok: false, refusal };
}
