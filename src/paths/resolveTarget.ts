import { type BigIntStats, lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { revealInLine } from "../common/hiddenText.ts";
import {
	isAbsolutePath,
	namesInFolder,
	pathNames,
	type PathPlatform,
	writtenPathRefusal,
} from "./pathForm.ts";
import { sensitiveReason, type SensitiveReason } from "./sensitivePaths.ts";
import type { PathRefusal } from "./pathRefusal.ts";

/** A folder of the workspace. */
export interface WorkspaceRoot {
	/** As the editor shows it, told apart from others; a path begins with it when there are several folders. */
	readonly name: string;
	/** Absolute. */
	readonly path: string;
}

/** Where a path of the model leads, links followed. docs/security.md. */
export interface PathTarget {
	/** As the model wrote it. */
	readonly asked: string;
	/** Absolute, without links. */
	readonly path: string;
	/** From the workspace folder on, with `/`; begins with the folder's name when there are several. */
	readonly label: string;
	/** Its names from the workspace folder on, without that folder's own. */
	readonly inside: readonly string[];
	readonly kind: "file" | "folder" | "missing";
	/** Which file it is, whatever it is called: device and inode; of a missing one, those of its nearest existing ancestor. */
	readonly identity: string;
	/** Whether a symbolic link was on the way. */
	readonly isLinked: boolean;
	/** Whether the file has other names as well, which may be outside (threat T11). */
	readonly isHardLinked: boolean;
	/** Whether anyone may run the file as a program. */
	readonly isExecutable: boolean;
	/** In bytes; 0 for what is no file. */
	readonly size: number;
	/** Why reading it needs a user's word, by either of its names. */
	readonly readReason: SensitiveReason | undefined;
	/** Why changing it needs a warning, by either of its names. */
	readonly writeReason: SensitiveReason | undefined;
}

/** A target, or why there is none. */
export type Resolution =
	| { readonly ok: true; readonly target: PathTarget }
	| { readonly ok: false; readonly refusal: PathRefusal };

/** Workspace folders and platform that `resolveTarget` works with. */
export interface WorkspacePaths {
	readonly roots: readonly WorkspaceRoot[];
	readonly platform: PathPlatform;
}

/** More links than this on one way are a loop; Linux's own bound. */
const maxLinks = 40;

/**
 * Follows a path from its workspace folder name by name, as the system would, and refuses it as soon as it leaves the
 * workspace, so that nothing outside is ever touched. A link that leads nowhere is refused, because the first write
 * through it would make a file wherever it points (CVE-2026-32055). Synchronous on purpose: nothing else runs between a
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
		// Not allowed to look, or the file system failed: either way nothing is known, so nothing is done.
		return { ok: false, refusal: "unreadable" };
	}
}

/**
 * Returns the folders under names that tell them apart, each one part of a path: those of the same name with the folder
 * above them, or else with their number.
 */
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

/** Whether two looks at a path found the very same thing. */
export function isSameTarget(before: PathTarget, after: PathTarget): boolean {
	return (
		before.path === after.path && before.kind === after.kind && before.identity === after.identity
	);
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
	// A folder may have another name in the editor than on the disk.
	const place = [
		places.filter(({ name }) => name === names[0]),
		places.filter(({ path }) => basename(path) === names[0]),
	].find(named => named.length === 1)?.[0];
	return place ? { place, names: names.slice(1) } : "unknownFolder";
}

/** The workspace folder an absolute path is in, name by name: `/ws-evil` is not in `/ws` (CVE-2025-53110). */
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
	/** A name with at least this many behind it comes from a link; one that is missing makes that a dangling link. */
	private linkFloor = Number.POSITIVE_INFINITY;
	/** The path as it was asked for, from its root on: what the workspace lies in is the user's choice. */
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
		// A pipe, a socket or a device never ends, or acts when it is opened.
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

/** The name in a folder that is the same but for how its letters are composed: macOS takes them apart, models do not. */
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
