import type { ClipFont } from "../../../common/clipLooks.ts";
import { type FontPath, type FoundFont, listFonts, readFont } from "./findFonts.ts";
import { type FontFace, readCoverage, readFaces } from "./fontFile.ts";
import { withFeatures } from "./fontFeatures.ts";

/** Names that stand for any font, and so for the one that Cutaway brings: what follows them in a list is never asked for. */
const generic = new Set(["monospace", "sans-serif", "serif", "cursive", "fantasy", "system-ui"]);

/**
 * The first of the families that is in these folders and whose letters have one width, with the features that are wanted; undefined
 * where the font that Cutaway brings is wanted, or none is found. Waits for the disk; for a thread of its own.
 */
export function findEditorFont(
	{ families, features }: ClipFont,
	folders: readonly string[],
): FoundFont | undefined {
	// The user's own fonts, in the later folders, are the likely ones.
	let files: readonly FontPath[] | undefined;
	const faces = new Map<string, readonly FontFace[]>();
	const facesOf = ({ path }: FontPath): readonly FontFace[] => {
		const known = faces.get(path) ?? readFaces(path);
		faces.set(path, known);
		return known;
	};
	for (const family of families) {
		const wanted = family.toLowerCase();
		if (generic.has(wanted)) {
			return undefined;
		}
		files ??= listFonts(folders.toReversed());
		const isLikely = likelyNamed(wanted);
		for (const group of [files.filter(isLikely), files.filter(file => !isLikely(file))]) {
			const [best] = group
				.flatMap(file => facesOf(file).map(face => ({ path: file.path, face })))
				.filter(({ face }) => face.families.includes(wanted))
				.toSorted((left, right) => strangeness(left.face) - strangeness(right.face));
			const font = best && readMono(best.path, best.face.faceAt, features);
			if (font) {
				return font;
			}
		}
	}
	return undefined;
}

/** Whether a file is named after a family, as most are: it is looked into before all others. */
function likelyNamed(family: string): (file: FontPath) => boolean {
	const bare = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
	const wanted = bare(family);
	return ({ name }) => {
		const stem = bare(name.replace(/\.\w+$/, ""));
		return stem.startsWith(wanted) || (stem.length > 3 && wanted.startsWith(stem));
	};
}

/** How far a face is from the regular one of its family. */
function strangeness({ weight, width, isItalic }: FontFace): number {
	return Math.abs(weight - 400) + Math.abs(width - 5) * 100 + (isItalic ? 1_000 : 0);
}

function readMono(
	path: string,
	faceAt: number,
	features: ClipFont["features"],
): FoundFont | undefined {
	const coverage = readCoverage(path, faceAt);
	const font = coverage && readFont(path, coverage);
	return font && hasOneWidth(font)
		? { ...font, bytes: withFeatures(font.bytes, faceAt, features) }
		: undefined;
}

const ascii = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCodePoint(0x21 + index));

function hasOneWidth({ metrics }: FoundFont): boolean {
	const width = metrics.widthOf("0");
	return ascii.every(
		letter =>
			metrics.covers(letter.codePointAt(0) ?? 0) &&
			Math.abs(metrics.widthOf(letter) - width) < 0.002,
	);
}
