import type { CodeFonts } from "../fonts/index.ts";
import { plainMarkdown } from "../../../common/plainMarkdown.ts";
import type { Bitmap, Sprite } from "./bitmap.ts";
import { columnsOf } from "../../../clip/columns.ts";
import {
	breakWord,
	type CodeRow,
	drawableLine,
	drawableText,
	easeOut,
	fitPane,
	progressBetween,
	type Palette,
	rowHeight,
	type ClipStage,
	titleHeight,
} from "../layout/index.ts";
import type { CodeTools, SceneTiming } from "./scene.ts";
import { svgPicture, svgText } from "./svgText.ts";

/** Where the first of some rows begins: they are in the middle of the window when they leave room. */
export function topOfRows(count: number, size: number, { room, pane }: ClipStage): number {
	const free = room.height + 30 - count * size * rowHeight;
	return pane.y + titleHeight + Math.max(14, free / 2);
}

/** The same means, with the window as high as so many rows need it. */
export function withPane(artist: CodeTools, rows: number, size: number): CodeTools {
	return { ...artist, stage: fitPane(artist.stage, rows * size * rowHeight) };
}

/** Stands in code for a letter that no font has: as wide as the others, where Unicode's own sign is wider than a column. */
const missing = "·";

/** A code's text as the fonts can draw it. */
export function drawableCode(code: string, artist: CodeTools): string {
	return drawableText(code, artist.code, missing).replaceAll(/^\n+|\n+$/g, "");
}

/** As `drawableCode`, for one line. */
export function drawableCodeLine(line: string, artist: CodeTools): string {
	return drawableLine(line, artist.code, missing);
}

/** Gives the window's title: the words before the code, or its language. */
export function paneTitle(
	caption: string,
	language: string | undefined,
	artist: CodeTools,
): string {
	const words = plainMarkdown(caption);
	const shown = words === "" ? languageName(language) : drawableText(words, artist.sans);
	const line = shown.replaceAll(/\s+/g, " ");
	const size = 19;
	const room = Math.min(620, artist.stage.pane.width - 150);
	const [start = ""] = breakWord(line, { width: room / size, widthOf: artist.sans.widthOf });
	return start === line ? line : `${start.trimEnd()}…`;
}

/** Languages whose names are not just their first letter made large. */
const languageNames: Readonly<Record<string, string>> = {
	bash: "Bash",
	cpp: "C++",
	csharp: "C#",
	css: "CSS",
	html: "HTML",
	javascript: "JavaScript",
	js: "JavaScript",
	json: "JSON",
	jsx: "JSX",
	php: "PHP",
	py: "Python",
	rs: "Rust",
	sh: "Shell",
	sql: "SQL",
	ts: "TypeScript",
	tsx: "TSX",
	typescript: "TypeScript",
	xml: "XML",
	yaml: "YAML",
	yml: "YAML",
};

function languageName(language = "code"): string {
	return languageNames[language] ?? `${language.slice(0, 1).toUpperCase()}${language.slice(1)}`;
}

/** Draws the window without its rows. */
export function drawPane(title: string, palette: Palette, artist: CodeTools): Bitmap {
	const { width, height } = artist.stage;
	const { x, y, width: wide, height: high } = artist.stage.pane;
	// On a light ground, full shadows would look like dirt.
	const depth = palette.edge === "#000000" ? 0.35 : 1;
	const shadows = [26, 17, 9].map(
		(spread, index) =>
			`<rect x="${x - spread / 2}" y="${y + 8}" width="${wide + spread}" height="${high + spread / 2}" rx="${16 + spread / 2}" fill="#000000" fill-opacity="${(0.07 + index * 0.04) * depth}"/>`,
	);
	const dots = palette.dots.map(
		(color, index) => `<circle cx="${x + 26 + index * 24}" cy="${y + 24}" r="7" fill="${color}"/>`,
	);
	return artist.drawText(
		svgPicture(
			width,
			height,
			...shadows,
			`<rect x="${x}" y="${y}" width="${wide}" height="${high}" rx="16" fill="${palette.pane.fill}" fill-opacity="${palette.pane.opacity}"/>`,
			`<rect x="${x + 0.75}" y="${y + 0.75}" width="${wide - 1.5}" height="${high - 1.5}" rx="15.5" fill="none" stroke="${palette.edge}" stroke-opacity=".16" stroke-width="1.5"/>`,
			`<rect x="${x}" y="${y + titleHeight}" width="${wide}" height="1" fill="${palette.edge}" fill-opacity=".1"/>`,
			...dots,
			svgText({
				text: title,
				x: x + 112,
				baseline: y + 31,
				size: 19,
				fill: palette.pane.title,
				font: "sans",
				fonts: artist.fonts,
			}),
		),
	);
}

/** The rest of a row, with its color. */
export interface RowMark {
	readonly text: string;
	readonly fill: string;
}

/** How rows of code are drawn. */
export interface RowLook<Row extends CodeRow = CodeRow> {
	/** Top of the first row, in pixels. */
	readonly top: number;
	readonly size: number;
	/** Width of one column in pixels. */
	readonly column: number;
	readonly palette: Palette;
	/** In place of the line numbers. */
	readonly markOf?: (row: Row) => RowMark;
}

/** A sheet of rows, as large as the frame, with their numbers. */
export function drawRows<Row extends CodeRow>(
	rows: readonly Row[],
	look: RowLook<Row>,
	artist: CodeTools,
): Bitmap {
	const { top, size, palette } = look;
	const { pane, gutter, numberGap, width, height } = artist.stage;
	const numberOf = (row: Row): RowMark => ({
		text: row.number === undefined ? "" : String(row.number),
		fill: palette.lineNumber,
	});
	const texts = rows.flatMap((row, index) => {
		const baseline = top + index * size * rowHeight + size;
		const mark = (look.markOf ?? numberOf)(row);
		const number = svgText({
			...mark,
			x: pane.x + gutter - numberGap,
			baseline,
			size: size * 0.8,
			font: "mono",
			family: artist.code.familyOf(mark.text),
			isRightAligned: true,
		});
		return [number, ...tokenTexts(row, baseline, { ...look, left: pane.x + gutter }, artist.code)];
	});
	return artist.drawText(svgPicture(width, height, ...texts));
}

/** Every token at its own column, so that the code is in a grid whatever font a letter comes from. */
function tokenTexts(
	row: CodeRow,
	baseline: number,
	{ left, size, column, palette }: Pick<RowLook, "column" | "size" | "palette"> & { left: number },
	fonts: CodeFonts,
): readonly string[] {
	let columns = 0;
	return row.tokens.flatMap(({ kind, text }) => {
		const start = columns;
		columns += columnsOf(text);
		return fonts.piecesOf(text).map(piece =>
			svgText({
				text: piece.text,
				x: left + (start + piece.column) * column + piece.shift * size,
				baseline,
				size: size * piece.scale,
				fill: palette.code[kind],
				font: "mono",
				family: piece.family,
			}),
		);
	});
}

/** A rectangle of one color. */
export function drawBlock(
	artist: CodeTools,
	block: { fill: string; opacity: number; width: number; height: number },
): Bitmap {
	const { fill, opacity, width: wide, height: high } = block;
	return artist.drawText(
		svgPicture(
			wide,
			high,
			`<rect width="${wide}" height="${high}" fill="${fill}" fill-opacity="${opacity}"/>`,
		),
	);
}

/**
 * The window with what is in it comes in, from further away the stronger the motion, and then holds still: letters that
 * rest on whole pixels are sharp, and are read more easily than letters that sway.
 */
export function arrived(
	sprites: readonly Sprite[],
	timing: SceneTiming,
	seconds: number,
): readonly Sprite[] {
	const arrival = easeOut(progressBetween(seconds + 0.2, 0, 0.5));
	const dy = Math.round((1 - arrival) * 8 * timing.motionStrength);
	return sprites.map(sprite => ({
		...sprite,
		y: sprite.y + dy,
		opacity: sprite.opacity * (0.25 + 0.75 * arrival),
	}));
}
