/** A piece of a page's text as PDF.js returns it, in the order in which it is drawn. */
export interface PdfPiece {
	readonly text: string;
	readonly x: number;
	/** Upwards. */
	readonly y: number;
	readonly width: number;
	readonly height: number;
	/** Direction in radians. */
	readonly angle: number;
	readonly dir: string;
	readonly endsLine: boolean;
}

/** Where a cell is on its line. */
export interface Extent {
	readonly from: number;
	readonly to: number;
}

/** A line of a page. Its cells are what large gaps divide it into. */
export interface PdfLine {
	readonly cells: readonly string[];
	readonly extents: readonly Extent[];
	readonly y: number;
	readonly height: number;
}

/** A gap between two cells, in heights of the text: more than a space in justified text. */
const cellGap = 1.4;
/** A gap between two words. */
const wordGap = 0.16;
/** How far the pieces of one line may be above one another, such as exponents. */
const lineDrift = 0.5;

/** Joins pieces to lines in the order in which they are drawn, so that columns stay apart. */
export function linesOf(pieces: readonly PdfPiece[]): readonly PdfLine[] {
	const lines: PdfPiece[][] = [];
	let line: PdfPiece[] = [];
	for (const piece of pieces) {
		if (piece.text.trim() === "") {
			continue;
		}
		const [first] = line;
		if (first && !isOnLine(first, piece)) {
			lines.push(line);
			line = [];
		}
		line.push(piece);
	}
	return [...lines, line].filter(each => each.length > 0).map(lineOf);
}

function isOnLine(first: PdfPiece, piece: PdfPiece): boolean {
	const height = Math.max(first.height, piece.height, 1);
	return (
		Math.abs(first.angle - piece.angle) < 0.1 &&
		Math.abs(across(first) - across(piece)) < height * lineDrift
	);
}

/** Position along the direction of the text. */
function along({ x, y, angle }: PdfPiece): number {
	return x * Math.cos(angle) + y * Math.sin(angle);
}

function across({ x, y, angle }: PdfPiece): number {
	return y * Math.cos(angle) - x * Math.sin(angle);
}

function lineOf(pieces: readonly PdfPiece[]): PdfLine {
	const isRightToLeft = pieces.filter(({ dir }) => dir === "rtl").length * 2 > pieces.length;
	const sorted = pieces.toSorted((one, other) => along(one) - along(other));
	const height = Math.max(...pieces.map(each => each.height));
	const cells: { text: string[]; from: number; to: number }[] = [];
	for (const piece of sorted) {
		const from = along(piece);
		const to = from + Math.abs(piece.width);
		const last = cells.at(-1);
		const gap = last ? from - last.to : 0;
		if (!last || gap > height * cellGap) {
			cells.push({ text: [piece.text], from, to });
			continue;
		}
		last.text.push(gap > height * wordGap ? ` ${piece.text}` : piece.text);
		last.to = Math.max(last.to, to);
	}
	const ordered = isRightToLeft ? cells.toReversed() : cells;
	const [first] = sorted;
	return {
		cells: ordered.map(({ text }) => joined(isRightToLeft ? text.toReversed() : text)),
		extents: ordered.map(({ from, to }) => ({ from, to })),
		y: first ? across(first) : 0,
		height,
	};
}

function joined(texts: readonly string[]): string {
	return texts.join("").replaceAll(/\s+/g, " ").trim();
}
