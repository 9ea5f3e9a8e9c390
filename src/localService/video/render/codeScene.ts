import {
	actionSeconds,
	outputSeconds,
	revealSeconds,
	runSeconds,
	scrollSeconds,
} from "../../../clip/clipLength.ts";
import type { CodeToken } from "../../../clip/codeToken.ts";
import { columnsOf, wholeColumns } from "../../../clip/columns.ts";
import { focusStrength, type PromptContent, typedStrength } from "../../../clip/promptContent.ts";
import { printedLines } from "../../../clip/terminalLines.ts";
import { terminalTokens } from "../layout/terminalTokens.ts";
import { type CodeRow, rowStep, scrollStops } from "../layout/codeLayout.ts";
import { easeInOut, easeOut, progressBetween, type Palette } from "../layout/palette.ts";
import type { Bitmap, Sprite } from "./bitmap.ts";
import { appearance, type ClipAct, sceneOf } from "./clipScene.ts";
import {
	codeTokens,
	drawableCodeLine,
	drawBlock,
	drawCursor,
	drawPane,
	layOutWindow,
	paneTitle,
	rowBlock,
	type RowMark,
	type WindowKind,
	sheetsOfRows,
	withPane,
} from "./codePane.ts";
import type { RowSheets } from "./rowSheets.ts";
import { type CodeTools, density, type Scene, type SceneTiming } from "./scene.ts";

type CodeContent = Extract<PromptContent, { readonly type: "code" }>;

/** A row of the window. Rows of the code's output follow after a rule. */
type WindowRow = CodeRow & { readonly isPrinted?: true };

interface CodeWindow {
	readonly rows: readonly WindowRow[];
	readonly size: number;
	readonly step: number;
	readonly column: number;
	readonly perWindow: number;
	readonly palette: Palette;
	readonly sheets: RowSheets;
	readonly markOf: ((row: WindowRow) => RowMark | undefined) | undefined;
	readonly artist: CodeTools;
}

/** Creates a scene of an editor window in which code appears by line, is typed, or has lines highlighted, followed by its output. */
export function createCodeScene(
	content: CodeContent,
	timing: SceneTiming,
	artist: CodeTools,
): Omit<Scene, "undrawn"> {
	const palette = artist.paletteOf(content.code);
	const isNumbered = artist.isNumbered && content.firstLine !== undefined;
	const stage = isNumbered ? artist.markedStage : artist.stage;
	const isFocused = content.lit !== undefined && timing.motionStrength === focusStrength;
	const open = (kind: WindowKind) => {
		const window = drawWindow(content, palette, { ...artist, stage, isNumbered }, kind);
		const title = paneTitle(content.caption, content.language, window.artist);
		const at = isFocused
			? focusOn(window, content.lit ?? [])
			: timing.motionStrength === typedStrength
				? typing(window)
				: arriving(window, timing);
		return { window, still: [drawPane(title, palette, window.artist)], at };
	};
	const { window, still, at } = open(artist.isStill ? "still" : "usual");
	const overview = (): readonly Sprite[] => {
		const whole = open("overview");
		return [...whole.still, ...whole.at(1)];
	};
	const act: ClipAct = {
		still,
		isCleared: !isFocused,
		at,
		...(window.rows.length > window.perWindow && { overview }),
	};
	return sceneOf(act, timing, palette, window.artist);
}

function drawWindow(
	content: CodeContent,
	palette: Palette,
	artist: CodeTools,
	kind: WindowKind,
): CodeWindow {
	const printed = content.output?.split("\n") ?? [];
	// Output has its own color, unlike code.
	const tokens = printedLines(printed).map(line =>
		terminalTokens(line).map((token): CodeToken => ({
			...token,
			text: drawableCodeLine(token.text, artist),
			color: token.color ?? (token.ground === undefined ? "dim" : undefined),
		})),
	);
	const code = codeTokens(content.code.split("\n"), content.language, artist);
	const below = content.output === undefined ? [] : [[], ...tokens];
	const { size, rows, stage } = layOutWindow([...code, ...below], kind, artist);
	const count = code.length;
	let line = 0;
	const marked = rows.map((row): WindowRow => {
		line = row.number ?? line;
		return line > count ? { ...row, isPrinted: true, isRule: row.number === count + 1 } : row;
	});
	const columns = Math.max(...rows.map(row => row.columns));
	const framed = withPane({ ...artist, stage }, { count: rows.length, columns, size });
	const { firstLine } = content;
	const markOf = ({ number, isPrinted }: WindowRow): RowMark | undefined =>
		number === undefined || isPrinted || firstLine === undefined
			? undefined
			: { text: String(firstLine + number - 1), fill: palette.lineNumber };
	const look = { size, palette, markOf: artist.isNumbered ? markOf : undefined };
	const step = rowStep(size);
	return {
		rows: marked,
		size,
		step,
		palette,
		markOf: look.markOf,
		artist: framed,
		column: artist.mono.widthOf("0") * size,
		perWindow: Math.max(1, Math.floor((framed.stage.room.height + 1) / step)),
		sheets: sheetsOfRows(marked, look, framed),
	};
}

/** Returns the scroll offset, on whole pixels so that moving letters stay sharp. */
function scrolledBy(rows: number, step: number): number {
	return (Math.round((rows * step * density) / 2) * 2) / density;
}

/** Share of the total arrival time for a single row. */
const rowShare = 0.22;
/** The least seconds in which a row of few appears, so that it fades in. */
const leastAppearing = 0.25;
/** The least pause between two scrolls, in seconds. With less, the window glides to the end at constant speed. */
const leastPause = 0.4;
/** Rows that stay in the window in a scroll. */
const keptRows = 3;

/** Shows rows one after another, within 2.5 seconds, then the output in the first window, then scrolls to the others. */
function arriving(
	{ rows, step, perWindow, sheets, artist }: CodeWindow,
	timing: SceneTiming,
): ClipAct["at"] {
	const { roomTop } = artist.stage;
	const acting = actionSeconds(timing.duration);
	const inSight = Math.min(rows.length, perWindow);
	const rest = rows.length - inSight;
	const code = Math.min(inSight, rows.filter(row => !row.isPrinted).length);
	const printed = inSight - code;
	const stops = Math.ceil(rest / Math.max(1, perWindow - keptRows));
	// A short clip leaves half of its time to the scrolls.
	const most = rest > 0 ? acting * 0.5 : acting;
	const printing = printed > 0 ? { pause: runSeconds, seconds: outputSeconds(printed) } : undefined;
	const needed = revealSeconds(code) + (printing ? printing.pause + printing.seconds : 0);
	const speed = Math.max(1, needed / most);
	const first = revealSeconds(code) / speed;
	const printFrom = first + (printing?.pause ?? 0) / speed;
	const scrollFrom = Math.min(needed, most);
	const appearing = Math.max(first * rowShare, Math.min(leastAppearing, first / 2));
	const opacityOf = appearance(appearing / acting, timing);
	return share => {
		const seconds = share * acting;
		const scrolled = scrolledBy(
			rest * scrollShare(seconds - scrollFrom, acting - scrollFrom, stops),
			step,
		);
		return rows.flatMap((row, index) => {
			const start = row.isPrinted
				? printFrom + (((printing?.seconds ?? 0) / speed) * (index - code)) / Math.max(1, printed)
				: (index / Math.max(1, code - 1)) * (first - appearing);
			const come =
				index >= perWindow ? 1 : easeOut(progressBetween(seconds, start, start + appearing));
			const y = roomTop + index * step - scrolled + Math.round((1 - come) * 6);
			return sheets.sprites({ row: index, y, opacity: opacityOf(come) });
		});
	};
}

/** Returns the share of all scrolling at a time: scrolls of 0.6 seconds with pauses of equal length before each, or gliding where time is short. */
function scrollShare(seconds: number, all: number, stops: number): number {
	if (stops === 0) {
		return 0;
	}
	const each = all / stops;
	if (each < scrollSeconds + leastPause) {
		return glide(progressBetween(seconds, 0, all * 0.94));
	}
	const stop = Math.max(0, Math.min(stops - 1, Math.floor(seconds / each)));
	const start = (stop + 1) * each - scrollSeconds;
	return (stop + easeInOut(progressBetween(seconds, start, start + scrollSeconds - 0.01))) / stops;
}

/** Constant speed for most of the way, eased at both ends. */
function glide(progress: number): number {
	const edge = 0.08;
	const speed = 1 / (1 - edge);
	if (progress < edge) {
		return (speed * progress * progress) / (2 * edge);
	}
	return progress > 1 - edge
		? 1 - (speed * (1 - progress) ** 2) / (2 * edge)
		: speed * (progress - edge / 2);
}

/** Number of letters that the pause at a row's end equals. */
const rowPause = 3;
/** The most letters during which the window scrolls to a new row. */
const scrollLetters = 8;

/** Types rows letter by letter with a cursor after the last letter. Output appears line by line. */
function typing(window: CodeWindow): ClipAct["at"] {
	const { rows, step, perWindow, column, sheets, artist, size, palette } = window;
	const { pane, gutter, roomTop } = artist.stage;
	const cursor: Bitmap = drawCursor(size, palette, artist);
	const starts: number[] = [];
	let total = 0;
	for (const row of rows) {
		// A pause before the output.
		total += row.isPrinted && !starts.some((_, index) => rows[index]?.isPrinted) ? 14 : 0;
		starts.push(total);
		total += row.isPrinted ? 5 : row.columns - indentOf(row) + rowPause;
	}
	return share => {
		const typed = share >= 1 ? total : total * share;
		const shown = rows.flatMap((row, index) => {
			const columns = row.isPrinted
				? typed > (starts[index] ?? 0)
					? row.columns
					: -1
				: shownColumns(row, typed - (starts[index] ?? 0));
			return columns >= 0 ? [{ row, index, columns }] : [];
		});
		const last = shown.findLast(({ row }) => !row.isPrinted) ?? { index: 0, columns: 0 };
		// The window scrolls smoothly while a new row's first letters are typed, and has scrolled before the next row, however short this one is.
		const behind = Math.max(0, shown.length - perWindow);
		const start = starts[shown.length - 1] ?? 0;
		const letters = Math.min(scrollLetters, (starts[shown.length] ?? total) - start);
		const follow =
			behind === 0 ? 0 : behind - 1 + easeInOut(Math.min(1, (typed - start) / letters));
		const scrolled = scrolledBy(follow, step);
		const isDone = share >= 1;
		return [
			...shown.flatMap(({ index, columns, row }) =>
				sheets.sprites({
					row: index,
					y: roomTop + index * step - scrolled,
					opacity: 1,
					...(columns < row.columns && { right: pane.x + gutter + columns * column }),
				}),
			),
			{
				bitmap: cursor,
				x: Math.round((pane.x + gutter + last.columns * column + 1) * density) / density,
				y: Math.round(roomTop + last.index * step - scrolled + (step - size * 1.2) / 2),
				scale: 1,
				opacity: isDone ? 0 : 1,
			},
		];
	};
}

/** Returns the number of columns to show after typing about `letters`. The indentation is there at once. Never splits letters and operators. */
function shownColumns(row: CodeRow, letters: number): number {
	const columns = letters + indentOf(row);
	if (columns >= row.columns) {
		return row.columns;
	}
	return letters < 0 ? -1 : wholeColumns(rowText(row), Math.floor(columns));
}

const rowText = (row: CodeRow): string => row.tokens.map(({ text }) => text).join("");

/** Returns the columns before a row's first letter. */
function indentOf(row: CodeRow): number {
	return row.columns - columnsOf(rowText(row).trimStart());
}

/** Shares of the action between which other lines dim. */
const dimming = { from: 0.16, to: 0.32 } as const;

/** Highlights some lines and dims the others. Scrolls to the highlighted lines. */
function focusOn(window: CodeWindow, lines: readonly number[]): ClipAct["at"] {
	const { rows, size, step, perWindow, palette, sheets, markOf, artist } = window;
	const { pane, roomTop } = artist.stage;
	const dim = sheetsOfRows(rows, { size, palette, isDim: true, markOf }, artist);
	const lit = highlightedRows(rows, lines);
	const high = Math.ceil(step) + 1;
	const band = drawBlock(artist, {
		fill: palette.accent,
		opacity: 0.1,
		width: pane.width,
		height: high,
	});
	const mark = drawBlock(artist, { fill: palette.accent, opacity: 0.95, width: 3, height: high });
	const stops = scrollStops([...lit], rows.length, perWindow);
	return share => {
		const narrowed =
			Math.round(easeInOut(progressBetween(share, dimming.from, dimming.to)) * 3) / 3;
		const scrolled = scrolledBy(scrollAt(stops, perWindow, share), step);
		return rows.flatMap((_, row): readonly Sprite[] => {
			const y = roomTop + row * step - scrolled;
			if (!lit.has(row)) {
				return [
					...dim.sprites({ row, y, opacity: narrowed }),
					...sheets.sprites({ row, y, opacity: 1 - narrowed }),
				];
			}
			const sprites = sheets.sprites({ row, y, opacity: 1 });
			const place = { x: pane.x, y, step, opacity: narrowed * (sprites[0]?.opacity ?? 0) };
			return [
				rowBlock(band, { ...place, width: pane.width }),
				rowBlock(mark, { ...place, width: 3 }),
				...sprites,
			];
		});
	};
}

/** Returns the rows of the lines with these numbers. */
function highlightedRows(rows: readonly CodeRow[], lines: readonly number[]): ReadonlySet<number> {
	const wanted = new Set(lines);
	let line = 0;
	return new Set(
		rows.flatMap((row, index) => {
			line = row.number ?? line;
			return wanted.has(line) ? [index] : [];
		}),
	);
}

/** Returns the top row of the window: at first a little before the highlighted rows, then each stop in turn. */
function scrollAt(stops: readonly number[], perWindow: number, share: number): number {
	const [first = 0] = stops;
	const start = Math.max(0, first - perWindow);
	const each = (1 - dimming.from) / stops.length;
	return stops.reduce((at, stop, index) => {
		const from = dimming.from + index * each;
		return at + (stop - at) * easeInOut(progressBetween(share, from, from + each * 0.4));
	}, start);
}
