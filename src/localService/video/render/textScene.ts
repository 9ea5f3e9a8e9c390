import { typedStrength } from "../../../clip/promptContent.ts";
import { type ReadableText, readMarkdown, styledParts } from "../../../common/plainMarkdown.ts";
import {
	balanceText,
	countBroken,
	joinHardWraps,
	type WrappedLine,
	wrapText,
} from "../layout/wrapText.ts";
import {
	layOutTable,
	splitTables,
	tableText,
	tableWidth,
	type TextTable,
} from "../layout/textTable.ts";
import { wholeRows } from "../layout/codeLayout.ts";
import { tallerStage } from "../layout/stage.ts";
import { drawableText, isRightToLeft } from "../layout/drawableText.ts";
import { easeOut, progressBetween, type Palette } from "../layout/palette.ts";
import type { Sprite } from "./bitmap.ts";
import { appearance, type ClipAct, sceneOf } from "./clipScene.ts";
import { RowSheets } from "./rowSheets.ts";
import { type Scene, type SceneTiming, type TextTools } from "./scene.ts";
import { svgText } from "./svgText.ts";

/** Font sizes from poster down to the smallest comfortable one: 5 % of the height of the widest frame. */
const sizes = [88, 78, 70, 62, 54, 47, 41, 36, 32, 28] as const;
const smallestSize = 28;
/** Smaller sizes for tables, whose rows are not broken; down to 24 pixels at a width of 1280. */
const tableSizes = [24, 21, 18] as const;
/** The least line width in em, about a dozen letters. */
const fewestEms = 8;
const lineHeight = 1.36;
/** How far marks extend above and below a line, relative to the font size. */
const overhang = 0.3;
/** Text of this size or larger is bold, like a title. */
const boldFrom = 47;

/** Laid out text. Every line fits the width. */
export interface TextLayout {
	/** Font size, 28 to 88. */
	readonly size: number;
	readonly lines: readonly WrappedLine[];
	readonly titleLines: number;
	/** Font size of the title. */
	readonly titleSize: number;
}

/** Space between a title, paragraphs and tables, relative to a line. */
const blockGap = 0.4;
/** Size of a title relative to the other text. */
const titleScale = 1.2;
/** Blank lines between paragraphs. */
const blankLines = /\n(?:[^\S\n]*\n)+/;

/** Size of code in prose, relative to the prose, whose letters look smaller. */
const codeScale = 0.92;

/** Returns a function that measures styled text in em. */
function measuring({ sans, mono }: TextTools): (text: string) => number {
	return text =>
		styledParts(text).reduce(
			(sum, part) =>
				sum +
				(part.style === "code" ? mono.widthOf(part.text) * codeScale : sans.widthOf(part.text)),
			0,
		);
}

/** Chooses the largest size at which all text fits. Otherwise uses the smallest, and the text scrolls. */
export function layOutText({ title, body }: ReadableText, artist: TextTools): TextLayout {
	const { text: area } = artist.stage;
	const widthOf = measuring(artist);
	const roomAt = (size: number) => ({ width: area.width / size, widthOf });
	const parts = splitTables(body).flatMap((part): readonly (string | TextTable)[] =>
		typeof part === "string" ? part.split(blankLines) : [part],
	);
	const tables = parts.filter((part): part is TextTable => typeof part !== "string");
	const widest = Math.max(0, ...tables.map(table => tableWidth(table, widthOf)));
	const titleSizeAt = (size: number): number =>
		Math.max(size, Math.min(size * titleScale, area.width / fewestEms));
	const fitsTables = (size: number): boolean => widest <= area.width / size;
	const hasColumns = tables.length > 0 && fitsTables(tableSizes[2]);
	const layOutAt = (size: number, wrap: typeof balanceText): TextLayout => {
		const titleSize = titleSizeAt(size);
		const heading = wrap(title, roomAt(titleSize));
		const blocks = parts.map(part => {
			const text = typeof part === "string" ? part : tableText(part);
			return typeof part === "string" || !hasColumns
				? wrap(text, roomAt(size))
				: layOutTable(part, widthOf);
		});
		const lines = [heading, ...blocks]
			.filter(block => block.length > 0)
			.flatMap((block, index) =>
				block.map((line, row) => ({ ...line, isApart: index > 0 && row === 0 })),
			);
		return { size, lines, titleLines: heading.length, titleSize };
	};
	const brokenAt = (size: number): number =>
		countBroken(title, roomAt(titleSizeAt(size))) + countBroken(body, roomAt(size));
	const all = hasColumns ? [...sizes, ...tableSizes].filter(fitsTables) : sizes;
	for (const size of all.filter(size => size <= area.width / fewestEms)) {
		const layout = layOutAt(size, balanceText);
		const isWhole = size <= smallestSize || brokenAt(size) === brokenAt(smallestSize);
		if (isWhole && heightOf(layout) <= area.height) {
			return layout;
		}
	}
	return layOutAt(all.find(size => size <= smallestSize) ?? smallestSize, wrapText);
}

function heightOf(layout: TextLayout): number {
	return topsOf(layout).at(-1) ?? 0;
}

/** Returns the distance of each line, and of the end, from the first line's top. */
function topsOf({ lines, size }: TextLayout): readonly number[] {
	const tops: number[] = [];
	let rows = 0;
	for (const { isApart } of lines) {
		rows += isApart ? blockGap : 0;
		tops.push(rows * size * lineHeight);
		rows += 1;
	}
	return [...tops, rows * size * lineHeight];
}

function sizeOf({ size, titleLines, titleSize }: TextLayout, row: number): number {
	return row < titleLines ? titleSize : size;
}

/** A part of a line that appears separately: a word, or the whole line. */
interface TextUnit {
	readonly row: number;
	readonly left?: number;
	readonly right?: number;
}

/** Shares of the action by which the first lines have appeared, and a longer text has scrolled to its end. */
const arrivedBy = 0.45;
const scrolledBy = 0.96;
/** Share of the first lines' arrival for a single line. */
const lineShare = 0.3;

/**
 * Creates a text card for prose: lines or words appear one after another, and a long text scrolls. A storyboard's later scenes begin with the heading
 * or the first line, because an empty card between two scenes looks like a blink.
 */
export function createTextScene(
	prompt: string,
	timing: SceneTiming,
	usual: TextTools,
): Omit<Scene, "undrawn"> {
	const palette = usual.paletteOf(prompt);
	const drawable = joinHardWraps(drawableText(prompt, usual.sans).trim());
	const isFromRight = isRightToLeft(drawable);
	const layout = layOutText(readMarkdown(drawable, !isFromRight), usual);
	const high = Math.min(heightOf(layout), wholeRows * layout.size * lineHeight);
	const { stage } = usual;
	const artist = usual.isStill
		? { ...usual, stage: tallerStage(stage, high - stage.text.height) }
		: usual;
	const sheets = drawLines(layout, isFromRight, palette, artist);
	const isTyped = timing.motionStrength === typedStrength;
	const units = layout.lines.flatMap((line, row): readonly TextUnit[] =>
		isTyped && !isFromRight && !line.cells && isSimple(line.text)
			? wordUnits(line, row, sizeOf(layout, row), artist)
			: [{ row }],
	);
	const at = arrivalOf(units, layout, sheets, { isTyped, timing, artist });
	return sceneOf({ still: [], isText: true, isCleared: true, at }, timing, palette, artist);
}

function arrivalOf(
	units: readonly TextUnit[],
	layout: TextLayout,
	sheets: RowSheets,
	look: { readonly isTyped: boolean; readonly timing: SceneTiming; readonly artist: TextTools },
): ClipAct["at"] {
	const { text: area } = look.artist.stage;
	const tops = topsOf(layout);
	const high = heightOf(layout);
	// Ends with a whole line at the top.
	const rest = tops.find(top => top >= high - area.height) ?? 0;
	const top = area.y + Math.max(0, area.height - high) / 2;
	const topOf = (row: number): number => top + (tops[row] ?? 0);
	const inSight = units.filter(({ row }) => topOf(row) < area.y + area.height).length;
	const all = rest > 0 ? 0.12 : look.isTyped ? 0.85 : arrivedBy;
	const opacityOf = appearance(all * lineShare, look.timing);
	const opening = layout.titleLines > 0 || look.isTyped ? layout.titleLines : 1;
	const given = look.timing.isLater ? units.filter(({ row }) => row < opening).length : 0;
	return share => {
		const moved = rest * progressBetween(share, all, scrolledBy);
		const scrolled = Math.round(moved);
		return units.flatMap(({ row, left, right }, index): readonly Sprite[] => {
			const order = Math.min(1, (index - given) / Math.max(1, inSight - given - 1));
			const start = order * all * (look.isTyped ? 1 : 0.7);
			const come = look.isTyped
				? Number(share > start || index === 0)
				: index < given
					? 1
					: easeOut(progressBetween(share, start, start + all * lineShare));
			const y = topOf(row) - scrolled + Math.round((1 - come) * 12);
			return sheets.sprites({
				row,
				y,
				opacity: opacityOf(come),
				...(right !== undefined && { left, right }),
			});
		});
	};
}

function drawLines(
	layout: TextLayout,
	isFromRight: boolean,
	palette: Palette,
	artist: TextTools,
): RowSheets {
	const { text: area, height } = artist.stage;
	const { size, lines, titleLines } = layout;
	const step = size * lineHeight;
	const draw = (row: number, top: number): readonly string[] => {
		const line: WrappedLine = lines[row] ?? { text: "", indent: 0 };
		const isHeading = row < titleLines || line.isHead === true;
		const own = sizeOf(layout, row);
		return (line.cells ?? [{ text: line.text, at: line.indent }]).flatMap(cell => {
			let x = isFromRight ? area.x + area.width - cell.at * size : area.x + cell.at * size;
			return styledParts(cell.text).map(({ text, style }) => {
				const [left, isCode] = [x, style === "code"];
				x += own * (isCode ? artist.mono.widthOf(text) * codeScale : artist.sans.widthOf(text));
				return svgText({
					...{ text, x: left, baseline: top + size * 0.98, size: isCode ? own * codeScale : own },
					fill: isHeading ? palette.heading : palette.text,
					font: isCode ? "mono" : "sans",
					isBold: size >= boldFrom || isHeading || style === "bold",
					isStruck: style === "struck",
					isRightAligned: isFromRight,
					isRightToLeft: isFromRight,
					fonts: artist.fonts,
				});
			});
		});
	};
	// Marks of tall scripts extend above and below a line.
	const rows = { count: lines.length, step, draw, overhang: size * overhang };
	const [top, bottom] = [area.y - size * overhang, area.y + area.height + size * overhang];
	return new RowSheets(
		rows,
		{ top: Math.max(0, top), height: Math.min(height, bottom) - top },
		artist,
	);
}

/** Whether the width of each word is the sum of its letters' widths. */
function isSimple(line: string): boolean {
	return !/[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]/u.test(
		line,
	);
}

/** Splits a line into words, cut in the middle of the spaces. Only for left-to-right text. */
function wordUnits(
	line: WrappedLine,
	row: number,
	size: number,
	artist: TextTools,
): readonly TextUnit[] {
	const { width, text: area } = artist.stage;
	const space = artist.sans.widthOf(" ") * size;
	const widthOf = measuring(artist);
	const words = line.text.split(" ");
	let end = area.x + line.indent * size;
	return words.map((word, index) => {
		const left = index === 0 ? 0 : end - space / 2;
		end += widthOf(word) * size + space;
		return { row, left, right: index === words.length - 1 ? width : end - space / 2 };
	});
}
