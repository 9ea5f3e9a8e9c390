import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { extname, join } from "node:path";
import { readFontMetrics } from "../layout/fontMetrics.ts";
import type { NamedFont } from "./codeFonts.ts";
import { type FontCoverage, readCoverage, readFamily } from "./fontFile.ts";

/** A font of the machine, read as a whole. */
export interface FoundFont extends NamedFont {
	readonly bytes: Uint8Array;
}

/** Folders of fonts, where the systems have them; the later ones are the user's own. */
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
				...["/usr/share/fonts", "/usr/local/share/fonts", "/run/host/fonts"],
				...[join(home, ".local", "share", "fonts"), join(home, ".fonts")],
			];
	}
}

/** More files are not looked into: a clip should not wait for a collection. */
const maxFiles = 1_500;
const maxDepth = 5;
/** Fonts that one clip takes at most, and their largest size in bytes: CJK fonts have some twenty million. */
const maxFonts = 6;
const maxFontBytes = 60_000_000;

/** Names of fonts that stand out from the text around them. */
const special =
	/bold|italic|oblique|light|thin|black|heavy|medium|condensed|narrow|mono|serif|mincho|ming|song|display|[-_]?(?:bd|bi|it|lt)\./i;

/**
 * Finds fonts in these folders that draw the letters, the plain ones first: one that draws most of them, then one that draws
 * most of what is left. Waits for the disk; for a thread of its own.
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

/** Takes fonts until no letter is left or none has any of them; the letters they draw are taken out of `left`. */
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

/** Reads a font as a whole; undefined when it can't be read or is too large. */
export function readFont(path: string, { covers, faceAt }: FontCoverage): FoundFont | undefined {
	try {
		const bytes = new Uint8Array(readFileSync(path));
		const family = readFamily(bytes, faceAt);
		return bytes.length > maxFontBytes || family === undefined
			? undefined
			: { bytes, family, metrics: { ...readFontMetrics(bytes, faceAt), covers } };
	} catch {
		// A font that cannot be read after all is one that is not there.
		return undefined;
	}
}

/** A font's file, by its path and its name in its folder. */
export interface FontPath {
	readonly path: string;
	readonly name: string;
}

const endings = new Set([".ttf", ".otf", ".ttc", ".otc"]);

/** The files of fonts in these folders, and in folders in them, at most 1500. */
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
		// A folder that is not there has no fonts.
		return [];
	}
}
