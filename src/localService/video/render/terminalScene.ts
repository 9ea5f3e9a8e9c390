import type { PromptContent } from "../../../clip/promptContent.ts";
import { sessionSeconds, terminalAt, type TerminalLine } from "../../../clip/terminalLines.ts";
import type { Palette } from "../layout/palette.ts";
import { terminalTokens } from "../layout/terminalTokens.ts";
import { rowStep } from "../layout/codeLayout.ts";
import type { Sprite } from "./bitmap.ts";
import { type ClipAct, sceneOf } from "./clipScene.ts";
import {
	drawableCodeLine,
	drawBlock,
	drawPane,
	layOutWindow,
	paneTitle,
	sheetsOfRows,
	type WindowKind,
	withPane,
} from "./codePane.ts";
import { type CodeTools, density, type Scene, type SceneTiming } from "./scene.ts";

/** Creates a scene of a terminal in which commands are typed and their output is printed, with scrolling. */
export function createTerminalScene(
	content: Extract<PromptContent, { readonly type: "terminal" }>,
	timing: SceneTiming,
	artist: CodeTools,
): Omit<Scene, "undrawn"> {
	const palette = artist.paletteOf(content.lines.map(({ text }) => text).join("\n"));
	const { isWhole, framed, still, at } = openTerminal(
		...([content, palette, artist, artist.isStill ? "still" : "usual"] as const),
	);
	const overview = (): readonly Sprite[] => {
		const whole = openTerminal(content, palette, artist, "overview");
		return [...whole.still, ...whole.at(1)];
	};
	const act: ClipAct = { still, isCleared: true, at, ...(!isWhole && { overview }) };
	return sceneOf(act, timing, palette, framed);
}

function openTerminal(
	content: Extract<PromptContent, { readonly type: "terminal" }>,
	palette: Palette,
	artist: CodeTools,
	kind: WindowKind,
): Pick<ClipAct, "still" | "at"> & { readonly isWhole: boolean; readonly framed: CodeTools } {
	const lines = content.lines.map(line => drawableTerminalLine(line, artist));
	const { size, rows, stage } = layOutWindow(lines.map(terminalTokens), kind, artist);
	const columns = Math.max(...rows.map(row => row.columns)) + 1;
	const framed = withPane({ ...artist, stage }, { count: rows.length, columns, size });
	const { pane, gutter, room, roomTop } = framed.stage;
	const column = artist.mono.widthOf("0") * size;
	const step = rowStep(size);
	const sheets = sheetsOfRows(rows, { size, palette }, framed);
	const cursor = drawBlock(artist, {
		fill: palette.accent,
		opacity: 0.8,
		width: Math.round(column),
		height: Math.round(size * 1.2),
	});
	const perWindow = Math.max(1, Math.floor((room.height + 1) / step));
	const length = sessionSeconds(lines);
	const at = (share: number): readonly Sprite[] => {
		const there = terminalAt(lines, share >= 1 ? length + 1 : share * length);
		const shown = shownRows(rows, there);
		const scrolled = Math.max(0, shown.length - perWindow);
		const last = Math.max(0, shown.length - 1);
		// The cursor is hidden while a program prints, and before that.
		const isTyping = lines.findLast((_, index) => there[index] !== undefined)?.kind === "command";
		const left = pane.x + gutter;
		const cursorY = roomTop + (last - scrolled) * step + (step - size * 1.2) / 2;
		return [
			...shown.flatMap((columns, row) =>
				sheets.sprites({
					row,
					y: roomTop + (row - scrolled) * step,
					opacity: 1,
					...(columns < (rows[row]?.columns ?? 0) && { right: left + columns * column }),
				}),
			),
			{
				bitmap: cursor,
				x: Math.round((left + (shown[last] ?? 0) * column + 1) * density) / density,
				y: Math.round(cursorY * density) / density,
				scale: 1,
				opacity: isTyping ? 1 : 0,
			},
		];
	};
	const title = paneTitle(content.caption || "Terminal", undefined, framed);
	const still = [drawPane(title, palette, framed)];
	return { still, at, framed, isWhole: rows.length <= perWindow };
}

function drawableTerminalLine(line: TerminalLine, artist: CodeTools): TerminalLine {
	const pieces = line.pieces?.map(piece => ({
		...piece,
		text: drawableCodeLine(piece.text, artist),
	}));
	const [prompt, text] = [line.prompt, line.text].map(part => drawableCodeLine(part, artist));
	return { ...line, prompt: prompt ?? "", text: text ?? "", ...(pieces && { pieces }) };
}

/** Returns the visible columns of each row, from those of its line. A line continues in the next row when the first is full. */
function shownRows(
	rows: readonly { readonly number?: number; readonly columns: number; readonly indent?: number }[],
	shown: readonly (number | undefined)[],
): readonly number[] {
	const columns: number[] = [];
	let left: number | undefined;
	for (const row of rows) {
		if (row.number === undefined && row.indent === undefined) {
			// The note below the first rows of many.
			columns.push(row.columns);
			continue;
		}
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
