import type { LetterCluster } from "../fonts/clusters.ts";
import { drawingFont, type FaceStyle } from "../fonts/codeFonts.ts";

/** Escapes a text for XML. @see https://www.w3.org/TR/xml/#syntax */
export function escapeXml(text: string): string {
	return text
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll(">", "&gt;")
		.replaceAll('"', "&quot;");
}

export interface SvgText {
	readonly text: string;
	/** Start of the line, or its end if `isRightAligned`. */
	readonly x: number;
	readonly baseline: number;
	readonly size: number;
	readonly fill: string;
	readonly font: "sans" | "mono";
	/** Replaces the bundled font. */
	readonly family?: string;
	/** What the font has of the style; by default, what `fonts` have. What it lacks is drawn by an outline, and slanted. */
	readonly face?: FaceStyle | undefined;
	readonly isBold?: boolean | undefined;
	readonly isItalic?: boolean | undefined;
	readonly isUnderlined?: boolean | undefined;
	readonly isStruck?: boolean | undefined;
	readonly isRightAligned?: boolean;
	/** Whether the line is embedded as right-to-left, so that punctuation at its end is on the left. */
	readonly isRightToLeft?: boolean;
	readonly opacity?: number;
	/** Factor by which the letters are higher than their font's. */
	readonly stretch?: number;
	/** For letters missing in the font. */
	readonly fonts?: MachineFonts | undefined;
}

/** Fonts of this machine for letters missing in the bundled ones. */
export interface MachineFonts {
	/** Returns the family for a letter, or undefined for that of the line. */
	familyOf(letter: string): string | undefined;
	/** Returns the width of a letter in em. */
	widthOf(letter: string): number;
	/** Returns the clusters to draw one by one, or undefined if the renderer can place them. */
	clustersOf(line: string): readonly LetterCluster[] | undefined;
	/** Returns what the family for a letter has of the wanted style; undefined for nothing. */
	faceOf?(letter: string): FaceStyle | undefined;
}

/** Names of the bundled fonts, as in the font files. */
export const fontFamilies = {
	sans: "Inter",
	mono: "JetBrains Mono",
	otherSans: "DejaVu Sans",
	otherMono: drawingFont.family,
} as const;

/** The renderer treats text as left-to-right unless it is embedded. @see https://www.unicode.org/reports/tr9/#Explicit_Directional_Embeddings */
const embedRightToLeft = "\u202B";
const endEmbedding = "\u202C";

/** Returns the SVG element of a line. */
export function svgText(line: SvgText): string {
	const first = /\S/u.exec(line.text)?.[0] ?? "";
	const face = line.face ?? line.fonts?.faceOf?.(first) ?? {};
	const attributes = [
		`x="${line.x.toFixed(2)}" y="${line.baseline.toFixed(2)}" font-size="${Number(line.size.toFixed(2))}"`,
		`font-family="${escapeXml(line.family ?? fontFamilies[line.font])}" fill="${line.fill}" xml:space="preserve"`,
		face.isBold ? 'font-weight="700"' : "",
		face.isItalic ? 'font-style="italic"' : "",
		line.fonts?.faceOf ? "" : outline(line, face),
		line.isItalic && !face.isItalic ? slant(line) : "",
		line.isStruck || line.isUnderlined
			? `text-decoration="${line.isStruck ? "line-through" : ""}${line.isUnderlined ? " underline" : ""}"`
			: "",
		line.isRightAligned ? 'text-anchor="end"' : "",
		line.opacity === undefined ? "" : `opacity="${line.opacity}"`,
		line.stretch === undefined
			? ""
			: `transform="matrix(1 0 0 ${line.stretch.toFixed(4)} 0 ${(line.baseline * (1 - line.stretch)).toFixed(2)})"`,
	];
	const text = placedText(line);
	const directed = line.isRightToLeft ? `${embedRightToLeft}${text}${endEmbedding}` : text;
	return `<text ${attributes.filter(Boolean).join(" ")}>${directed}</text>`;
}

/** Outlines letters of a font that has no bold face, as the editor does. */
function outline({ isBold, fill, size }: SvgText, face: FaceStyle | undefined): string {
	return isBold && !face?.isBold
		? ` stroke="${fill}" stroke-width="${(size * 0.032).toFixed(2)}"`
		: "";
}

/** Slants letters at their place, in lack of an italic face. */
function slant({ baseline }: SvgText): string {
	return `transform="matrix(1 0 -0.2 1 ${(baseline * 0.2).toFixed(2)} 0)"`;
}

/** A part of a line in one font, and its width in em. */
interface TextRun {
	text: string;
	readonly family: string | undefined;
	readonly face?: FaceStyle | undefined;
	advance: number;
}

/** Splits a line by fonts and positions each part, because the renderer loses the width of combined letters. */
function placedText(line: SvgText): string {
	const { text, x, size, fonts, isRightToLeft, isRightAligned } = line;
	if (!fonts) {
		return escapeXml(text);
	}
	const signs = fonts.clustersOf(text)?.map((sign): TextRun => {
		const [letter = ""] = sign.text;
		return { ...sign, family: fonts.familyOf(letter), face: fonts.faceOf?.(letter) };
	});
	const isPlaced = isRightToLeft !== true && isRightAligned !== true;
	let left = x;
	return (signs ?? runsOf(text, fonts))
		.map(run => {
			const place = isPlaced ? ` x="${left.toFixed(2)}"` : "";
			const family = run.family === undefined ? "" : ` font-family="${escapeXml(run.family)}"`;
			const weight = fonts.faceOf ? outline(line, run.face) : "";
			left += run.advance * size;
			return run.text.trim() === "" && isPlaced
				? ""
				: `<tspan${place}${family}${weight}>${escapeXml(run.text)}</tspan>`;
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
			const face = fonts.faceOf?.(letter);
			runs.push({ family, face, text: letter, advance: fonts.widthOf(letter) });
		}
	}
	return runs;
}

/** Returns an SVG with a coordinate system of `width` by `height`. */
export function svgPicture(width: number, height: number, ...parts: readonly string[]): string {
	return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${parts.join("")}</svg>`;
}
