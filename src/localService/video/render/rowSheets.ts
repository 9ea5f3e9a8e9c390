import { drawRows, type RowMark } from "./codePane.ts";
import type { Bitmap, Sprite } from "./bitmap.ts";
import { type CodeRow, type Palette, rowHeight } from "../layout/index.ts";
import type { CodeTools } from "./scene.ts";

/** How rows are drawn on sheets. */
export interface SheetLook {
	readonly size: number;
	readonly column: number;
	readonly palette: Palette;
	readonly markOf?: (row: CodeRow) => RowMark;
}

/** A sheet takes two megabytes: more than are in sight at once are not kept. */
const maxSheets = 3;

/** Rows fade over this many pixels outside the window's room. */
const fade = 14;

/** Rows of code that are longer than the window, drawn as they come into sight. */
export class RowSheets {
	private readonly rows: readonly CodeRow[];
	private readonly look: SheetLook;
	private readonly artist: CodeTools;
	private readonly step: number;
	private readonly perSheet: number;
	private readonly sheets = new Map<number, Bitmap>();

	constructor(rows: readonly CodeRow[], look: SheetLook, artist: CodeTools) {
		this.rows = rows;
		this.look = look;
		this.artist = artist;
		this.step = look.size * rowHeight;
		this.perSheet = Math.floor(artist.stage.height / this.step);
	}

	/** A row with its top at `y`, up to `columns` of it; nothing when it is outside the window. */
	sprites(
		row: number,
		y: number,
		opacity: number,
		columns = this.rows[row]?.columns ?? 0,
	): readonly Sprite[] {
		const { step, perSheet } = this;
		const { pane, gutter, room, roomTop } = this.artist.stage;
		const outside = Math.max(roomTop - y, y + step - (roomTop + room.height));
		const visible = opacity * Math.min(1, Math.max(0, 1 - outside / fade));
		if (visible <= 0) {
			return [];
		}
		const inside = (row % perSheet) * step;
		const top = Math.round(inside);
		const width = Math.ceil(pane.x + gutter + columns * this.look.column);
		const region = { x: 0, y: top, width, height: Math.floor(step) };
		const bitmap = this.sheetAt(Math.floor(row / perSheet));
		return [{ bitmap, region, x: 0, y: y + top - inside, scale: 1, opacity: visible }];
	}

	private sheetAt(index: number): Bitmap {
		const { sheets, perSheet } = this;
		const start = index * perSheet;
		const known = sheets.get(index);
		const sheet =
			known ??
			drawRows(this.rows.slice(start, start + perSheet), { ...this.look, top: 0 }, this.artist);
		// Taken out and put in again, the sheet is the last one to go.
		sheets.delete(index);
		sheets.set(index, sheet);
		const [oldest = index] = sheets.keys();
		if (sheets.size > maxSheets) {
			sheets.delete(oldest);
		}
		return sheet;
	}
}
