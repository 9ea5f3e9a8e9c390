import { BackdropPainter, isSameBackdrop } from "./backdropPainter.ts";
import { type Bitmap, createBitmap, drawSprite, type PixelRegion, type Sprite } from "./bitmap.ts";
import type { FramePlan } from "./scene.ts";

/** Side of the squares by which changes are told, in pixels: a macroblock of VP8. */
export const squareSize = 16;

/** The backdrop is drawn again in a square when it has changed there by this much of 255: less is not seen. */
const leastChange = 2;

/** Turns plans of frames that follow each other into pixels, drawing again only what is not as it was. */
export class FrameComposer {
	/** The frame that was composed last. */
	readonly frame: Bitmap;
	/** Everything before the backdrop. */
	private readonly overlay: Bitmap;
	private readonly backdrop: BackdropPainter;
	private readonly backdropRow: Float32Array;
	private readonly columns: number;
	private readonly rows: number;
	private readonly touched: Uint8Array;
	/** For each square, 255 less the alpha of the overlay's most transparent pixel. */
	private readonly transparency: Uint8Array;
	private last: FramePlan | undefined;

	/** Makes a composer of frames of this size in pixels. */
	constructor(size: { readonly width: number; readonly height: number }) {
		this.frame = createBitmap(size.width, size.height);
		this.overlay = createBitmap(size.width, size.height);
		this.backdrop = new BackdropPainter(size);
		this.backdropRow = new Float32Array(size.width * 3);
		this.columns = Math.ceil(size.width / squareSize);
		this.rows = Math.ceil(size.height / squareSize);
		this.touched = new Uint8Array(this.columns * this.rows);
		this.transparency = new Uint8Array(this.touched.length);
	}

	/**
	 * Composes the next frame. Returns a 1 for each square that may have changed, row by row from the top left; the
	 * array is filled again by the next call.
	 */
	compose(plan: FramePlan): Uint8Array {
		const { last, touched } = this;
		this.last = plan;
		touched.fill(last ? 0 : 1);
		if (last) {
			this.touchChanges(last.sprites, plan.sprites);
		}
		for (const region of this.touchedRegions()) {
			clear(this.overlay, region);
			for (const sprite of plan.sprites) {
				drawSprite(this.overlay, sprite, region);
			}
			this.measureTransparency(region);
		}
		if (!last || !isSameBackdrop(last.background, plan.background)) {
			this.backdrop.set(plan.background);
			this.touchSeenThrough();
		}
		this.tellTouched();
		this.blend();
		return touched;
	}

	/** Touches the squares in which the backdrop's change can be seen. */
	private touchSeenThrough(): void {
		for (let index = 0; index < this.touched.length; index += 1) {
			const least = leastChange / ((this.transparency[index] ?? 0) / 255);
			const row = Math.floor(index / this.columns);
			if (this.backdrop.changeOf(index % this.columns, row, least) > 0) {
				this.touched[index] = 1;
			}
		}
	}

	/** What is drawn again has the backdrop as it is now. */
	private tellTouched(): void {
		for (const [index, isTouched] of this.touched.entries()) {
			if (isTouched === 1) {
				this.backdrop.changeOf(index % this.columns, Math.floor(index / this.columns), 0);
			}
		}
	}

	/** Notes how much of the backdrop is seen in each square of a region. */
	private measureTransparency({ x, y, width, height }: PixelRegion): void {
		for (let row = y / squareSize; row < (y + height) / squareSize; row += 1) {
			for (let column = x / squareSize; column < (x + width) / squareSize; column += 1) {
				const square = row * this.columns + column;
				this.transparency[square] = 255 - leastAlpha(this.overlay, column, row);
			}
		}
	}

	private touchChanges(before: readonly Sprite[], after: readonly Sprite[]): void {
		for (let index = 0; index < Math.max(before.length, after.length); index += 1) {
			const [old, young] = [before[index], after[index]];
			if (!old || !young || !isSameSprite(old, young)) {
				this.touch(old);
				this.touch(young);
			}
		}
	}

	private touch(sprite: Sprite | undefined): void {
		if (!sprite || sprite.opacity <= 0) {
			return;
		}
		const { width, height } = sprite.region ?? sprite.bitmap;
		const right = sprite.x + width * sprite.scale;
		const bottom = sprite.y + height * sprite.scale;
		const squareOf = (pixels: number, count: number): number =>
			Math.min(count - 1, Math.max(0, Math.floor(pixels / squareSize)));
		// A fraction of a pixel is rounded when it is drawn.
		const firstColumn = squareOf(sprite.x - 1, this.columns);
		const lastColumn = squareOf(right + 1, this.columns);
		const lastRow = squareOf(bottom + 1, this.rows);
		for (let row = squareOf(sprite.y - 1, this.rows); row <= lastRow; row += 1) {
			const start = row * this.columns;
			this.touched.fill(1, start + firstColumn, start + lastColumn + 1);
		}
	}

	/** The touched squares in rectangles: side by side in a row, and rows that are alike together. */
	private touchedRegions(): readonly PixelRegion[] {
		const regions: PixelRegion[] = [];
		let open: PixelRegion[] = [];
		for (let row = 0; row < this.rows; row += 1) {
			const runs = this.runsOf(row);
			const isAlike =
				runs.length === open.length &&
				runs.every((run, index) => run.x === open[index]?.x && run.width === open[index].width);
			if (isAlike) {
				open = open.map(region => ({ ...region, height: region.height + squareSize }));
			} else {
				regions.push(...open);
				open = runs;
			}
		}
		return [...regions, ...open];
	}

	private runsOf(row: number): PixelRegion[] {
		const runs: PixelRegion[] = [];
		let start: number | undefined;
		for (let column = 0; column <= this.columns; column += 1) {
			const isTouched = column < this.columns && this.touched[row * this.columns + column] === 1;
			if (isTouched) {
				start ??= column;
			} else if (start !== undefined) {
				const x = start * squareSize;
				const width = column * squareSize - x;
				runs.push({ x, y: row * squareSize, width, height: squareSize });
				start = undefined;
			}
		}
		return runs;
	}

	/** Puts the overlay over the backdrop in every touched square. */
	private blend(): void {
		const { frame, overlay, backdropRow, columns, touched } = this;
		let first = -1;
		let last = -1;
		for (let y = 0; y < frame.height; y += 1) {
			const squares = (y >> 4) * columns;
			if (y % squareSize === 0) {
				const row = touched.subarray(squares, squares + columns);
				first = row.indexOf(1);
				last = row.lastIndexOf(1);
			}
			if (first < 0) {
				continue;
			}
			this.backdrop.row(y, first * squareSize, (last + 1) * squareSize, backdropRow);
			for (let column = first; column <= last; column += 1) {
				if (touched[squares + column] === 1) {
					const from = y * frame.width + column * squareSize;
					const count = Math.min(squareSize, frame.width - column * squareSize);
					blendRun(frame.pixels, overlay.pixels, { from, count }, backdropRow, column * squareSize);
				}
			}
		}
	}
}

function blendRun(
	to: Uint8Array,
	over: Uint8Array,
	{ from, count }: { readonly from: number; readonly count: number },
	under: Float32Array,
	column: number,
): void {
	let at = from * 4;
	let ground = column * 3;
	for (let index = 0; index < count; index += 1) {
		const alpha = over[at + 3] ?? 0;
		const rest = (255 - alpha) * (1 / 255);
		// Half is added for rounding; no sum is over 255, as no color of the overlay is over its alpha.
		to[at] = (over[at] ?? 0) + (under[ground] ?? 0) * rest + 0.5;
		to[at + 1] = (over[at + 1] ?? 0) + (under[ground + 1] ?? 0) * rest + 0.5;
		to[at + 2] = (over[at + 2] ?? 0) + (under[ground + 2] ?? 0) * rest + 0.5;
		to[at + 3] = 255;
		at += 4;
		ground += 3;
	}
}

/** The alpha of the most transparent pixel of a square, as far as it is inside the bitmap. */
function leastAlpha({ width, pixels }: Bitmap, column: number, row: number): number {
	let least = 255;
	for (let line = 0; line < squareSize && least > 0; line += 1) {
		const start = ((row * squareSize + line) * width + column * squareSize) * 4 + 3;
		for (let at = start; at < start + squareSize * 4; at += 4) {
			const alpha = pixels[at] ?? 255;
			least = alpha < least ? alpha : least;
		}
	}
	return least;
}

function clear(bitmap: Bitmap, { x, y, width, height }: PixelRegion): void {
	const right = Math.min(x + width, bitmap.width);
	for (let row = y; row < Math.min(y + height, bitmap.height); row += 1) {
		bitmap.pixels.fill(0, (row * bitmap.width + x) * 4, (row * bitmap.width + right) * 4);
	}
}

function isSameSprite(left: Sprite, right: Sprite): boolean {
	const isSamePlace = left.x === right.x && left.y === right.y && left.scale === right.scale;
	const { region: before } = left;
	const { region: after } = right;
	const isSameRegion =
		before === after ||
		(before?.x === after?.x &&
			before?.y === after?.y &&
			before?.width === after?.width &&
			before?.height === after?.height);
	const isInvisible = left.opacity <= 0 && right.opacity <= 0;
	return (
		isInvisible ||
		(left.bitmap === right.bitmap && isSamePlace && isSameRegion && left.opacity === right.opacity)
	);
}
