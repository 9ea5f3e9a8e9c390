import type { ClipFont } from "../../../common/clipLooks.ts";
import { type FontPath, type FoundFont, listFonts, readFont } from "./findFonts.ts";
import { type FontFace, readCoverage, readFaces } from "./fontFile.ts";
import { readTables } from "../layout/fontMetrics.ts";

/** Generic families, for which the bundled font is used. Families after them are ignored. */
const generic = new Set(["monospace", "sans-serif", "serif", "cursive", "fantasy", "system-ui"]);

/**
 * Finds the first of the families that this machine has as a monospaced font, and applies the features. Returns undefined, for the bundled font, at
 * a generic family or after the last one. Skips a family whose font
 * - is outside these folders, more than five folders deep or after 1,500 other files, or has another ending than ttf, otf, ttc or otc,
 * - can't be read, is damaged or over 60 MB, has an examined table of over 8 MB, or comes after 64 other faces in its file,
 * - has no outlines, or has pictures instead (the tables CBDT, sbix and SVG), or has no family name in Unicode of plain letters,
 * - lacks a letter of ASCII or isn't monospaced in it, in the face closest to regular.
 *
 * Isn't called for prose, nor if the setting names no family: `fontSetting.ts` skips names with control characters or of over 100 characters, and all
 * after the sixteenth. Letters that a font lacks or has off the grid of columns, and all box drawing, fall back alone, in `codeFonts.ts`. Reads files
 * synchronously, so it must run in a thread.
 */
export function findEditorFont(
	{ families, features }: ClipFont,
	folders: readonly string[],
): FoundFont | undefined {
	// Reversed, because the later folders contain the user's own fonts.
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
			const own = group
				.flatMap(file => facesOf(file).map(face => ({ path: file.path, face })))
				.filter(({ face }) => face.families.includes(wanted));
			const best = nearest(own, { weight: 400, isItalic: false });
			const font = best && readMono(best.path, best.face.faceAt, features);
			if (font) {
				return { ...font, faces: otherFaces(font, own, features) };
			}
		}
	}
	return undefined;
}

/** Returns a test whether a file is named after a family. Such files are read first. */
function likelyNamed(family: string): (file: FontPath) => boolean {
	const bare = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
	const wanted = bare(family);
	return ({ name }) => {
		const stem = bare(name.replace(/\.\w+$/, ""));
		return stem.startsWith(wanted) || (stem.length > 3 && wanted.startsWith(stem));
	};
}

/** A face of a family, and its file. */
interface FamilyFace {
	readonly path: string;
	readonly face: FontFace;
}

/** Returns the face closest to a weight and slope. */
function nearest(
	faces: readonly FamilyFace[],
	wanted: Pick<FontFace, "weight" | "isItalic">,
): FamilyFace | undefined {
	const distance = ({ face: { weight, width, isItalic } }: FamilyFace): number =>
		Math.abs(weight - wanted.weight) +
		Math.abs(width - 5) * 100 +
		(isItalic === wanted.isItalic ? 0 : 1_000);
	return faces.toSorted((left, right) => distance(left) - distance(right))[0];
}

/** Returns the bold and italic faces of a font's family that are as wide as it. */
function otherFaces(
	font: FoundFont,
	faces: readonly FamilyFace[],
	features: ClipFont["features"],
): FoundFont["faces"] {
	const faceOf = (isBold: boolean, isItalic: boolean): readonly FoundFont[] => {
		const found = nearest(faces, { weight: isBold ? 700 : 400, isItalic });
		const isThere =
			found && found.face.isItalic === isItalic && found.face.weight >= 600 === isBold;
		const face = isThere ? readMono(found.path, found.face.faceAt, features) : undefined;
		const isAsWide = face && face.metrics.widthOf("0") === font.metrics.widthOf("0");
		return isAsWide && face.family === font.family ? [{ ...face, face: { isBold, isItalic } }] : [];
	};
	return { bold: faceOf(true, false), italic: faceOf(false, true), boldItalic: faceOf(true, true) };
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

/** Features that the renderer always enables. */
const always = new Set(["calt", "ccmp", "clig", "liga", "locl", "rclt", "rlig"]);

/** Further features that it enables and that code fonts rarely have. */
const spare = ["clig", "rclt", "dist", "curs", "abvm", "blwm", "mkmk", "mark"] as const;

/** A tag that the renderer never enables. */
const unasked = "none";

/**
 * Returns a copy of a font with these features on or off. The renderer can't select features, so unwanted ones are renamed to a tag that it never
 * enables, and wanted ones to a spare tag that it always enables.
 * @see https://learn.microsoft.com/typography/opentype/spec/chapter2#feature-list-table
 */
export function withFeatures(
	font: Uint8Array,
	faceAt: number,
	features: Readonly<Record<string, boolean>>,
): Uint8Array {
	const bytes = font.slice();
	const view = new DataView(bytes.buffer);
	const start = readTables(view, faceAt).get("GSUB");
	if (start === undefined) {
		return font;
	}
	const list = start + view.getUint16(start + 6);
	const records = Array.from(
		{ length: view.getUint16(list) },
		(_, index) => list + 2 + index * 6,
	).map(at => ({ at, tag: Buffer.from(bytes.subarray(at, at + 4)).toString("latin1") }));
	const free = spare.filter(tag => !records.some(record => record.tag === tag)).values();
	for (const [tag, isWanted] of Object.entries(features)) {
		const own = records.filter(record => record.tag === tag);
		if (own.length > 0 && !(isWanted && always.has(tag))) {
			const name = isWanted ? free.next().value : unasked;
			own.forEach(({ at }) => bytes.set(Buffer.from(name ?? tag, "latin1"), at));
		}
	}
	return bytes;
}
