import { plainMarkdown } from "../../../common/plainMarkdown.ts";
import { type CodePiece, drawingFont } from "../fonts/codeFonts.ts";
import type { Bitmap, Sprite } from "./bitmap.ts";
import { RowSheets } from "./rowSheets.ts";
import { columnsOf } from "../../../clip/columns.ts";
import { breakWord } from "../layout/wrapText.ts";
import { drawableText, drawableLine } from "../layout/drawableText.ts";
import {
	type CodeRow,
	firstRows,
	chosenSizes,
	type CodeLayoutOptions,
	layOutTokens,
	overviewSizes,
	rowStep,
	wholeRows,
} from "../layout/codeLayout.ts";
import { type ClipStage, fitPane, insetSide, tallerStage } from "../layout/stage.ts";
import type { ChangeLine } from "../../../clip/changeLines.ts";
import type { CodeToken } from "../../../clip/codeToken.ts";
import { coloredTokens, versionOf } from "../../../clip/codeTexts.ts";
import type { ChangeTokens } from "../layout/changeLayout.ts";
import { highlightCode } from "../layout/highlightCode.ts";
import { fillOf, groundOf, type Palette } from "../layout/palette.ts";
import { type CodeTools, density, type SceneTools } from "./scene.ts";
import { svgPicture, svgText } from "./svgText.ts";

/** A clip's window; one as high as all rows, for a still picture; or one with all rows in the usual height, small. */
export type WindowKind = "usual" | "still" | "overview";

/** Lays out the lines of a window. Returns the stage with room for them. */
export function layOutWindow(
	lines: readonly (readonly CodeToken[])[],
	kind: WindowKind,
	{ stage, mono, typeSize }: CodeTools,
): { readonly size: number; readonly rows: readonly CodeRow[]; readonly stage: ClipStage } {
	const { room } = stage;
	if (kind === "overview") {
		const { size, rows } = layOutTokens(lines.slice(0, wholeRows), {
			room,
			mono,
			sizes: overviewSizes,
		});
		const left = lines.length - wholeRows;
		return { size, rows: firstRows(rows, left), stage };
	}
	const { size, rows } = layOutTokens(lines, { room, mono, ...sizesOf(typeSize) });
	if (kind === "usual") {
		return { size, rows, stage };
	}
	const shown = firstRows(rows);
	return {
		size,
		rows: shown,
		stage: tallerStage(stage, shown.length * rowStep(size) - room.height),
	};
}

export function sizesOf(typeSize: CodeTools["typeSize"]): Pick<CodeLayoutOptions, "sizes"> {
	const sizes = chosenSizes[typeSize];
	return sizes ? { sizes } : {};
}

/** Returns tools whose window is only as high and wide as these rows need. */
export function withPane(
	artist: CodeTools,
	rows: { readonly count: number; readonly columns: number; readonly size: number },
): CodeTools {
	const { count, columns, size } = rows;
	const step = rowStep(size);
	const width = columns * artist.mono.widthOf("0") * size + 2;
	// A row that is cut would show in part.
	const shown = Math.min(count, Math.max(1, Math.floor((artist.stage.room.height + 1) / step)));
	return { ...artist, stage: fitPane(artist.stage, { height: shown * step, width }) };
}

/** Replaces missing letters in code. U+FFFD would be wider than a column. */
const missing = "·";

/** Replaces what the fonts can't draw in a line of code. */
export function drawableCodeLine(line: string, artist: CodeTools): string {
	return drawableLine(line, artist.code, missing);
}

/** Returns the tokens of a whole text, in the editor's colors if they are known. A sentence takes the place of an unreadable one. */
export function codeTokens(
	lines: readonly string[],
	language: string | undefined,
	artist: CodeTools,
): readonly (readonly CodeToken[])[] {
	const code = lines.join("\n");
	const drawable = drawableText(code, artist.code, missing).trim();
	if (
		drawable.split("\n").length === 1 &&
		drawable !== drawableLine(code, artist.code, missing).trim()
	) {
		return [[{ kind: "plain", text: drawable }]];
	}
	const tokens = coloredTokens(lines, artist.colors) ?? highlightCode(lines, language);
	return tokens.map(line =>
		line.map(token => ({ ...token, text: drawableCodeLine(token.text, artist) })),
	);
}

/** Returns the lines of a change with their tokens, which are those of each version as a whole. */
export function changeTokens(
	change: readonly ChangeLine[],
	language: string | undefined,
	artist: CodeTools,
): readonly ChangeTokens[] {
	const tokens = new Map<ChangeLine, readonly CodeToken[]>();
	for (const gone of ["added", "removed"] as const) {
		const lines = versionOf(change, gone);
		const texts = lines.map(({ text }) => text);
		const found = coloredTokens(texts, artist.colors) ?? highlightCode(texts, language);
		lines.forEach((line, index) => tokens.set(line, found[index] ?? []));
	}
	return change.map(line => ({
		...line,
		text: drawableCodeLine(line.text, artist),
		tokens: (tokens.get(line) ?? []).map(token => ({
			...token,
			text: drawableCodeLine(token.text, artist),
		})),
	}));
}

const titleSize = 18;

/** Returns the window's title: the text before the code, or its language if known. May be empty. */
export function paneTitle(
	caption: string,
	language: string | undefined,
	artist: CodeTools,
): string {
	const words = plainMarkdown(caption);
	const shown = words === "" ? languageName(language) : drawableLine(words, artist.sans);
	const line = shown.replaceAll(/\s+/g, " ");
	const room = artist.stage.pane.width - 150;
	const [start = ""] = breakWord(line, { width: room / titleSize, widthOf: artist.sans.widthOf });
	return start === line ? line : `${start.trimEnd()}…`;
}

/** Names of languages that aren't just capitalized. */
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

function languageName(language = ""): string {
	return languageNames[language] ?? `${language.slice(0, 1).toUpperCase()}${language.slice(1)}`;
}

/** Returns the SVG of a rule over the window's width. */
function paneRule(
	{ x, width }: { readonly x: number; readonly width: number },
	y: number,
	{ edge }: Palette,
): string {
	return `<rect x="${x}" y="${y}" width="${width}" height="1" fill="${edge}" fill-opacity=".09"/>`;
}

/** Enough that the steps of the window's shadow aren't seen. */
const shadowSteps = 13;

/** Draws the window without its rows. */
export function drawPane(title: string, palette: Palette, artist: SceneTools): Sprite {
	const { width, height, titleHeight } = artist.stage;
	const { x, y, width: wide, height: high } = artist.stage.pane;
	// Full shadows would look dirty on a light background.
	const depth = palette.edge === "#000000" ? 0.4 : 1;
	const shadows = Array.from({ length: shadowSteps }, (_, index) => {
		const spread = 3 * (shadowSteps - index);
		return `<rect x="${x - spread / 2}" y="${y + 6}" width="${wide + spread}" height="${high + spread / 2}" rx="${12 + spread / 2}" fill="#000000" fill-opacity="${((0.012 + index * 0.003) * depth).toFixed(4)}"/>`;
	});
	const dots = palette.dots.map(
		(color, index) =>
			`<circle cx="${x + 26 + index * 21}" cy="${y + titleHeight / 2}" r="6" fill="${color}"/>`,
	);
	const bar = [
		paneRule(artist.stage.pane, y + titleHeight, palette),
		...dots,
		svgText({
			text: title,
			x: artist.ground === "none" ? x + insetSide : x + 102,
			baseline: y + titleHeight / 2 + 6,
			size: titleSize,
			fill: palette.pane.title,
			font: "sans",
			fonts: artist.fonts,
		}),
	];
	if (artist.ground === "none") {
		const words = titleHeight > 0 ? bar.slice(-1) : [];
		const bitmap = artist.drawText(svgPicture(width, height, ...words));
		return { bitmap, x: 0, y: 0, scale: 1, opacity: 1 };
	}
	const bitmap = artist.drawText(
		svgPicture(
			width,
			height,
			...shadows,
			`<rect x="${x}" y="${y}" width="${wide}" height="${high}" rx="12" fill="${palette.pane.fill}"/>`,
			`<rect x="${x + 0.5}" y="${y + 0.5}" width="${wide - 1}" height="${high - 1}" rx="11.5" fill="none" stroke="${palette.edge}" stroke-opacity=".14" stroke-width="1"/>`,
			...(titleHeight > 0 ? bar : []),
		),
	);
	return { bitmap, x: 0, y: 0, scale: 1, opacity: 1 };
}

/** Height of the window's lower end with its shadow, which moves if the window is lower than drawn. */
const paneFoot = 40;

/** Makes a drawn window lower by `less`, with the same center. */
export function lowerPane(pane: Sprite, less: number, { stage }: CodeTools): readonly Sprite[] {
	const { width, height } = stage;
	const cut = stage.pane.y + stage.pane.height - paneFoot;
	const [down, up] = [less / 2, less - less / 2].map(by => Math.round(by * density) / density);
	const top = { x: 0, y: 0, width, height: cut - (down ?? 0) - (up ?? 0) };
	return [
		{ ...pane, region: top, y: down ?? 0 },
		{ ...pane, region: { x: 0, y: cut, width, height: height - cut }, y: cut - (up ?? 0) },
	];
}

export interface RowMark {
	readonly text: string;
	readonly fill: string;
}

export interface RowLook<Row extends CodeRow = CodeRow> {
	readonly size: number;
	readonly palette: Palette;
	/** Whether the code has the color of what isn't emphasized. */
	readonly isDim?: boolean;
	/** Returns a number or sign, or undefined for none. */
	readonly markOf?: ((row: Row) => RowMark | undefined) | undefined;
	/** Returns a sign to show between the number and the code. */
	readonly signOf?: ((row: Row) => RowMark | undefined) | undefined;
}

/** Distances to the code: of a number or sign alone, of a number followed by a sign, and of that sign. */
const markGaps = { alone: 16, number: 26, sign: 8 } as const;
const marksRoom = 58;
const signRoom = 15;
/** The least size of a number or sign beside code that is larger. */
const leastMark = 13;

/** Creates sheets of rows of code with their marks. Each token is at its own column. */
export function sheetsOfRows<Row extends CodeRow>(
	rows: readonly Row[],
	{ size, palette, isDim = false, markOf, signOf }: RowLook<Row>,
	artist: CodeTools,
): RowSheets {
	const { pane, gutter, room, roomTop } = artist.stage;
	const step = rowStep(size);
	const left = pane.x + gutter;
	const longest = Math.max(1, ...rows.map(row => markOf?.(row)?.text.length ?? 0));
	const gap = signOf ? markGaps.number : markGaps.alone;
	const sizeOf = (length: number, room: number): number =>
		Math.min(
			Math.max(size * 0.8, Math.min(size, leastMark)),
			room / (length * artist.mono.widthOf("0")),
		);
	const markSvg = (mark: RowMark, x: number, baseline: number, size: number): string =>
		svgText({
			...mark,
			x,
			baseline,
			size,
			font: "mono",
			isRightAligned: true,
			family: artist.code.familyOf(mark.text),
		});
	const draw = (index: number, top: number): readonly string[] => {
		const row = rows[index];
		const baseline = top + step / 2 + size * 0.34;
		const [mark, sign] = [row && markOf?.(row), row && signOf?.(row)];
		if (row?.isRule) {
			const y = top + Math.round(step) / 2;
			return [paneRule(pane, y, palette)];
		}
		const words = row ? tokenTexts(row, { left, top, baseline, size, palette, isDim }, artist) : [];
		const marks = [
			mark ? markSvg(mark, left - gap, baseline, sizeOf(longest, marksRoom - gap)) : "",
			sign ? markSvg(sign, left - markGaps.sign, baseline, sizeOf(1, signRoom)) : "",
		];
		return [...marks.filter(Boolean), ...words];
	};
	return new RowSheets(
		{ count: rows.length, step, draw },
		{ top: roomTop, height: room.height },
		artist,
	);
}

interface RowDrawing {
	readonly left: number;
	readonly top: number;
	readonly baseline: number;
	readonly size: number;
	readonly palette: Palette;
	readonly isDim: boolean;
}

/** Of letters that a program prints as dim in a color. */
const dimOpacity = 0.6;

/** Places every token at its column, so that code keeps its grid in any font. */
function tokenTexts(row: CodeRow, place: RowDrawing, { code, mono }: CodeTools): readonly string[] {
	const { left, top, baseline, size, palette, isDim } = place;
	const step = rowStep(size);
	const column = mono.widthOf("0") * size;
	let columns = 0;
	const stretch = step / size / (drawingFont.above + drawingFont.below);
	const drawn = { stretch, baseline: top + drawingFont.above * size * stretch };
	const rowPlace = ({ isDrawing, rise = 0 }: CodePiece) =>
		isDrawing ? drawn : { baseline: baseline - rise * size };
	return row.tokens.flatMap(token => {
		const { text, isBold, isItalic, isUnderlined, isStruck } = token;
		const start = columns;
		columns += columnsOf(text);
		const behind = groundOf(token.ground, palette);
		const block = `<rect x="${left + start * column}" y="${top}" width="${columnsOf(text) * column}" height="${step}" fill="${behind}"/>`;
		const words = code.piecesOf(text, { isBold, isItalic }).map(piece =>
			svgText({
				isBold,
				isItalic,
				isUnderlined,
				isStruck,
				text: piece.text,
				x: left + (start + piece.column) * column + piece.shift * size,
				...rowPlace(piece),
				size: size * piece.scale,
				fill: isDim ? palette.dim : fillOf(token, palette),
				font: "mono",
				family: piece.family,
				face: piece.face,
				...(token.isDim && { opacity: dimOpacity }),
			}),
		);
		return behind === undefined ? words : [block, ...words];
	});
}

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

/** Places a block behind a row. It meets those of the rows above and below, because all of them end at whole pixels. */
export function rowBlock(
	bitmap: Bitmap,
	row: { x: number; y: number; width: number; step: number; opacity: number },
): Sprite {
	const [top = 0, bottom = 0] = [row.y, row.y + row.step].map(
		edge => Math.round(edge * density) / density,
	);
	const region = { x: 0, y: 0, width: row.width, height: bottom - top };
	return { bitmap, region, x: row.x, y: top, scale: 1, opacity: row.opacity };
}

export function drawCursor(size: number, palette: Palette, artist: CodeTools): Bitmap {
	const height = Math.round(size * 1.2);
	return drawBlock(artist, { fill: palette.accent, opacity: 0.95, width: 2, height });
}
