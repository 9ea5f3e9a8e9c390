import { columnsOf } from "../../../clip/columns.ts";
import type { FontMetrics } from "../layout/fontMetrics.ts";

/** A font that the renderer has, and how wide its letters are. */
export interface NamedFont {
	/** The name of its family, by which it is asked for. */
	readonly family: string;
	readonly metrics: FontMetrics;
}

/** Letters of code that one font draws from one place on. */
export interface CodePiece {
	readonly text: string;
	readonly family: string;
	/** The column that the piece begins at, counted from the text's. */
	readonly column: number;
	/** How far behind the beginning of that column it is drawn, at size 1. */
	readonly shift: number;
	/** The share of the size it is drawn at, so that it fits its columns: 0 to 1. */
	readonly scale: number;
}

/** Scripts whose letters are joined, or put together, and are drawn as wide as their ink. */
const shaped =
	/[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

/** Words from right to left, with what is between them: they change places when they are drawn one by one. */
const fromRight =
	/([\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Nko}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Adlam}](?:[\s\p{N}\p{P}\p{S}\p{M}\u200C\u200D]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Nko}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Adlam}])*\p{M}*)/u;

const oneFont = /^[\x20-\x7E]*$/;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A letter that is this much, at size 1, wider or narrower than its columns is put into them alone. */
const tolerance = 0.004;

/**
 * The fonts of code, the first of which gives the columns their width. Letters that it lacks are drawn with the first other one
 * that has them, within their own columns. `inkEnd` says where the ink of a text ends in a font, at size 1.
 */
export class CodeFonts {
	/** Width of a column at size 1. */
	readonly column: number;
	private readonly first: NamedFont;
	private readonly fonts: readonly NamedFont[];
	private readonly inkEnd: (text: string, family: string) => number;
	private readonly widths = new Map<string, number>();

	constructor(
		first: NamedFont,
		others: readonly NamedFont[],
		inkEnd: (text: string, family: string) => number,
	) {
		this.first = first;
		this.fonts = [first, ...others];
		this.inkEnd = inkEnd;
		this.column = first.metrics.widthOf("0");
	}

	/** The first font that has all letters of a text, or the very first. */
	familyOf(text: string): string {
		const letters = [...text];
		const font = this.fonts.find(font => letters.every(letter => has(font, letter)));
		return (font ?? this.first).family;
	}

	readonly covers = (codePoint: number): boolean =>
		this.fonts.some(({ metrics }) => metrics.covers(codePoint));

	/** The pieces of a text, which together take as many columns as the text has; blank ones are left out. */
	piecesOf(text: string): readonly CodePiece[] {
		const pieces: CodePiece[] = [];
		let grid = "";
		let column = 0;
		const endGrid = (): void => {
			const start = column - columnsOf(grid);
			pieces.push({ text: grid, family: this.first.family, column: start, shift: 0, scale: 1 });
			grid = "";
		};
		for (const part of oneFont.test(text) ? [text] : this.partsOf(text)) {
			if (this.isOnGrid(part)) {
				grid += part;
			} else {
				endGrid();
				pieces.push(this.placed(part, column));
			}
			column += columnsOf(part);
		}
		endGrid();
		return pieces.filter(piece => piece.text.trim() !== "");
	}

	/** Words from right to left as a whole, all else letter by letter. */
	private partsOf(text: string): readonly string[] {
		return text
			.split(fromRight)
			.flatMap((part, index) =>
				index % 2 === 1 && !this.isOnGrid(part)
					? [part]
					: Array.from(graphemes.segment(part), ({ segment }) => segment),
			);
	}

	/** Whether the first font draws all letters, each as wide as its columns. */
	private isOnGrid(part: string): boolean {
		return [...part].every(letter => {
			const columns = columnsOf(letter);
			const off = this.first.metrics.widthOf(letter) - columns * this.column;
			return has(this.first, letter) && (columns === 0 || Math.abs(off) < tolerance);
		});
	}

	/** A part in its columns: in the middle of them, made smaller where it is wider. */
	private placed(text: string, column: number): CodePiece {
		const letters = [...text];
		const { family, metrics } =
			this.fonts.find(font => letters.every(letter => has(font, letter))) ??
			this.fonts.find(font => has(font, letters[0] ?? "")) ??
			this.first;
		const room = columnsOf(text) * this.column;
		const width =
			shaped.test(text) || letters.length > 1 ? this.inkWidth(text, family) : metrics.widthOf(text);
		const scale = width > room ? room / width : 1;
		return { text, family, column, scale, shift: (room - width * scale) / 2 };
	}

	private inkWidth(text: string, family: string): number {
		const key = `${family}\n${text}`;
		const known = this.widths.get(key) ?? this.inkEnd(text, family);
		this.widths.set(key, known);
		return known;
	}
}

/** Whether a font has a letter; blanks have no ink that could be missing. */
function has({ metrics }: NamedFont, letter: string): boolean {
	return /[\s\u200C\u200D]/.test(letter) || metrics.covers(letter.codePointAt(0) ?? 0);
}
