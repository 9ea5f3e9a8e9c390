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
	readonly isBold?: boolean;
	readonly isRightAligned?: boolean;
	/** Has a direction of its own: punctuation at its end goes to the left. */
	readonly isRightToLeft?: boolean;
	readonly opacity?: number;
}

/** Names of the bundled fonts, as the font files spell them. */
export const fontFamilies = { sans: "DejaVu Sans", mono: "DejaVu Sans Mono" } as const;

/** The renderer takes every text to run from left to right unless it is embedded. @see https://www.unicode.org/reports/tr9/#Explicit_Directional_Embeddings */
const embedRightToLeft = "\u202B";
const endEmbedding = "\u202C";

/** The element that draws a line. The bundle has no bold letters: an outline of the same colour makes them. */
export function svgText(line: SvgText): string {
	const attributes = [
		`x="${line.x.toFixed(2)}" y="${line.baseline.toFixed(2)}" font-size="${line.size}"`,
		`font-family="${fontFamilies[line.font]}" fill="${line.fill}" xml:space="preserve"`,
		line.isBold ? `stroke="${line.fill}" stroke-width="${(line.size * 0.032).toFixed(2)}"` : "",
		line.isRightAligned ? 'text-anchor="end"' : "",
		line.opacity === undefined ? "" : `opacity="${line.opacity}"`,
	];
	const text = line.isRightToLeft ? `${embedRightToLeft}${line.text}${endEmbedding}` : line.text;
	return `<text ${attributes.filter(Boolean).join(" ")}>${escapeXml(text)}</text>`;
}

/** A whole picture with a coordinate system of `width` by `height`. */
export function svgPicture(width: number, height: number, ...parts: readonly string[]): string {
	return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${parts.join("")}</svg>`;
}
