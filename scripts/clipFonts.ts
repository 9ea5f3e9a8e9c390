/** The part of the build that makes the fonts of clips; tests and benchmarks use it as well. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import subsetFont from "subset-font";
import { withFeatures } from "../src/localService/video/fonts/editorFont.ts";
import { joinMetrics, readFontMetrics } from "../src/localService/video/layout/fontMetrics.ts";
import { fontAlphabets as alphabets } from "../src/localService/video/assets.ts";
import { projectRoot } from "./project.ts";

/** Code points of most code: Latin, Greek and Cyrillic, punctuation, arrows, signs, boxes. The rest comes from Sans. */
const codeRanges = [
	[0x20, 0x250],
	[0x370, 0x460],
	[0x2000, 0x20c0],
	[0x2190, 0x2300],
	[0x2500, 0x2600],
] as const;

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
	const missing = codeRanges
		.flatMap(([from, to]) => Array.from({ length: to - from }, (_, index) => from + index))
		.filter(codePoint => !covers(codePoint));
	const mono = await subsetFont(await dejavu("DejaVuSansMono"), String.fromCodePoint(...missing), {
		...trimming,
		keepFeatures: [],
	});
	return new Map([
		...drawn,
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

async function webFont(name: string, alphabet: string): Promise<Buffer> {
	const file = `node_modules/@fontsource/${name}/files/${name}-${alphabet}-400-normal.woff`;
	return await readFile(join(projectRoot, file));
}
