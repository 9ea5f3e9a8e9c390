/** The part of the build that makes the fonts of clips; tests and benchmarks use it as well. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import subsetFont from "subset-font";
import { withFeatures } from "../src/localService/video/fonts/editorFont.ts";
import {
	joinMetrics,
	readFontMetrics,
	readTables,
	tableAt,
} from "../src/localService/video/layout/fontMetrics.ts";
import {
	codeFaces,
	faceNames,
	fontAlphabets as alphabets,
	proseFaces,
} from "../src/localService/video/fonts/bundledFaces.ts";
import { projectRoot } from "./project.ts";

/** Code points of most code: Latin, Greek and Cyrillic, punctuation, arrows, signs, boxes. The rest comes from Sans. */
const codeRanges = [
	[0x20, 0x250],
	[0x370, 0x460],
	[0x2000, 0x20c0],
	[0x2190, 0x2300],
	[0x2500, 0x2600],
] as const;

/** Code points of bold and italic prose; other letters have the regular face. */
const proseRanges = [
	[0x20, 0x180],
	[0x1a0, 0x1b1],
	[0x218, 0x21c],
	[0x300, 0x530],
	[0x1ea0, 0x1efa],
	[0x2010, 0x2300],
] as const;

function lettersIn(ranges: readonly (readonly [from: number, to: number])[]): readonly number[] {
	return ranges.flatMap(([from, to]) =>
		Array.from({ length: to - from }, (_, index) => from + index),
	);
}

/** Drawing large, smooth letters needs no hinting, no old kerning and no tables that only other programs read. */
const trimming = {
	targetFormat: "truetype",
	noHinting: true,
	dropTables: ["FFTM", "MATH", "gasp", "kern"],
} as const;

/** The fonts of clips as TrueType, by the names of their files: one for prose and one for code, and what these lack from DejaVu. */
export async function clipFonts(): Promise<ReadonlyMap<string, Uint8Array>> {
	const dejavu = async (name: string): Promise<Buffer> =>
		await readFile(join(projectRoot, "node_modules/dejavu-fonts-ttf/ttf", `${name}.ttf`));
	const files = await Promise.all(
		alphabets.flatMap(alphabet => [
			trimmed(`Inter-${alphabet}.ttf`, webFont("inter", alphabet)),
			trimmed(`JetBrainsMono-${alphabet}.ttf`, webFont("jetbrains-mono", alphabet)),
		]),
	);
	// Editors join no letters of code unless they are asked to.
	const drawn = files.map(([name, font]) =>
		name.startsWith("JetBrains")
			? ([name, withFeatures(font, 0, { liga: false, calt: false })] as const)
			: ([name, font] as const),
	);
	const { covers } = joinMetrics(
		drawn.filter(([name]) => name.startsWith("JetBrains")).map(([, font]) => readFontMetrics(font)),
	);
	const faces = await Promise.all(
		codeFaces.flatMap(face =>
			alphabets.map(async alphabet => {
				const file = await webFont("jetbrains-mono", alphabet, faceFiles[face]);
				const [name, font] = await trimmed(
					`JetBrainsMono-${face}-${alphabet}.ttf`,
					Promise.resolve(file),
				);
				const plain = withFeatures(font, 0, { liga: false, calt: false });
				return [name, renamed(plain, ...faceNames("JetBrainsMono", face, alphabet))] as const;
			}),
		),
	);
	const words = await Promise.all(
		proseFaces.flatMap(face =>
			alphabets.map(async alphabet => {
				const file = await webFont("inter", alphabet, proseFiles[face]);
				const { covers } = readFontMetrics(
					await subsetFont(file, undefined, { ...trimming, keepAllGlyphs: true }),
				);
				const letters = lettersIn(proseRanges).filter(covers);
				const font = await subsetFont(file, String.fromCodePoint(...letters), {
					...trimming,
					keepFeatures: ["ccmp", "locl", "kern", "mark", "mkmk"],
				});
				const name = `Inter-${face}-${alphabet}.ttf`;
				return [name, renamed(font, ...faceNames("Inter", face, alphabet))] as const;
			}),
		),
	);
	const missing = lettersIn(codeRanges).filter(codePoint => !covers(codePoint));
	const mono = await subsetFont(await dejavu("DejaVuSansMono"), String.fromCodePoint(...missing), {
		...trimming,
		keepFeatures: [],
	});
	return new Map([
		...drawn,
		...faces,
		...words,
		await trimmed("DejaVuSans.ttf", dejavu("DejaVuSans")),
		["DejaVuSansMono.ttf", mono],
	]);
}

async function trimmed(
	name: string,
	font: Promise<Buffer>,
): Promise<readonly [string, Uint8Array]> {
	return [name, await subsetFont(await font, undefined, { ...trimming, keepAllGlyphs: true })];
}

/** The packages' names of faces. */
const proseFiles = { bold: "600-normal", italic: "400-italic" } as const;
const faceFiles = { bold: "700-normal", italic: "400-italic", boldItalic: "700-italic" } as const;

/** Gives a font another family of as many letters: the renderer would take any face of a family for letters that one lacks. */
function renamed(font: Uint8Array, from: string, to: string): Uint8Array {
	const bytes = Buffer.from(font);
	const wide = (name: string): Buffer => Buffer.from(name, "utf16le").swap16();
	const names = tableAt(readTables(new DataView(bytes.buffer, bytes.byteOffset)), "name");
	for (let at = bytes.indexOf(wide(from), names); at !== -1; at = bytes.indexOf(wide(from), at)) {
		bytes.set(wide(to), at);
	}
	return new Uint8Array(bytes);
}

async function webFont(name: string, alphabet: string, face = "400-normal"): Promise<Buffer> {
	const file = `node_modules/@fontsource/${name}/files/${name}-${alphabet}-${face}.woff`;
	return await readFile(join(projectRoot, file));
}
