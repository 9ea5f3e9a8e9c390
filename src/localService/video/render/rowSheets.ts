import { drawRows, gutter, pane, room, type RowMark, roomTop } from "./codePane.ts";
import type { Bitmap, Sprite } from "./bitmap.ts";
import { type CodeRow, type Palette, rowHeight } from "../layout/index.ts";
import { type SceneTools, frameSize } from "./scene.ts";

/** Rows of code that are longer than the window, drawn as they come into sight. */
export interface RowSheets {
	/** A row with its top at `y`, up to `columns` of it; nothing when it is outside the window. */
	sprites(row: number, y: number, opacity: number, columns?: number): readonly Sprite[];
}

/** How rows are drawn on sheets. */
export interface SheetLook {
	readonly size: number;
	readonly column: number;
	readonly colours: Palette["code"];
	readonly markOf?: (row: CodeRow) => RowMark;
}

/** A sheet takes two megabytes: more than are in sight at once are not kept. */
const maxSheets = 3;

/** Rows fade over this many pixels outside the window's room. */
const fade = 14;

/** Makes the sheets of `rows`. */
export function createRowSheets(
	rows: readonly CodeRow[],
	look: SheetLook,
	artist: SceneTools,
): RowSheets {
	const step = look.size * rowHeight;
	const perSheet = Math.floor(frameSize.height / step);
	const sheets = new Map<number, Bitmap>();
	const sheetAt = (index: number): Bitmap => {
		const start = index * perSheet;
		const known = sheets.get(index);
		const sheet =
			known ?? drawRows(rows.slice(start, start + perSheet), { ...look, top: 0 }, artist);
		// Taken out and put in again, the sheet is the last one to go.
		sheets.delete(index);
		sheets.set(index, sheet);
		const [oldest = index] = sheets.keys();
		if (sheets.size > maxSheets) {
			sheets.delete(oldest);
		}
		return sheet;
	};
	return {
		sprites: (row, y, opacity, columns = rows[row]?.columns ?? 0) => {
			const outside = Math.max(roomTop - y, y + step - (roomTop + room.height));
			const visible = opacity * Math.min(1, Math.max(0, 1 - outside / fade));
			if (visible <= 0) {
				return [];
			}
			const inside = (row % perSheet) * step;
			const top = Math.round(inside);
			const width = Math.ceil(pane.x + gutter + columns * look.column);
			const region = { x: 0, y: top, width, height: Math.floor(step) };
			const bitmap = sheetAt(Math.floor(row / perSheet));
			return [{ bitmap, region, x: 0, y: y + top - inside, scale: 1, opacity: visible }];
		},
	};
}
