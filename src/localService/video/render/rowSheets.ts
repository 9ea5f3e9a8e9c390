import type { Bitmap, Sprite } from "./bitmap.ts";
import { density, type SceneTools } from "./scene.ts";
import { svgPicture } from "./svgText.ts";

/** Rows of one height that are drawn as they come into sight. */
export interface SheetRows {
	readonly count: number;
	/** From one row to the next. */
	readonly step: number;
	/** How far letters reach over their row's edges. */
	readonly overhang?: number;
	/** SVG of a row with its top at `top`. */
	draw(row: number, top: number): readonly string[];
}

/** A part of a row, and where it is seen. */
export interface RowPart {
	readonly row: number;
	/** Top of the row on the frame. */
	readonly y: number;
	readonly opacity: number;
	/** From where to where, on the sheet; the whole row where it is left out. */
	readonly left?: number;
	readonly right?: number;
	/** Moves the part sideways from where it is on the sheet. */
	readonly dx?: number;
}

/** A sheet takes eight megabytes: no more than these are kept. */
const maxSheets = 4;

/** Rows fade over this many units outside the window's room. */
const fade = 12;

/** Rows of code or words, of which any number may be in sight. */
export class RowSheets {
	private readonly rows: SheetRows;
	private readonly artist: SceneTools;
	private readonly window: { readonly top: number; readonly height: number };
	private readonly perSheet: number;
	private readonly sheets = new Map<number, Bitmap>();

	/** Makes sheets of rows that are seen within `window` alone. */
	constructor(
		rows: SheetRows,
		window: { readonly top: number; readonly height: number },
		artist: SceneTools,
	) {
		this.rows = rows;
		this.window = window;
		this.artist = artist;
		this.perSheet = Math.max(
			1,
			Math.floor(artist.stage.height / (rows.step + 2 * (rows.overhang ?? 0))),
		);
	}

	/** A part of a row; nothing when it is outside the window. */
	sprites({ row, y, opacity, left = 0, right, dx = 0 }: RowPart): readonly Sprite[] {
		const { perSheet, window } = this;
		const { step, overhang = 0 } = this.rows;
		const outside = Math.max(window.top - y, y + step - (window.top + window.height));
		const visible = opacity * Math.min(1, Math.max(0, 1 - (outside - 1) / fade));
		if (visible <= 0) {
			return [];
		}
		// Sheets and frames are cut at whole pixels, which are halves.
		const snap = (value: number): number => Math.round(value * density) / density;
		const from = snap((row % perSheet) * (step + 2 * overhang));
		const to = snap((row % perSheet) * (step + 2 * overhang) + step + 2 * overhang);
		const start = Math.max(0, snap(left));
		const end = snap(Math.min(right ?? this.artist.stage.width, this.artist.stage.width));
		return end <= start
			? []
			: [
					{
						bitmap: this.sheetAt(Math.floor(row / perSheet)),
						region: { x: start, y: from, width: end - start, height: to - from },
						x: snap(start + dx),
						y: snap(y - overhang),
						scale: 1,
						opacity: visible,
					},
				];
	}

	private sheetAt(index: number): Bitmap {
		const { sheets, perSheet } = this;
		const start = index * perSheet;
		const sheet = sheets.get(index) ?? this.drawSheet(start);
		// Taken out and put in again, the sheet is the last one to go.
		sheets.delete(index);
		sheets.set(index, sheet);
		const [oldest = index] = sheets.keys();
		if (sheets.size > maxSheets) {
			sheets.delete(oldest);
		}
		return sheet;
	}

	private drawSheet(start: number): Bitmap {
		const { count, step, overhang = 0 } = this.rows;
		const length = Math.min(this.perSheet, count - start);
		const rows = Array.from({ length }, (_, index) =>
			this.rows.draw(start + index, index * (step + 2 * overhang) + overhang),
		);
		const height = Math.ceil(length * (step + 2 * overhang));
		return this.artist.drawText(svgPicture(this.artist.stage.width, height, ...rows.flat()));
	}
}
