import type { FontMetrics } from "../layout/fontMetrics.ts";

/** A grapheme cluster and its advance width, in em. */
export interface LetterCluster {
	readonly text: string;
	readonly advance: number;
}

/** Scripts whose letters combine beside and above each other, for a class of a regular expression. */
export const combiningScripts = String.raw`\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}`;
const complex = new RegExp(`[${combiningScripts}]`, "u");

const graphemes = new Intl.Segmenter("hi", { granularity: "grapheme" });

/** Space after a cluster of which only the ink is measured, in em. */
const bearing = 0.03;

/**
 * Measures combined letters by their ink, because the renderer makes a cluster as wide as its widest part, and font tables contain only the parts.
 * `inkEnd` returns where a cluster's ink ends, in em.
 */
export class ClusterMetrics implements FontMetrics {
	private readonly fonts: FontMetrics;
	private readonly inkEnd: (cluster: string) => number;
	private readonly known = new Map<string, number>();

	constructor(fonts: FontMetrics, inkEnd: (cluster: string) => number) {
		this.fonts = fonts;
		this.inkEnd = inkEnd;
	}

	readonly covers = (codePoint: number): boolean => this.fonts.covers(codePoint);

	readonly widthOf = (text: string): number =>
		this.clustersOf(text)?.reduce((sum, { advance }) => sum + advance, 0) ??
		this.fonts.widthOf(text);

	/** Splits a line with such letters into clusters to be drawn one by one. Returns undefined for any other line. */
	readonly clustersOf = (line: string): readonly LetterCluster[] | undefined =>
		complex.test(line)
			? Array.from(graphemes.segment(line), ({ segment }) => ({
					text: segment,
					advance: this.advanceOf(segment),
				}))
			: undefined;

	private advanceOf(cluster: string): number {
		if ([...cluster].length === 1 || !complex.test(cluster)) {
			return this.fonts.widthOf(cluster);
		}
		const known = this.known.get(cluster) ?? this.inkEnd(cluster) + bearing;
		this.known.set(cluster, known);
		return known;
	}
}
