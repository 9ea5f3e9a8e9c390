import type { Sprite } from "./bitmap.ts";
import { backdropAt } from "./backdrop.ts";
import { drawableCodeLine, drawBlock, drawPane, paneTitle, arrived, withPane } from "./codePane.ts";
import { type PromptContent } from "../../../clip/promptContent.ts";
import {
	terminalAt,
	sessionSeconds,
	type TerminalLine,
	terminalTokens,
} from "../../../clip/terminalLines.ts";
import { layOutTokens, progressBetween, rowHeight } from "../layout/index.ts";
import { RowSheets } from "./rowSheets.ts";
import type { CodeTools, Scene, SceneTiming } from "./scene.ts";
import { createSignature, undrawnNote } from "./signature.ts";

/** A terminal has no line numbers: its text begins to the left of where code does by this share of the way there. */
const indentShare = 0.6;
/** Share of the clip by which the session is over. */
const sessionEnds = 0.88;

/** A terminal in which commands are typed and their output is printed; it scrolls as terminals do. */
export function createTerminalScene(
	content: Extract<PromptContent, { readonly type: "terminal" }>,
	timing: SceneTiming,
	artist: CodeTools,
): Scene {
	const text = content.lines.map(({ text }) => text).join("\n");
	const palette = artist.paletteOf(text);
	const lines = content.lines.map(line => drawableTerminalLine(line, artist));
	const indent = Math.round(artist.stage.gutter * indentShare);
	const { size, rows } = layOutTokens(lines.map(terminalTokens), {
		room: { ...artist.stage.room, width: artist.stage.room.width + indent },
		mono: artist.mono,
	});
	const framed = withPane(artist, rows.length, size);
	const { pane, gutter, room, roomTop } = framed.stage;
	const column = artist.mono.widthOf("0") * size;
	const markOf = (): { text: string; fill: string } => ({ text: "", fill: "none" });
	const sheets = new RowSheets(rows, { size, column, palette, markOf }, framed);
	const cursor = drawBlock(artist, {
		fill: palette.accent,
		opacity: 0.85,
		width: Math.round(column),
		height: Math.round(size * 1.2),
	});
	const title = paneTitle(content.caption || "Terminal", undefined, artist);
	const window = { bitmap: drawPane(title, palette, framed), x: 0, y: 0, scale: 1, opacity: 1 };
	const signature = createSignature(artist, timing, palette, undrawnNote(text, artist.code));
	const step = size * rowHeight;
	const perWindow = Math.floor(room.height / step);
	const ends = Math.min(timing.duration * sessionEnds, sessionSeconds(lines));
	const sessionAt = (seconds: number): readonly Sprite[] => {
		const there = terminalAt(
			lines,
			progressBetween(seconds + 0.2, 0, ends + 0.2) * sessionSeconds(lines),
		);
		const shown = shownRows(rows, there);
		const scrolled = Math.max(0, shown.length - perWindow);
		const topOf = (row: number): number => roomTop + (row - scrolled) * step;
		// A program that prints has the terminal for itself.
		const isPrinting =
			lines[there.findLastIndex(columns => columns !== undefined)]?.kind === "output";
		const isBlank = isPrinting || (seconds > ends && Math.floor((seconds - ends) / 0.25) % 2 === 1);
		const last = shown.length - 1;
		const cursorX = pane.x + gutter + (shown[last] ?? 0) * column + 1;
		return [
			...shown.flatMap((columns, row) => sheets.sprites(row, topOf(row), 1, columns)),
			{ bitmap: cursor, x: cursorX, y: topOf(last), scale: 1, opacity: isBlank ? 0 : 1 },
		].map(sprite => ({ ...sprite, x: sprite.x - indent }));
	};
	return {
		size: artist.stage,
		frameAt: seconds => ({
			background: backdropAt(palette, timing, artist.stage, seconds),
			sprites: [
				...arrived([window, ...sessionAt(seconds)], timing, seconds),
				...signature.spritesAt(seconds),
			],
		}),
	};
}

function drawableTerminalLine(line: TerminalLine, artist: CodeTools): TerminalLine {
	const pieces = line.pieces?.map(piece => ({
		...piece,
		text: drawableCodeLine(piece.text, artist),
	}));
	return { ...line, text: drawableCodeLine(line.text, artist), ...(pieces && { pieces }) };
}

/** Columns of each row that is there, from those of the lines; a line goes on in its next row when its first is full. */
function shownRows(
	rows: readonly { readonly number?: number; readonly columns: number; readonly indent?: number }[],
	shown: readonly (number | undefined)[],
): readonly number[] {
	const columns: number[] = [];
	let left: number | undefined;
	for (const row of rows) {
		const hang = row.indent ?? 0;
		left = row.number === undefined ? left : shown[row.number - 1];
		if (left === undefined || (row.number === undefined && left <= 0)) {
			continue;
		}
		const here = Math.min(row.columns, left + hang);
		columns.push(here);
		left -= here - hang;
	}
	return columns;
}
