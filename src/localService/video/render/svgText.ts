import type { LetterCluster } from "../fonts/clusters.ts";

/** A text as it may be in XML. @see https://www.w3.org/TR/xml/#syntax */
export function escapeXml(text: string): string {
	return text
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll(">", "&gt;")
		.replaceAll('"', "&quot;");
}

/** A line of text as SVG. */
export interface SvgText {
	readonly text: string;
	/** Where it begins, or ends when `isRightAligned`. */
	readonly x: number;
	readonly baseline: number;
	readonly size: number;
	readonly fill: string;
	readonly font: "sans" | "mono";
	/** In place of the bundled font. */
	readonly family?: string;
	readonly isBold?: boolean;
	readonly isRightAligned?: boolean;
	/** Has a direction of its own: punctuation at its end goes to the left. */
	readonly isRightToLeft?: boolean;
	readonly opacity?: number;
	/** For letters that the font lacks. */
	readonly fonts?: MachineFonts | undefined;
}

/** How letters are drawn that only fonts of the machine have. */
export interface MachineFonts {
	/** The family for a letter; undefined for that of the line. */
	familyOf(letter: string): string | undefined;
	/** Width of a letter at size 1. */
	widthOf(letter: string): number;
	/** The signs of a line that are drawn one by one; undefined where the renderer can place them. */
	clustersOf(line: string): readonly LetterCluster[] | undefined;
}

/** Names of the bundled fonts, as the font files spell them. */
export const fontFamilies = {
	...{ sans: "Inter", mono: "JetBrains Mono" },
	...{ otherSans: "DejaVu Sans", otherMono: "DejaVu Sans Mono" },
} as const;

/** The renderer takes every text to run from left to right unless it is embedded. @see https://www.unicode.org/reports/tr9/#Explicit_Directional_Embeddings */
const embedRightToLeft = "\u202B";
const endEmbedding = "\u202C";

/** The element that draws a line. The bundle has no bold letters: an outline of the same color makes them. */
export function svgText(line: SvgText): string {
	const attributes = [
		`x="${line.x.toFixed(2)}" y="${line.baseline.toFixed(2)}" font-size="${Number(line.size.toFixed(2))}"`,
		`font-family="${escapeXml(line.family ?? fontFamilies[line.font])}" fill="${line.fill}" xml:space="preserve"`,
		line.isBold ? `stroke="${line.fill}" stroke-width="${(line.size * 0.032).toFixed(2)}"` : "",
		line.isRightAligned ? 'text-anchor="end"' : "",
		line.opacity === undefined ? "" : `opacity="${line.opacity}"`,
	];
	const text = placedText(line);
	const directed = line.isRightToLeft ? `${embedRightToLeft}${text}${endEmbedding}` : text;
	return `<text ${attributes.filter(Boolean).join(" ")}>${directed}</text>`;
}

/** A part of a line that one font draws, and its width at size 1. */
interface TextRun {
	text: string;
	readonly family: string | undefined;
	advance: number;
}

/**
 * The line's text, parted by fonts. Every part from left to right has a place of its own: the renderer takes one font for all that
 * follows each other, and loses the width of letters that it puts together.
 */
function placedText({ text, x, size, fonts, isRightToLeft, isRightAligned }: SvgText): string {
	if (!fonts) {
		return escapeXml(text);
	}
	const signs = fonts.clustersOf(text)?.map(sign => ({
		...sign,
		family: fonts.familyOf([...sign.text][0] ?? ""),
	}));
	const isPlaced = isRightToLeft !== true && isRightAligned !== true;
	let left = x;
	return (signs ?? runsOf(text, fonts))
		.map(run => {
			const place = isPlaced ? ` x="${left.toFixed(2)}"` : "";
			const family = run.family === undefined ? "" : ` font-family="${escapeXml(run.family)}"`;
			left += run.advance * size;
			return run.text.trim() === "" && isPlaced
				? ""
				: `<tspan${place}${family}>${escapeXml(run.text)}</tspan>`;
		})
		.join("");
}

function runsOf(text: string, fonts: MachineFonts): readonly TextRun[] {
	const runs: TextRun[] = [];
	for (const letter of text) {
		const last = runs.at(-1);
		const isMark = /[\p{M}\u200C\u200D]/u.test(letter);
		const family = last && isMark ? last.family : fonts.familyOf(letter);
		if (last && last.family === family) {
			last.text += letter;
			last.advance += fonts.widthOf(letter);
		} else {
			runs.push({ family, text: letter, advance: fonts.widthOf(letter) });
		}
	}
	return runs;
}

/** A whole picture with a coordinate system of `width` by `height`. */
export function svgPicture(width: number, height: number, ...parts: readonly string[]): string {
	return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${parts.join("")}</svg>`;
}
