import type { Sprite } from "./bitmap.ts";
import { backdropAt } from "./backdrop.ts";
import {
	drawBlock,
	drawPane,
	drawableCode,
	paneTitle,
	arrived,
	topOfRows,
	withPane,
} from "./codePane.ts";
import { type PromptContent } from "../../../clip/promptContent.ts";
import {
	type CodeRow,
	easeInOut,
	layOutScroll,
	type Palette,
	progressBetween,
	rowHeight,
	scrollStops,
} from "../layout/index.ts";
import { RowSheets } from "./rowSheets.ts";
import type { CodeTools, Scene, SceneTiming } from "./scene.ts";
import { createSignature, undrawnNote } from "./signature.ts";

/** Share of the clip after which the light narrows, and by which it has. */
const dimming = { from: 0.14, to: 0.34 } as const;
/** Seconds that going on to the next lit lines takes at most. */
const travelSeconds = 0.5;

/** An editor window in which some lines stay lit while the others dim; it scrolls to where they are. */
export function createFocusScene(
	content: Extract<PromptContent, { readonly type: "code" }>,
	timing: SceneTiming,
	artist: CodeTools,
): Scene {
	const palette = artist.paletteOf(content.code);
	const code = drawableCode(content.code, artist);
	const { size, rows } = layOutScroll(code, content.language, {
		room: artist.stage.room,
		mono: artist.mono,
	});
	const framed = withPane(artist, rows.length, size);
	const lit = litRows(rows, content.lit ?? []);
	const column = artist.mono.widthOf("0") * size;
	const sheetsOf = (code: Palette["code"]): RowSheets =>
		new RowSheets(rows, { size, column, palette: { ...palette, code } }, framed);
	const rowSprites = createLight(
		{ size, lit, bright: sheetsOf(palette.code), dim: sheetsOf(dimmed(palette.dim)) },
		palette,
		framed,
	);
	const paneBitmap = drawPane(
		paneTitle(content.caption, content.language, artist),
		palette,
		framed,
	);
	const signature = createSignature(
		artist,
		timing,
		palette,
		undrawnNote(`${content.caption}${content.code}`, artist.code),
	);
	const step = size * rowHeight;
	const { stage } = framed;
	const perWindow = Math.floor(stage.room.height / step);
	const top = rows.length > perWindow ? stage.roomTop : topOfRows(rows.length, size, stage);
	const stops = scrollStops([...lit], rows.length, perWindow);
	const rowsAt = (seconds: number): readonly Sprite[] => {
		const share = seconds / timing.duration;
		const narrowed = easeInOut(progressBetween(share, dimming.from, dimming.to));
		const scrolled = scrollAt(stops, perWindow, seconds, timing.duration) * step;
		return rows.flatMap((_, index) => rowSprites(index, top + index * step - scrolled, narrowed));
	};
	const window = { bitmap: paneBitmap, x: 0, y: 0, scale: 1, opacity: 1 };
	return {
		size: artist.stage,
		frameAt: seconds => ({
			background: backdropAt(palette, timing, artist.stage, seconds),
			sprites: [
				...arrived([window, ...rowsAt(seconds)], timing, seconds),
				...signature.spritesAt(seconds),
			],
		}),
	};
}

/** The rows twice, and which of them stay lit. */
interface LitRows {
	readonly size: number;
	readonly lit: ReadonlySet<number>;
	readonly bright: RowSheets;
	readonly dim: RowSheets;
}

/** Makes what draws a row with its top at `y`; `narrowed`, 0 to 1, is how far the light has left the other rows. */
function createLight(
	{ size, lit, bright, dim }: LitRows,
	palette: Palette,
	artist: CodeTools,
): (row: number, y: number, narrowed: number) => readonly Sprite[] {
	const { accent: fill } = palette;
	const { pane } = artist.stage;
	const high = Math.round(size * rowHeight);
	const band = drawBlock(artist, { fill, opacity: 0.09, width: pane.width, height: high });
	const mark = drawBlock(artist, { fill, opacity: 0.9, width: 4, height: high });
	return (row, y, narrowed) => {
		if (!lit.has(row)) {
			return [...dim.sprites(row, y, narrowed), ...bright.sprites(row, y, 1 - narrowed)];
		}
		const sprites = bright.sprites(row, y, 1);
		const opacity = narrowed * (sprites[0]?.opacity ?? 0);
		const light = { x: pane.x, y: y - size * 0.12, scale: 1, opacity };
		return [{ ...light, bitmap: band }, { ...light, bitmap: mark }, ...sprites];
	};
}

const dimmed = (color: string): Palette["code"] => ({
	plain: color,
	keyword: color,
	storage: color,
	string: color,
	number: color,
	comment: color,
	call: color,
	type: color,
	punctuation: color,
});

/** Rows of the lines with these numbers. */
function litRows(rows: readonly CodeRow[], lines: readonly number[]): ReadonlySet<number> {
	const wanted = new Set(lines);
	let line = 0;
	return new Set(
		rows.flatMap((row, index) => {
			line = row.number ?? line;
			return wanted.has(line) ? [index] : [];
		}),
	);
}

/** The row at the top of the window: first a little before the lit rows, then at each stop in turn. */
function scrollAt(
	stops: readonly number[],
	perWindow: number,
	seconds: number,
	duration: number,
): number {
	const [first = 0] = stops;
	const start = Math.max(0, first - perWindow);
	const begin = dimming.from * duration;
	const each = (duration - begin) / stops.length;
	return stops.reduce((at, stop, index) => {
		const from = begin + index * each;
		const progress = progressBetween(seconds, from, from + Math.min(each, travelSeconds));
		return at + (stop - at) * easeInOut(progress);
	}, start);
}
