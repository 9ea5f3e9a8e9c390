import type { FontMetrics } from "../layout/fontMetrics.ts";

/** Letters that are put together into one sign, and how far the next one is from it at size 1. */
export interface LetterCluster {
	readonly text: string;
	readonly advance: number;
}

/** Scripts whose letters are put together, side by side and above each other. */
const complex =
	/[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

const graphemes = new Intl.Segmenter("hi", { granularity: "grapheme" });

/** White that is kept behind a sign whose ink alone is measured. */
const bearing = 0.03;

/**
 * Measures texts by what is drawn where letters are put together: the renderer takes such a sign to be as wide as its widest
 * part, and tables know the parts alone. `inkEnd` says where the ink of a sign ends, at size 1.
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

	/** The signs of a line that has such letters, each to be drawn at its own place; undefined for any other line. */
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
