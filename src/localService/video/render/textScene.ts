import { typedStrength } from "../../../clip/promptContent.ts";
import {
	quoteMark,
	type ReadableText,
	readMarkdown,
	styledParts,
} from "../../../common/plainMarkdown.ts";
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
import { type ClipStage, fitPane, tallerStage } from "../layout/stage.ts";
import { drawableText, isRightToLeft } from "../layout/drawableText.ts";
import { easeOut, progressBetween, type Palette } from "../layout/palette.ts";
import type { Sprite } from "./bitmap.ts";
import { appearance, type ClipAct, sceneOf } from "./clipScene.ts";
import { drawPane } from "./codePane.ts";
import { type RowPart, RowSheets } from "./rowSheets.ts";
import { type ProseTools, type Scene, type SceneTiming } from "./scene.ts";
import { svgText } from "./svgText.ts";
import type { FaceStyle } from "../fonts/codeFonts.ts";

/** Font sizes from poster down to the smallest comfortable one: 5 % of the height of the widest frame. */
const sizes = [88, 78, 70, 62, 54, 47, 41, 36, 32, 28] as const;
const smallestSize = 28;
/** Smaller sizes for tables, whose rows are not broken; down to 24 pixels at a width of 1280. */
const tableSizes = [24, 21, 18] as const;
/** The least line width in em, about a dozen letters. */
const fewestEms = 8;
const lineHeight = 1.36;
/** Height of a table's rows, relative to the font size. */
const rowHeight = 1.5;
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
	/** The title of the window that a table alone is in; undefined without a window. */
	readonly windowTitle?: string | undefined;
}

/** Space between a title, paragraphs and tables, relative to a line. */
const blockGap = 0.4;
/** Size of a title relative to the other text. */
const titleScale = 1.6;
/** Blank lines between paragraphs. */
const blankLines = /\n(?:[^\S\n]*\n)+/;

/** Size of code in prose, relative to the prose, whose letters look smaller. */
const codeScale = 0.92;

/** Returns a function that measures styled text in em, bold as a whole or as it is. */
function measuring({
	prose,
	mono,
}: Pick<ProseTools, "prose" | "mono">): (text: string, isBold: boolean) => number {
	return (text, isBold) =>
		styledParts(text).reduce(
			(sum, { text: own, style }) =>
				sum +
				(style === "code"
					? mono.widthOf(own) * codeScale
					: prose.widthOf(own, faceOf(style, isBold))),
			0,
		);
}

function faceOf(style: string | undefined, isBold: boolean): FaceStyle {
	return { isBold: isBold || style === "bold", isItalic: style === "italic" };
}

/** Chooses the largest size at which all text fits. Otherwise uses the smallest, and the text scrolls. */
export function layOutText({ title, body }: ReadableText, artist: ProseTools): TextLayout {
	const measure = measuring(artist);
	const parts = partsOf(body);
	const tables = parts.filter((part): part is TextTable => typeof part !== "string");
	const isWindow = tables.length === 1 && parts.length === 1;
	const { text, pane, room: inside } = artist.stage;
	const area = isWindow ? { width: pane.width - 2 * tableInset, height: inside.height } : text;
	const roomAt = (size: number, isBold: boolean) => ({
		width: area.width / size,
		widthOf: (text: string) => measure(text, isBold),
	});
	const isBoldAt = (size: number): boolean => title === "" && !isWindow && size >= boldFrom;
	const widest = Math.max(0, ...tables.map(table => tableWidth(table, measure)));
	const titleSizeAt = (size: number): number =>
		Math.max(size, Math.min(size * titleScale, area.width / fewestEms));
	const fitsTables = (size: number): boolean => widest <= area.width / size;
	const hasColumns = tables.length > 0 && fitsTables(tableSizes[2]);
	const layOutAt = (size: number, wrap: typeof balanceText): TextLayout => {
		const titleSize = titleSizeAt(size);
		if (isWindow && hasColumns) {
			const lines = tables.flatMap(table => layOutTable(table, measure, area.width / size));
			return { size, lines, titleLines: 0, titleSize, windowTitle: title };
		}
		const heading = wrap(title, roomAt(titleSize, true));
		const room = roomAt(size, isBoldAt(size));
		const blocks = parts.map(part => {
			const text = typeof part === "string" ? part : tableText(part);
			if (text.startsWith(quoteMark)) {
				return layOutQuote(text, room, wrap);
			}
			return typeof part === "string" || !hasColumns
				? wrap(text, room)
				: layOutTable(part, measure);
		});
		const lines = [heading, ...blocks]
			.filter(block => block.length > 0)
			.flatMap((block, index) =>
				block.map((line, row) => ({ ...line, isApart: index > 0 && row === 0 })),
			);
		return { size, lines, titleLines: heading.length, titleSize };
	};
	const brokenAt = (size: number): number =>
		countBroken(title, roomAt(titleSizeAt(size), true)) +
		countBroken(body, roomAt(size, isBoldAt(size)));
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

/** Distance of a table from its window's edges. */
const tableInset = 34;
/** Indentation of quotations, in em. */
const quoteIndent = 1.1;

/** Splits a text into paragraphs, quotations and tables. */
function partsOf(body: string): readonly (string | TextTable)[] {
	const isQuote = (line: string | undefined): boolean => line?.startsWith(quoteMark) === true;
	return splitTables(body).flatMap((part): readonly (string | TextTable)[] => {
		if (typeof part !== "string") {
			return [part];
		}
		const lines = part.split("\n");
		const apart = lines.map((line, index) =>
			index > 0 && isQuote(line) !== isQuote(lines[index - 1]) ? `\n${line}` : line,
		);
		return apart.join("\n").split(blankLines);
	});
}

/** Wraps a quotation beside its bar, with typographic quotation marks. */
function layOutQuote(
	text: string,
	room: { readonly width: number; readonly widthOf: (text: string) => number },
	wrap: typeof balanceText,
): readonly WrappedLine[] {
	const words = text
		.replaceAll(quoteMark, "")
		.replaceAll(/(?<![\p{L}\p{N}])"(?=\S)/gu, "“")
		.replaceAll(/(?<=\S)(?<!\d)"/gu, "”")
		.replaceAll(/(?<=\p{L})'(?=\p{L})/gu, "’");
	return wrap(words, { ...room, width: room.width - quoteIndent }).map(line => ({
		...line,
		indent: line.indent + quoteIndent,
		isQuote: true,
	}));
}

function heightOf(layout: TextLayout): number {
	return topsOf(layout).at(-1) ?? 0;
}

/** Returns the width of the widest line, in units. */
function widthOfLines(layout: TextLayout, artist: ProseTools): number {
	const widthOf = measuring(artist);
	const ends = layout.lines.map(({ text, indent, cells }, row) => {
		const last = cells?.at(-1);
		const isBold = isBoldRow(layout, row);
		const end = last ? last.at + widthOf(last.text, isBold) : indent + widthOf(text, isBold);
		return end * sizeOf(layout, row);
	});
	return Math.max(0, ...ends);
}

/** Returns the distance of each line, and of the end, from the first line's top. */
function topsOf(layout: TextLayout): readonly number[] {
	const tops: number[] = [];
	let top = 0;
	for (const [row, { isApart, cells }] of layout.lines.entries()) {
		top += isApart ? blockGap * layout.size * lineHeight : 0;
		tops.push(top);
		top += sizeOf(layout, row) * (cells ? rowHeight : row < layout.titleLines ? 1.2 : lineHeight);
	}
	return [...tops, top];
}

function sizeOf({ size, titleLines, titleSize }: TextLayout, row: number): number {
	return row < titleLines ? titleSize : size;
}

/** Whether a row is bold as a whole: a title, a table's head, or large text without a title. */
function isBoldRow({ lines, size, titleLines, windowTitle }: TextLayout, row: number): boolean {
	const isAlone = titleLines === 0 && windowTitle === undefined;
	return row < titleLines || lines[row]?.isHead === true || (isAlone && size >= boldFrom);
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
	usual: ProseTools,
): Omit<Scene, "undrawn"> {
	const palette = usual.paletteOf(prompt);
	const drawable = joinHardWraps(drawableText(prompt, usual.sans).trim());
	const isFromRight = isRightToLeft(drawable);
	const layout = layOutText(readMarkdown(drawable, !isFromRight), usual);
	const high = Math.min(heightOf(layout), wholeRows * layout.size * lineHeight);
	const { stage } = usual;
	const taller = usual.isStill ? tallerStage(stage, high - stage.text.height) : stage;
	const artist = { ...usual, stage: centered(taller, layout, usual) };
	const sheets = drawLines(layout, isFromRight, palette, artist);
	const isTyped = timing.motionStrength === typedStrength;
	const units = layout.lines.flatMap((line, row): readonly TextUnit[] =>
		isTyped && !isFromRight && !line.cells && isSimple(line.text)
			? wordUnits(line, row, { size: sizeOf(layout, row), isBold: isBoldRow(layout, row) }, artist)
			: [{ row }],
	);
	const at = arrivalOf(units, layout, sheets, { isTyped, timing, artist });
	const { windowTitle } = layout;
	const still = windowTitle === undefined ? [] : [drawPane(windowTitle, palette, artist)];
	const isText = still.length === 0 ? { isText: true as const } : {};
	return sceneOf({ still, ...isText, isCleared: true, at }, timing, palette, artist);
}

/** Places the text in the middle of the frame, and a table's window around it. */
function centered(stage: ClipStage, layout: TextLayout, artist: ProseTools): ClipStage {
	const { text, pane, room } = stage;
	if (layout.windowTitle !== undefined) {
		const fitted = fitPane(stage, { width: room.width, height: heightOf(layout) });
		const x = pane.x + tableInset;
		const size = { width: pane.width - 2 * tableInset, height: fitted.room.height };
		return { ...fitted, text: { x, y: fitted.roomTop, ...size } };
	}
	const width = Math.min(text.width, Math.ceil(widthOfLines(layout, artist)));
	return { ...stage, text: { ...text, x: text.x + Math.floor((text.width - width) / 2), width } };
}

function arrivalOf(
	units: readonly TextUnit[],
	layout: TextLayout,
	sheets: TextSheets,
	look: { readonly isTyped: boolean; readonly timing: SceneTiming; readonly artist: ProseTools },
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

/** Sheets of the title's lines, and of the others. */
interface TextSheets {
	sprites(part: RowPart): readonly Sprite[];
}

function drawLines(
	layout: TextLayout,
	isFromRight: boolean,
	palette: Palette,
	artist: ProseTools,
): TextSheets {
	const { text: area, height } = artist.stage;
	const { size, lines, titleLines, titleSize } = layout;
	const draw = (row: number, top: number): readonly string[] => {
		const line: WrappedLine = lines[row] ?? { text: "", indent: 0 };
		const isHeading = row < titleLines || line.isHead === true;
		const isBold = isBoldRow(layout, row);
		const own = sizeOf(layout, row);
		const baseline = top + own * (line.cells ? 1.05 : 0.98);
		const cells: NonNullable<WrappedLine["cells"]> = line.cells ?? [
			{ text: line.text, at: line.indent },
		];
		const words = cells.flatMap(cell => {
			let x = isFromRight ? area.x + area.width - cell.at * own : area.x + cell.at * own;
			const parts = markedParts(cell.text, isFromRight);
			// Kerning makes drawn words narrower than they are measured.
			const end = parts.length === 1 && !isFromRight ? cell.end : undefined;
			return parts.map(({ text, style, isMark }) => {
				const [left, isCode] = [end === undefined ? x : area.x + end * own, style === "code"];
				const face = faceOf(style, isBold);
				x +=
					own * (isCode ? artist.mono.widthOf(text) * codeScale : artist.prose.widthOf(text, face));
				return svgText({
					text,
					x: left,
					baseline,
					size: isCode ? own * codeScale : own,
					fill: isHeading || isMark ? palette.heading : palette.text,
					font: isCode ? "mono" : "sans",
					...face,
					isStruck: style === "struck",
					isRightAligned: isFromRight || end !== undefined,
					isRightToLeft: isFromRight,
					fonts: isCode ? artist.fonts : artist.prose.ofStyle(face),
				});
			});
		});
		return [...words, ...lineSigns(line, { top, size, isFromRight, palette, area })];
	};
	// Marks of tall scripts extend above and below a line.
	const [top, bottom] = [area.y - size * overhang, area.y + area.height + size * overhang];
	const window = { top: Math.max(0, top), height: Math.min(height, bottom) - top };
	const sheetsFrom = (first: number, count: number, own: number, high: number): RowSheets =>
		new RowSheets(
			{
				count,
				step: own * high,
				overhang: own * overhang,
				draw: (row, top) => draw(first + row, top),
			},
			window,
			artist,
		);
	const hasCells = lines.some(({ cells }) => cells);
	const title = sheetsFrom(0, titleLines, titleSize, lineHeight);
	const rest = lines.length - titleLines;
	const others = sheetsFrom(titleLines, rest, size, hasCells ? rowHeight : lineHeight);
	return {
		sprites: part =>
			part.row < titleLines
				? title.sprites(part)
				: others.sprites({ ...part, row: part.row - titleLines }),
	};
}

/** Splits a line into parts of one style, with the mark of a list item as one of them. */
function markedParts(text: string, isFromRight: boolean) {
	const [mark = ""] = isFromRight
		? []
		: (/^\s*(?:[•◦‣▪☐☑]|\p{Nd}{1,3}[.)])(?= )/u.exec(text) ?? []);
	const parts = styledParts(text.slice(mark.length)).map(part => ({ ...part, isMark: false }));
	return mark === "" ? parts : [{ text: mark, style: undefined, isMark: true }, ...parts];
}

/** Returns the bar beside a line of a quotation, and the rule below a table's head. */
function lineSigns(
	line: WrappedLine,
	{
		top,
		size,
		isFromRight,
		palette,
		area,
	}: {
		readonly top: number;
		readonly size: number;
		readonly isFromRight: boolean;
		readonly palette: Palette;
		readonly area: { readonly x: number; readonly width: number };
	},
): readonly string[] {
	const bar = Math.max(3, Math.round(size * 0.09));
	const x = isFromRight ? area.x + area.width - bar : area.x;
	const high = size * lineHeight;
	return [
		...(line.isQuote
			? [
					`<rect x="${x}" y="${top}" width="${bar}" height="${high + 0.5}" fill="${palette.heading}"/>`,
				]
			: []),
		...(line.isHead
			? [
					`<rect x="${area.x}" y="${Math.round(top + size * rowHeight) - 1}" width="${area.width}" height="1" fill="${palette.edge}" fill-opacity=".25"/>`,
				]
			: []),
	];
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
	{ size, isBold }: { readonly size: number; readonly isBold: boolean },
	artist: ProseTools,
): readonly TextUnit[] {
	const { width, text: area } = artist.stage;
	const widthOf = measuring(artist);
	const space = widthOf(" ", isBold) * size;
	const words = line.text.split(" ");
	let end = area.x + line.indent * size;
	return words.map((word, index) => {
		const left = index === 0 ? 0 : end - space / 2;
		end += widthOf(word, isBold) * size + space;
		return { row, left, right: index === words.length - 1 ? width : end - space / 2 };
	});
}
