import type { Bitmap, Sprite } from "./bitmap.ts";
import { backdropAt } from "./backdrop.ts";
import {
	drawBlock,
	drawPane,
	drawRows,
	drawableCode,
	paneTitle,
	arrived,
	topOfRows,
	withPane,
} from "./codePane.ts";
import { wholeColumns } from "../../../clip/columns.ts";
import { type PromptContent } from "../../../clip/promptContent.ts";
import {
	bandOpacity,
	type CodeLayout,
	type CodeRow,
	easeInOut,
	layOutCode,
	pageAt,
	type PageMoment,
	type Palette,
	progressBetween,
	rowHeight,
	type ClipStage,
} from "../layout/index.ts";
import type { CodeTools, Scene, SceneTiming } from "./scene.ts";
import { createSignature, undrawnNote } from "./signature.ts";

interface CodePage {
	readonly rows: readonly CodeRow[];
	readonly bitmap: Bitmap;
	/** Top of the first row, in pixels. */
	readonly top: number;
}

/** State shared by all pages. */
interface CodeCard {
	readonly stage: ClipStage;
	readonly size: number;
	/** Width of one column in pixels. */
	readonly column: number;
	readonly pages: readonly CodePage[];
	readonly paneBitmap: Bitmap;
	readonly cursor: Bitmap;
	readonly band: Bitmap;
}

/** An editor window in which the code is typed, for a prompt that is code. */
export function createCodeScene(
	content: Extract<PromptContent, { readonly type: "code" }>,
	timing: SceneTiming,
	artist: CodeTools,
): Scene {
	const palette = artist.paletteOf(content.code);
	const code = drawableCode(content.code, artist);
	const layout = layOutCode(code, content.language, {
		room: artist.stage.room,
		mono: artist.mono,
		duration: timing.duration,
	});
	const title = paneTitle(content.caption, content.language, artist);
	const rows = Math.max(...layout.pages.map(page => page.length));
	const card = drawCard(layout, title, palette, withPane(artist, rows, layout.size));
	const signature = createSignature(
		artist,
		timing,
		palette,
		undrawnNote(`${content.caption}${content.code}`, artist.code),
	);
	return {
		size: artist.stage,
		frameAt: seconds => ({
			background: backdropAt(palette, timing, artist.stage, seconds),
			sprites: [...cardSprites(card, timing, seconds), ...signature.spritesAt(seconds)],
		}),
	};
}

function drawCard(
	layout: CodeLayout,
	title: string,
	palette: Palette,
	artist: CodeTools,
): CodeCard {
	const { size } = layout;
	const { stage } = artist;
	const column = artist.mono.widthOf("0") * size;
	return {
		stage,
		size,
		column,
		pages: layout.pages.map(rows => {
			const top = topOfRows(rows.length, size, stage);
			const look = { top, size, column, palette };
			return { rows, top, bitmap: drawRows(rows, look, artist) };
		}),
		paneBitmap: drawPane(title, palette, artist),
		cursor: drawBlock(artist, {
			fill: palette.accent,
			opacity: 0.95,
			width: Math.max(2, Math.round(column * 0.2)),
			height: Math.round(size * 1.2),
		}),
		band: drawBlock(artist, {
			fill: palette.accent,
			opacity: bandOpacity.accent,
			width: stage.pane.width,
			height: Math.round(size * rowHeight),
		}),
	};
}

function cardSprites(card: CodeCard, timing: SceneTiming, seconds: number): readonly Sprite[] {
	const moment = pageAt(seconds, timing.duration, card.pages.length);
	const page = card.pages[moment.page];
	return arrived(
		[
			{ bitmap: card.paneBitmap, x: 0, y: 0, scale: 1, opacity: 1 },
			...(page ? rowSprites(card, page, moment, timing.motionStrength === typingStrength) : []),
		],
		timing,
		seconds,
	);
}

/** The motion at which all of the page's time goes into typing, a letter at a time. */
const typingStrength = 5;
/** Seconds that a letter takes at most there. */
const slowestLetter = 0.07;

/** The rows typed so far, the cursor behind the last letter, and then a light that reads the code line by line. */
function rowSprites(
	card: CodeCard,
	page: CodePage,
	moment: PageMoment,
	isTyped: boolean,
): readonly Sprite[] {
	const { presence } = moment;
	const { pane, gutter } = card.stage;
	const step = card.size * rowHeight;
	const total = page.rows.reduce((sum, row) => sum + row.columns + 4, 0);
	const typingEnds = isTyped
		? Math.min(moment.length * 0.92, total * slowestLetter)
		: Math.min(moment.length * 0.55, 0.3 + total * 0.012);
	const typed = total * progressBetween(moment.seconds + 0.2, 0, typingEnds);
	const sprites: Sprite[] = [];
	let before = 0;
	let cursorAt: { readonly row: number; readonly column: number } | undefined;
	for (const [index, row] of page.rows.entries()) {
		const columns = shownColumns(row, typed - before);
		if (columns >= 0) {
			sprites.push(rowSprite(card, page, { index, columns, presence }));
			cursorAt = { row: index, column: columns };
		}
		before += row.columns + 4;
	}
	const reading = progressBetween(moment.seconds, typingEnds, moment.length);
	const isTyping = reading === 0;
	const bandRow = isTyping ? (cursorAt?.row ?? 0) : easeInOut(reading) * (page.rows.length - 1);
	const y = Math.round(page.top + bandRow * step - card.size * 0.12);
	const band = { bitmap: card.band, x: pane.x, y, scale: 1, opacity: presence };
	const isCursorShown = isTyping || Math.floor(moment.seconds / 0.25) % 2 === 0;
	const cursor = {
		bitmap: card.cursor,
		x: pane.x + gutter + (cursorAt?.column ?? 0) * card.column + 1,
		y: page.top + (cursorAt?.row ?? 0) * step - card.size * 0.02,
		scale: 1,
		opacity: isCursorShown ? presence : 0,
	};
	return [band, ...sprites, cursor];
}

/** The columns of a row that are to be seen when about this many could be: no letter and no operator is shown in part. */
function shownColumns(row: CodeRow, columns: number): number {
	if (columns >= row.columns) {
		return row.columns;
	}
	return columns < 0
		? -1
		: wholeColumns(row.tokens.map(({ text }) => text).join(""), Math.floor(columns));
}

function rowSprite(
	card: CodeCard,
	page: CodePage,
	{ index, columns, presence }: { index: number; columns: number; presence: number },
): Sprite {
	const y = Math.round(page.top + index * card.size * rowHeight);
	const region = {
		x: 0,
		y,
		width: Math.ceil(card.stage.pane.x + card.stage.gutter + columns * card.column),
		height: Math.floor(card.size * rowHeight),
	};
	return { bitmap: page.bitmap, region, x: 0, y, scale: 1, opacity: presence };
}
