import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { extname, join } from "node:path";
import { readFontMetrics } from "../layout/fontMetrics.ts";
import type { CodeFace } from "./bundledFaces.ts";
import type { NamedFont } from "./codeFonts.ts";
import { type FontCoverage, readCoverage, readFamily } from "./fontFile.ts";

/** A font of this machine with its content. */
export interface FoundFont extends NamedFont {
	readonly bytes: Uint8Array;
	/** Other faces of its family. */
	readonly faces?: Readonly<Partial<Record<CodeFace, readonly FoundFont[]>>>;
}

/** Returns the system's font folders, the user's own last. */
export function systemFontFolders(platform: NodeJS.Platform = process.platform): readonly string[] {
	const home = homedir();
	switch (platform) {
		case "win32": {
			const windows = process.env["SystemRoot"] ?? String.raw`C:\Windows`;
			const local = process.env["LOCALAPPDATA"] ?? join(home, "AppData", "Local");
			return [join(windows, "Fonts"), join(local, "Microsoft", "Windows", "Fonts")];
		}
		case "darwin":
			return ["/System/Library/Fonts", "/Library/Fonts", join(home, "Library", "Fonts")];
		default:
			return [
				"/usr/share/fonts",
				"/usr/local/share/fonts",
				"/run/host/fonts",
				join(home, ".local", "share", "fonts"),
				join(home, ".fonts"),
			];
	}
}

/** The most files to examine, so that a large collection doesn't delay clips. */
const maxFiles = 1_500;
const maxDepth = 5;
/** The most fonts per clip, and their greatest size in bytes. CJK fonts have about twenty million. */
const maxFonts = 6;
const maxFontBytes = 60_000_000;

/** Names of fonts that differ visibly from the surrounding text. */
const special =
	/bold|italic|oblique|light|thin|black|heavy|medium|condensed|narrow|mono|serif|mincho|ming|song|display|[-_]?(?:bd|bi|it|lt)\./i;

/**
 * Finds fonts in these folders that have the letters, plain fonts first: repeatedly the one with most of the remaining letters. Reads files
 * synchronously, so it must run in a thread.
 */
export function findFonts(
	letters: ReadonlySet<number>,
	folders: readonly string[],
): readonly FoundFont[] {
	const files = listFonts(folders);
	const plain = files.filter(file => !special.test(file.name));
	const others = files.filter(file => special.test(file.name));
	const left = new Set(letters);
	const found: FoundFont[] = [];
	for (const group of [plain, others]) {
		if (left.size > 0) {
			found.push(...takeFonts(group, left, maxFonts - found.length));
		}
	}
	return found;
}

/** Selects fonts until no letter is left or none has any. Removes the letters they have from `left`. */
function takeFonts(files: readonly FontPath[], left: Set<number>, most: number): FoundFont[] {
	const covering = files.flatMap(({ path }) => {
		const coverage = readCoverage(path);
		return coverage && countOf(coverage, left) > 0 ? [{ path, coverage }] : [];
	});
	const taken: FoundFont[] = [];
	while (taken.length < most && left.size > 0 && covering.length > 0) {
		const counts = covering.map(({ coverage }) => countOf(coverage, left));
		const best = counts.indexOf(Math.max(...counts));
		const [font] = covering.splice(best, 1);
		if (!font || counts[best] === 0) {
			break;
		}
		const read = readFont(font.path, font.coverage);
		if (read) {
			taken.push(read);
			[...left]
				.filter(letter => read.metrics.covers(letter))
				.forEach(letter => left.delete(letter));
		}
	}
	return taken;
}

function countOf({ covers }: FontCoverage, letters: ReadonlySet<number>): number {
	let count = 0;
	for (const letter of letters) {
		count += covers(letter) ? 1 : 0;
	}
	return count;
}

/** Reads a whole font. Returns undefined if it can't be read or is too large. */
export function readFont(path: string, { covers, faceAt }: FontCoverage): FoundFont | undefined {
	try {
		const bytes = new Uint8Array(readFileSync(path));
		const family = readFamily(bytes, faceAt);
		return bytes.length > maxFontBytes || family === undefined
			? undefined
			: { bytes, family, metrics: { ...readFontMetrics(bytes, faceAt), covers } };
	} catch {
		// An unreadable font is skipped.
		return undefined;
	}
}

export interface FontPath {
	readonly path: string;
	readonly name: string;
}

const endings = new Set([".ttf", ".otf", ".ttc", ".otc"]);

/** Lists the font files in these folders and their subfolders, at most 1500. */
export function listFonts(folders: readonly string[]): readonly FontPath[] {
	return folders.flatMap(folder => fontsBelow(folder, maxDepth)).slice(0, maxFiles);
}

function fontsBelow(folder: string, depth: number): readonly FontPath[] {
	try {
		const entries = readdirSync(folder, { withFileTypes: true });
		return entries
			.toSorted((left, right) => (left.name < right.name ? -1 : 1))
			.flatMap(entry => {
				const path = join(folder, entry.name);
				if (entry.isDirectory()) {
					return depth > 0 ? fontsBelow(path, depth - 1) : [];
				}
				return endings.has(extname(entry.name).toLowerCase()) ? [{ path, name: entry.name }] : [];
			});
	} catch {
		// Skips missing folders.
		return [];
	}
}
