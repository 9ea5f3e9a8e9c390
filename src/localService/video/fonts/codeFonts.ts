import { columnsOf } from "../../../clip/columns.ts";
import { fromRightScripts } from "../layout/drawableText.ts";
import type { FontMetrics } from "../layout/fontMetrics.ts";
import type { CodeFace } from "./bundledFaces.ts";
import { combiningScripts } from "./clusters.ts";

export interface NamedFont {
	readonly family: string;
	readonly metrics: FontMetrics;
	/** What tells it from the family's regular face. */
	readonly face?: FaceStyle;
}

export interface FaceStyle {
	readonly isBold?: boolean | undefined;
	readonly isItalic?: boolean | undefined;
}

/** Fonts in the place of the first one for code in other styles. */
export type FontFaces = Readonly<Partial<Record<CodeFace, readonly NamedFont[]>>>;

/** Text drawn in one font from one position. */
export interface CodePiece {
	readonly text: string;
	readonly family: string;
	/** Column where the piece starts, relative to the text. */
	readonly column: number;
	/** Offset from the start of that column, in em. */
	readonly shift: number;
	/** Scale that makes the piece fit its columns. Over 1 for signs such as `✓`, which fonts of many letters draw small. */
	readonly scale: number;
	/** How far the piece is raised above the baseline, in em. */
	readonly rise?: number;
	/** The parts of the wanted style that its font has. */
	readonly face?: FaceStyle | undefined;
	/** Whether it is a part of a drawing, such as a table's line, that fills the whole row. */
	readonly isDrawing?: boolean;
}

/** Scripts with joined or combined letters, which are as wide as their ink. */
const shaped = new RegExp(
	String.raw`[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}${combiningScripts}]`,
	"u",
);

/** Right-to-left words and the text between them. They would change places if drawn one by one. */
const fromRight = new RegExp(
	String.raw`(${fromRightScripts}(?:[\s\p{N}\p{P}\p{S}\p{M}\u200C\u200D]*${fromRightScripts})*\p{M}*)`,
	"u",
);

/** Box drawing and block characters. */
const drawing = /[\u2500-\u259F]/;

/** The bundled font that all drawings use, and their extent above and below the baseline in em. */
export const drawingFont = { family: "DejaVu Sans Mono", above: 0.928, below: 0.236 } as const;

/** Symbols that are drawn at the height of a capital letter: check marks, the arrows of prompts, and the multiplication sign, which marks a failed test. */
const sign = /^(?:[\u2700-\u27BF]|×)$/u;

/** Height of a sign and the height of its middle above the baseline, in em, and its largest width in columns. */
const signSize = { height: 0.7, middle: 0.36, columns: 1.2 } as const;

const oneFont = /^[\x20-\x7E]*$/;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Difference between a letter's and its columns' width from which the letter is drawn separately, in em. */
const tolerance = 0.004;

/** The extent of a text's ink from its start and above its baseline, in em. */
export interface Ink {
	readonly left: number;
	readonly right: number;
	readonly bottom: number;
	readonly top: number;
}

/**
 * The fonts of code. The first one defines the column width. Letters missing in it are drawn within their columns with the first other font that has
 * them. `inkOf` returns the ink of a text in a font.
 */
export class CodeFonts {
	/** Width of a column in em. */
	readonly column: number;
	private readonly first: NamedFont;
	private readonly fonts: readonly NamedFont[];
	private readonly findInk: (text: string, family: string) => Ink;
	private readonly faces: FontFaces;
	private readonly inks = new Map<string, Ink>();

	constructor(
		first: NamedFont,
		others: readonly NamedFont[],
		inkOf: (text: string, family: string) => Ink,
		faces: FontFaces = {},
	) {
		this.faces = faces;
		this.first = first;
		this.fonts = [first, ...others];
		this.findInk = inkOf;
		this.column = first.metrics.widthOf("0");
	}

	/** Returns the first font that has all letters of a text, or the very first font. */
	familyOf(text: string): string {
		const letters = [...text];
		const font = this.fonts.find(font => letters.every(letter => has(font, letter)));
		return (font ?? this.first).family;
	}

	readonly covers = (codePoint: number): boolean =>
		this.fonts.some(({ metrics }) => metrics.covers(codePoint));

	/** Splits a text into pieces that together take as many columns as the text, in the faces of a style where they have its letters. Omits blank pieces. */
	piecesOf(text: string, style: FaceStyle = {}): readonly CodePiece[] {
		const pieces: CodePiece[] = [];
		const fonts = [...this.facesOf(style), this.first];
		let grid = { text: "", font: this.first };
		let column = 0;
		const endGrid = (): void => {
			const { text: own, font } = grid;
			const { family, face } = font;
			pieces.push({ text: own, family, face, column: column - columnsOf(own), shift: 0, scale: 1 });
			grid = { text: "", font };
		};
		// Within code, a cross is an operator.
		const isSign = (part: string): boolean =>
			sign.test(part) && (part !== "×" || text.trim() === "×");
		for (const part of this.isPlain(text, fonts) ? [text] : this.partsOf(text)) {
			const font = isSign(part) ? undefined : fonts.find(own => this.isOnGrid(part, own));
			if (font && font !== grid.font) {
				endGrid();
			}
			if (font) {
				grid = { text: grid.text + part, font };
			} else {
				endGrid();
				pieces.push(isSign(part) ? this.placedSign(part, column) : this.placed(part, column));
			}
			column += columnsOf(part);
		}
		endGrid();
		return pieces.filter(piece => piece.text.trim() !== "");
	}

	/** Returns the fonts of a style's face; none for the regular one. */
	private facesOf({ isBold, isItalic }: FaceStyle): readonly NamedFont[] {
		const { bold = [], italic = [], boldItalic = [] } = this.faces;
		if (isBold && isItalic) {
			return [...boldItalic, ...bold, ...italic];
		}
		return isBold ? bold : isItalic ? italic : [];
	}

	/** Whether a text has letters of ASCII alone, which the first of the fonts has. */
	private isPlain(text: string, [first]: readonly NamedFont[]): boolean {
		return oneFont.test(text) && (first === this.first || first?.metrics.covers(0x41) === true);
	}

	/** Splits a text into letters, but keeps right-to-left words whole. */
	private partsOf(text: string): readonly string[] {
		return text
			.split(fromRight)
			.flatMap((part, index) =>
				index % 2 === 1 && !this.isOnGrid(part, this.first)
					? [part]
					: Array.from(graphemes.segment(part), ({ segment }) => segment),
			);
	}

	/** Whether a font has all letters, each as wide as its columns. */
	private isOnGrid(part: string, font: NamedFont): boolean {
		if (drawing.test(part)) {
			return false;
		}
		return [...part].every(letter => {
			const columns = columnsOf(letter);
			const off = font.metrics.widthOf(letter) - columns * this.column;
			return has(font, letter) && (columns === 0 || Math.abs(off) < tolerance);
		});
	}

	/** Centers a part in its columns, scaled down if it is wider. */
	private placed(text: string, column: number): CodePiece {
		const letters = [...text];
		if (letters.every(letter => drawing.test(letter))) {
			return { text, family: drawingFont.family, column, scale: 1, shift: 0, isDrawing: true };
		}
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

	/** Centers a sign in its columns, as high as a capital letter. */
	private placedSign(text: string, column: number): CodePiece {
		const family = this.familyOf(text);
		const { left, right, bottom, top } = this.inkOf(text, family);
		const room = columnsOf(text) * this.column;
		const widest = room * signSize.columns;
		const scale = Math.max(
			0.5,
			Math.min(signSize.height / (top - bottom || 1), widest / (right - left || 1), 2),
		);
		return {
			text,
			family,
			column,
			scale,
			shift: room / 2 - ((left + right) / 2) * scale,
			rise: signSize.middle - ((bottom + top) / 2) * scale,
		};
	}

	private inkWidth(text: string, family: string): number {
		return this.inkOf(text, family).right;
	}

	private inkOf(text: string, family: string): Ink {
		const key = `${family}\n${text}`;
		const known = this.inks.get(key) ?? this.findInk(text, family);
		this.inks.set(key, known);
		return known;
	}
}

/** Whether a font has a letter. Spaces have no ink that could be missing. */
function has({ metrics }: NamedFont, letter: string): boolean {
	return /[\s\u200C\u200D]/.test(letter) || metrics.covers(letter.codePointAt(0) ?? 0);
}
