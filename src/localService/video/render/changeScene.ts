import { actionSeconds, changeSeconds } from "../../../clip/clipLength.ts";
import { isSameStyle } from "../../../clip/codeToken.ts";
import { columnsOf } from "../../../clip/columns.ts";
import { type PromptContent, typedStrength } from "../../../clip/promptContent.ts";
import { bandOpacity, type Palette, easeInOut, progressBetween } from "../layout/palette.ts";
import { type ChangeLayout, type ChangePage, layOutChange } from "../layout/changeLayout.ts";
import { type ChangeRow, type PlacedToken, type TokenMove, wayAt } from "../layout/tokenMoves.ts";
import { overviewSizes, rowStep, wholeRows } from "../layout/codeLayout.ts";
import { type ClipStage, tallerStage } from "../layout/stage.ts";
import type { Bitmap, Sprite } from "./bitmap.ts";
import { type ClipAct, sceneOf } from "./clipScene.ts";
import {
	changeTokens,
	drawBlock,
	drawPane,
	lowerPane,
	sizesOf,
	paneTitle,
	rowBlock,
	type RowMark,
	sheetsOfRows,
	type WindowKind,
	withPane,
} from "./codePane.ts";
import type { RowSheets } from "./rowSheets.ts";
import { svgPicture } from "./svgText.ts";
import { type CodeTools, density, type Scene, type SceneTiming } from "./scene.ts";

type Span = readonly [number, number];

/**
 * Phases of a change as shares of its time: the old code is read, marks appear, removed code fades, remaining code moves, new code appears. The last
 * three overlap, so that the window is nearly empty only for a moment.
 */
const steps = {
	marking: [0.16, 0.26],
	leaving: [0.44, 0.58],
	moving: [0.5, 0.72],
	arriving: [0.64, 0.88],
} as const satisfies Record<string, Span>;

/** Without removed code, there is no wait for it. */
const stepsOfAddition = { ...steps, moving: [0.3, 0.52], arriving: [0.48, 0.78] } as const;

/** A new file has no old code to read. Its rows appear one after another. */
const stepsOfNewFile = { ...steps, arriving: [0, 0.7] } as const;
/** Share of that time for a single row. */
const newRowShare = 0.4;

/** Without removed code that moves, new code appears as the removed code fades. */
const stepsOfReplacement = { ...steps, moving: [0.46, 0.62], arriving: [0.52, 0.76] } as const;

/** Two ways, one after the other, take longer. */
const stepsOfTwoWays = {
	...steps,
	leaving: [0.38, 0.5],
	moving: [0.42, 0.78],
	arriving: [0.72, 0.92],
} as const;

/** Shortest time of a page, and time for scrolling to the next, in seconds. */
const pageSeconds = 1.1;
const slideSeconds = 0.45;
/** A change ends at this share of its page's time. */
const changedBy = 0.8;

/** Up to this motion strength, only whole lines move. docs/interface.md. */
const calmStrength = 2;

interface Side {
	readonly rows: readonly ChangeRow[];
	readonly sheets: RowSheets;
	/** Line numbers alone, in the color of unchanged rows. */
	readonly numbers: RowSheets | undefined;
}

interface DrawnPage extends Pick<ChangePage, "path" | "moves" | "leaving" | "arriving"> {
	readonly before: Side;
	readonly after: Side;
}

interface ChangeWindow {
	readonly size: number;
	readonly step: number;
	readonly column: number;
	readonly left: number;
	readonly artist: CodeTools;
	readonly isTyped: boolean;
	/** Whether line numbers are shown. */
	readonly isNumbered: boolean;
	readonly bands: Readonly<Record<"removed" | "added", Bitmap>>;
	/** Ground of a row that passes over others. */
	readonly card: Bitmap;
}

/** Creates a scene of an editor window in which code changes: unchanged code moves, removed code fades, new code appears. */
export function createChangeScene(
	content: Extract<PromptContent, { readonly type: "change" }>,
	timing: SceneTiming,
	artist: CodeTools,
): Omit<Scene, "undrawn"> {
	const lines = content.steps.map(step => changeTokens(step, content.language, artist));
	const palette = artist.paletteOf(
		lines
			.flat()
			.map(({ text }) => text)
			.join("\n"),
	);
	const open = (kind: WindowKind) =>
		openChange({ lines, kind, timing, palette, title: content }, artist);
	const { framed, at, isWhole } = open(artist.isStill ? "still" : "usual");
	const overview = (): readonly Sprite[] => open("overview").at(1);
	const act = { still: [], isCleared: false, at, ...(!isWhole && { overview }) };
	return sceneOf(act, timing, palette, framed);
}

interface ChangeOpening {
	readonly lines: Parameters<typeof layOutChange>[0];
	readonly kind: WindowKind;
	readonly timing: SceneTiming;
	readonly palette: Palette;
	readonly title: { readonly caption: string; readonly language: string | undefined };
}

/** Lays out a change that is too long for one window in pages, or as a whole, with all versions' rows. */
function layOutFor(
	{ lines, kind, timing }: ChangeOpening,
	{ stage, mono, typeSize }: CodeTools,
): { readonly layout: ChangeLayout; readonly stage: ClipStage } {
	const most = Math.max(1, Math.floor(actionSeconds(timing.duration) / pageSeconds));
	const { room } = stage;
	if (kind === "overview") {
		return { layout: layOutChange(lines, { room, mono, most: 1, sizes: overviewSizes }), stage };
	}
	const layout = layOutChange(lines, { room, mono, most, ...sizesOf(typeSize) });
	if (kind === "usual" || layout.isOneText) {
		return { layout, stage };
	}
	const high = { ...room, height: wholeRows * rowStep(layout.size) };
	const whole = layOutChange(lines, { room: high, mono, most: 1, sizes: [layout.size] });
	const rows = Math.max(
		...whole.pages.map(({ before, after }) => Math.max(before.length, after.length)),
	);
	return { layout: whole, stage: tallerStage(stage, rows * rowStep(whole.size) - room.height) };
}

function openChange(
	opening: ChangeOpening,
	artist: CodeTools,
): Pick<ClipAct, "at"> & { readonly isWhole: boolean; readonly framed: CodeTools } {
	const { timing, palette } = opening;
	const acting = actionSeconds(timing.duration);
	const { layout, stage } = layOutFor(opening, { ...artist, stage: artist.markedStage });
	const { size, pages, isOneText } = layout;
	const marked = { ...artist, stage };
	const rows = pages.flatMap(({ before, after }) => [before, after]);
	const framed = withPane(marked, {
		count: Math.max(...rows.map(side => side.length)),
		columns: Math.max(...rows.flat().map(row => row.columns)),
		size,
	});
	const strength = timing.motionStrength;
	const isNumbered = artist.isNumbered && rows.flat().some(({ number }) => number !== undefined);
	const isTyped = strength >= typedStrength;
	const window = { ...openWindow(size, palette, framed), isTyped, isNumbered };
	const drawn = pages.map(page =>
		drawPage(strength <= calmStrength ? calm(page) : page, window, palette),
	);
	const each = acting / drawn.length;
	const title = paneTitle(opening.title.caption, opening.title.language, framed);
	const pane = drawPane(title, palette, framed);
	const at = (share: number): readonly Sprite[] => {
		const index = Math.min(drawn.length - 1, Math.floor(share * drawn.length));
		const seconds = share * acting - index * each;
		const [page, previous] = [drawn[index], drawn[index - 1]];
		const slide = isOneText || !previous ? 1 : easeInOut(seconds / slideSeconds);
		const ends = Math.max(Math.min(each, changeSeconds), each * changedBy);
		const begin = slide === 1 && isOneText ? 0 : slideSeconds * Number(previous !== undefined);
		const changed = progressBetween(seconds, begin, ends);
		const height = framed.stage.room.height;
		const shift = (by: number): number => Math.round(by * height * density) / density;
		const less =
			isOneText && page ? height - heightAt(page, share >= 1 ? 1 : changed, window.step) : 0;
		const down = Math.round((Math.max(0, less) / 2) * density) / density;
		return [
			...lowerPane(pane, Math.max(0, less), framed),
			...(previous && slide < 1 ? pageSprites(window, previous, 1, -shift(slide)) : []),
			...(page ? pageSprites(window, page, share >= 1 ? 1 : changed, shift(1 - slide) + down) : []),
		];
	};
	return { at, framed, isWhole: isOneText };
}

/** Returns the height of the rows at a share of the change. The window grows and shrinks with its content. */
function heightAt(page: DrawnPage, share: number, step: number): number {
	const { down } = movedBy(page, share);
	const { length: end } = page.after.rows;
	const start = page.before.rows.length || end;
	return (start + (end - start) * down) * step;
}

function movedBy(page: DrawnPage, share: number): ReturnType<typeof wayAt> {
	return wayAt(page.path, progressBetween(share, ...stepsOf(page).moving));
}

function stepsOf({ before, leaving, moves, path }: DrawnPage): Record<keyof typeof steps, Span> {
	if (before.rows.length === 0) {
		return stepsOfNewFile;
	}
	if (path !== "straight") {
		return stepsOfTwoWays;
	}
	if (leaving.length === 0 && !moves.some(({ isLifted }) => isLifted)) {
		return stepsOfAddition;
	}
	return moves.some(({ from }) => before.rows[from.row]?.kind === "removed")
		? steps
		: stepsOfReplacement;
}

/** Reduces the moves to whole lines. Other changes fade out and in. */
function calm(page: ChangePage): ChangePage {
	const isWhole = ({ from, to }: TokenMove): boolean => {
		const rows = [page.before[from.row], page.after[to.row]];
		return rows.every(row => row?.kind === "same");
	};
	const others = page.moves.filter(move => !isWhole(move));
	return {
		...page,
		path: "straight",
		moves: page.moves.filter(isWhole),
		leaving: [...page.leaving, ...others.map(({ from }) => from)],
		arriving: [...page.arriving, ...others.map(({ to }) => to)],
	};
}

function openWindow(
	size: number,
	palette: Palette,
	artist: CodeTools,
): Omit<ChangeWindow, "isTyped" | "isNumbered"> {
	const { pane, gutter } = artist.stage;
	const step = rowStep(size);
	const bandOf = (fill: string): Bitmap =>
		drawBlock(artist, {
			fill,
			opacity: bandOpacity.change,
			width: pane.width,
			height: Math.ceil(step) + 1,
		});
	return {
		size,
		step,
		artist,
		left: pane.x + gutter,
		column: artist.mono.widthOf("0") * size,
		bands: {
			removed: bandOf(palette.removed),
			added: bandOf(palette.added),
		},
		card: drawCard(
			palette,
			{
				width: pane.width,
				height: Math.ceil(step) + 1,
			},
			artist,
		),
	};
}

/** Draws the background of a row that moves across other rows. Its edges separate it from them. */
function drawCard(
	{ pane, edge }: Palette,
	{ width, height }: { readonly width: number; readonly height: number },
	artist: CodeTools,
): Bitmap {
	const edges = [0, height - 2].map(
		y => `<rect y="${y}" width="${width}" height="1" fill="${edge}" fill-opacity=".22"/>`,
	);
	const ground = `<rect width="${width}" height="${height}" fill="${pane.fill}"/>`;
	return artist.drawText(svgPicture(width, height, ground, ...edges));
}

function drawPage(
	page: ChangePage,
	{ size, artist, isNumbered }: ChangeWindow,
	palette: Palette,
): DrawnPage {
	// Signs help those who can't distinguish the colors.
	const signOf = ({ kind }: ChangeRow): RowMark | undefined =>
		kind === "same" ? undefined : { text: kind === "removed" ? "−" : "+", fill: palette[kind] };
	const numberOf = ({ kind, number }: ChangeRow): RowMark | undefined =>
		number === undefined
			? undefined
			: { text: String(number), fill: kind === "same" ? palette.lineNumber : palette[kind] };
	const marks = isNumbered ? { markOf: numberOf, signOf } : { markOf: signOf };
	const sideOf = (rows: readonly ChangeRow[]): Side => ({
		rows,
		sheets: sheetsOfRows(rows, { size, palette, ...marks }, artist),
		numbers: isNumbered
			? sheetsOfRows(
					rows.map(({ kind, columns, block, number }) => ({
						kind: "same" as const,
						columns,
						block,
						tokens: [],
						...(kind === "removed" && number !== undefined && { number }),
					})),
					{ size, palette, markOf: numberOf, signOf },
					artist,
				)
			: undefined,
	});
	return { ...page, before: sideOf(page.before), after: sideOf(page.after) };
}

function pageSprites(
	window: ChangeWindow,
	page: DrawnPage,
	share: number,
	shift: number,
): readonly Sprite[] {
	const { marking, leaving, arriving } = stepsOf(page);
	const through = ([from, to]: Span): number => easeInOut(progressBetween(share, from, to));
	const [marked, gone, come] = [through(marking), through(leaving), through(arriving)];
	const moved = movedBy(page, share);
	const { before, after } = page;
	const comeOf = (row: number): number => {
		const each = (arriving[1] - arriving[0]) * newRowShare;
		const start = arriving[0] + (arriving[1] - arriving[0] - each) * (row / after.rows.length);
		return before.rows.length > 0 ? come : through([start, start + each]);
	};
	const { artist, step, bands, left } = window;
	const top = artist.stage.roomTop + shift;
	const rowMarks = (
		side: Side,
		kind: "removed" | "added",
		strengthOf: (row: number) => number,
	): readonly Sprite[] =>
		side.rows.flatMap((row, index) => {
			const y = top + index * step;
			const [sign] = side.sheets.sprites({
				row: index,
				y,
				opacity: softly(strengthOf(index)),
				right: left - 8,
			});
			return row.kind === kind && sign
				? [rowBlock(bands[kind], { ...artist.stage.pane, y, step, opacity: sign.opacity }), sign]
				: [];
		});
	const opacityOf = ({ row }: PlacedToken, index: number): number =>
		window.isTyped ? Number(come * page.arriving.length > index) : softly(comeOf(row));
	return [
		...removedNumbers(window, before, top, 1 - softly(marked)),
		...rowMarks(before, "removed", () => marked * (1 - gone)),
		...rowMarks(after, "added", comeOf),
		...page.leaving.flatMap(token =>
			tokenSprites(window, before, token, { y: top, opacity: softly(1 - gone) }),
		),
		...page.moves
			.filter(({ isLifted }) => !isLifted)
			.flatMap(move => moveSprites(window, page, move, { top, moved })),
		...page.arriving.flatMap((token, index) =>
			tokenSprites(window, after, token, { y: top, opacity: opacityOf(token, index) }),
		),
		...page.moves
			.filter(({ isLifted }) => isLifted)
			.flatMap(move => liftedSprites(window, page, move, { top, moved })),
	];
}

/** Rows that will be removed have their numbers from the start, before they are marked. */
function removedNumbers(
	{ step, left }: ChangeWindow,
	{ rows, numbers }: Side,
	top: number,
	opacity: number,
): readonly Sprite[] {
	return rows.flatMap(({ kind }, row) =>
		kind === "removed" && numbers
			? numbers.sprites({ row, y: top + row * step, right: left - 8, opacity })
			: [],
	);
}

/** Few opacity levels look as smooth and are cheaper to encode. */
function softly(opacity: number): number {
	return Math.round(opacity * 4) / 4;
}

/** Draws a moving piece. If its color changes, it changes on the way. */
function moveSprites(
	window: ChangeWindow,
	{ before, after }: DrawnPage,
	{ from, to }: TokenMove,
	{ top, moved }: { readonly top: number; readonly moved: ReturnType<typeof wayAt> },
): readonly Sprite[] {
	const dx = (to.column - from.column) * window.column;
	const dy = (to.row - from.row) * window.step;
	const isRecolored = !isSameStyle(from, to);
	const there = (moved.down + moved.across) / 2;
	const isThere = there === 1;
	return [
		...tokenSprites(window, before, from, {
			y: top + dy * moved.down,
			dx: dx * moved.across,
			opacity: isThere ? 0 : isRecolored ? softly(1 - there) : 1,
		}),
		...tokenSprites(window, after, to, {
			y: top - dy * (1 - moved.down),
			dx: -dx * (1 - moved.across),
			opacity: isRecolored ? softly(there) : Number(isThere),
		}),
	];
}

/** Draws a row that passes over others. */
function liftedSprites(
	window: ChangeWindow,
	page: DrawnPage,
	move: TokenMove,
	way: { readonly top: number; readonly moved: ReturnType<typeof wayAt> },
): readonly Sprite[] {
	const { artist, card, step } = window;
	const { down } = way.moved;
	const y = way.top + (move.from.row + (move.to.row - move.from.row) * down) * step;
	const opacity = Number(down > 0 && down < 1);
	return [
		rowBlock(card, { ...artist.stage.pane, y, step, opacity }),
		...moveSprites(window, page, move, way),
	];
}

function tokenSprites(
	{ column, step, left, isNumbered }: ChangeWindow,
	{ rows, sheets }: Side,
	token: Pick<PlacedToken, "row" | "column" | "text">,
	{ y, dx = 0, opacity }: { readonly y: number; readonly dx?: number; readonly opacity: number },
): readonly Sprite[] {
	const start = left + token.column * column;
	return sheets.sprites({
		row: token.row,
		y: y + token.row * step,
		opacity,
		dx,
		left: isNumbered && rows[token.row]?.kind === "same" ? 0 : start,
		right: start + columnsOf(token.text) * column,
	});
}
