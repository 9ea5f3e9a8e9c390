import type { Bitmap, Sprite } from "./bitmap.ts";
import { density, type SceneTools } from "./scene.ts";
import { svgPicture } from "./svgText.ts";

/** Rows of equal height that are drawn when they become visible. */
export interface SheetRows {
	readonly count: number;
	readonly step: number;
	/** How far letters extend beyond their row. */
	readonly overhang?: number;
	/** Returns the SVG of a row with its top at `top`. */
	draw(row: number, top: number): readonly string[];
}

export interface RowPart {
	readonly row: number;
	readonly y: number;
	readonly opacity: number;
	/** Horizontal range on the sheet; the whole row by default. */
	readonly left?: number;
	readonly right?: number;
	/** Horizontal offset from the position on the sheet. */
	readonly dx?: number;
}

/** The most sheets in memory. Each takes eight megabytes. */
const maxSheets = 4;

/** Distance over which rows fade outside the window's area, in units. */
const fade = 12;

/** Any number of rows of code or text, drawn in sheets as needed. */
export class RowSheets {
	private readonly rows: SheetRows;
	private readonly artist: SceneTools;
	private readonly window: { readonly top: number; readonly height: number };
	private readonly perSheet: number;
	private readonly sheets = new Map<number, Bitmap>();

	/** Creates sheets of rows that are visible only within `window`. */
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

	/** Returns sprites of a part of a row, or none if it is outside the window. */
	sprites({ row, y, opacity, left = 0, right, dx = 0 }: RowPart): readonly Sprite[] {
		const { perSheet, window } = this;
		const { step, overhang = 0 } = this.rows;
		const outside = Math.max(window.top - y, y + step - (window.top + window.height));
		// Two levels look as smooth while scrolling, and a row isn't encoded again in each frame.
		const visible =
			(opacity * Math.ceil(Math.min(1, Math.max(0, 1 - (outside - 1) / fade)) * 2)) / 2;
		if (visible <= 0) {
			return [];
		}
		// Cuts sheets and frames at whole pixels, which are half units.
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
		// Moves the sheet to the end, so that it is removed last.
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
