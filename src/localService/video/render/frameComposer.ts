import { BackdropPainter, isSameBackdrop } from "./backdropPainter.ts";
import {
	type Bitmap,
	createBitmap,
	drawSprite,
	isOpaque,
	type PixelRegion,
	type Sprite,
	wordsOf,
} from "./bitmap.ts";
import type { FramePlan } from "./scene.ts";
import { vectorOf } from "../vp8/index.ts";

/** Side of the squares by which changes are told, in pixels: a macroblock of VP8. */
export const squareSize = 16;

/** The backdrop is drawn again in a square when it has changed there by this much of 255: less is not seen. */
const leastChange = 2;

/** What may be different in a frame; the arrays are filled again for the next one. */
export interface FrameChange {
	/** A 1 for each square that may have changed, row by row from the top left. */
	readonly changed: Uint8Array;
	/** From where the pixels of each square's blocks may come; absent when nothing has moved. */
	readonly vectors: Int32Array | undefined;
}

/** Turns plans of frames that follow each other into pixels, drawing again only what is not as it was. */
export class FrameComposer {
	/** The frame that was composed last. */
	readonly frame: Bitmap;
	/** Everything before the backdrop. */
	private readonly overlay: Bitmap;
	private readonly backdrop: BackdropPainter;
	/** The pixels of both, in one number each. */
	private readonly framePixels: Uint32Array;
	private readonly overlayPixels: Uint32Array;
	private readonly columns: number;
	private readonly rows: number;
	private readonly touched: Uint8Array;
	/** For each square, 255 less the alpha of the overlay's most transparent pixel. */
	private readonly transparency: Uint8Array;
	private readonly motion: SpriteMotion;
	private last: FramePlan | undefined;

	/** Makes a composer of frames of this size in pixels. */
	constructor(size: { readonly width: number; readonly height: number }) {
		this.frame = createBitmap(size.width, size.height);
		this.overlay = createBitmap(size.width, size.height);
		this.backdrop = new BackdropPainter(size);
		this.framePixels = wordsOf(this.frame);
		this.overlayPixels = wordsOf(this.overlay);
		this.columns = Math.ceil(size.width / squareSize);
		this.rows = Math.ceil(size.height / squareSize);
		this.touched = new Uint8Array(this.columns * this.rows);
		this.motion = new SpriteMotion(this.columns, this.rows);
		this.transparency = new Uint8Array(this.touched.length);
	}

	/** Composes the next frame, and tells what of it may have changed. */
	compose(plan: FramePlan): FrameChange {
		const { last, touched } = this;
		this.last = plan;
		touched.fill(last ? 0 : 1);
		if (last) {
			this.touchChanges(last.sprites, plan.sprites);
		}
		for (const region of this.touchedRegions()) {
			this.drawRegion(plan.sprites, region);
		}
		if (!last || !isSameBackdrop(last.background, plan.background)) {
			this.backdrop.set(plan.background);
			this.touchSeenThrough();
		}
		this.blend();
		const hasMoved = this.motion.compare(last?.sprites ?? [], plan.sprites);
		return { changed: touched, vectors: hasMoved ? this.motion.vectors : undefined };
	}

	/** Draws the overlay again in a region; what an opaque sprite covers wholly is left out. */
	private drawRegion(sprites: readonly Sprite[], region: PixelRegion): void {
		const cover = sprites.findLastIndex(sprite => this.covers(sprite, region));
		if (cover < 0) {
			clear(this.overlay, region);
		}
		for (const sprite of sprites.slice(Math.max(0, cover))) {
			drawSprite(this.overlay, sprite, region);
		}
		this.measureTransparency(region, cover >= 0);
	}

	private covers(sprite: Sprite, { x, y, width, height }: PixelRegion): boolean {
		const size = sprite.region ?? sprite.bitmap;
		return (
			sprite.opacity >= 1 &&
			isOpaque(sprite.bitmap) &&
			Math.round(sprite.x) <= x &&
			Math.round(sprite.y) <= y &&
			Math.round(sprite.x + size.width * sprite.scale) >= Math.min(x + width, this.frame.width) &&
			Math.round(sprite.y + size.height * sprite.scale) >= Math.min(y + height, this.frame.height)
		);
	}

	/** Touches the squares in which the backdrop's change can be seen. */
	private touchSeenThrough(): void {
		for (let index = 0; index < this.touched.length; index += 1) {
			const least = leastChange / ((this.transparency[index] ?? 0) / 255);
			const row = Math.floor(index / this.columns);
			if (this.backdrop.hasChanged(index % this.columns, row, least)) {
				this.touched[index] = 1;
			}
		}
	}

	/** Notes how much of the backdrop is seen in each square of a region. */
	private measureTransparency({ x, y, width, height }: PixelRegion, isCovered: boolean): void {
		for (let row = y / squareSize; row < (y + height) / squareSize; row += 1) {
			for (let column = x / squareSize; column < (x + width) / squareSize; column += 1) {
				const square = row * this.columns + column;
				this.transparency[square] = isCovered
					? 0
					: 255 - leastAlpha(this.overlayPixels, this.frame.width, column, row);
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

	/** Puts the overlay over the backdrop in every touched square, which then has the backdrop as it is now. */
	private blend(): void {
		for (let row = 0; row < this.rows; row += 1) {
			for (let column = 0; column < this.columns; column += 1) {
				if (this.touched[row * this.columns + column] === 1) {
					this.blendSquare(column, row);
				}
			}
		}
	}

	private blendSquare(column: number, row: number): void {
		this.backdrop.tell(column, row);
		if (this.transparency[row * this.columns + column] === 0) {
			this.copyOverlay(column, row);
		} else {
			this.backdrop.paint(column, row, this.overlayPixels, this.framePixels);
		}
	}

	private copyOverlay(column: number, row: number): void {
		const { width, height } = this.frame;
		const x = column * squareSize;
		const right = Math.min(x + squareSize, width);
		const bottom = Math.min((row + 1) * squareSize, height);
		for (let y = row * squareSize; y < bottom; y += 1) {
			for (let at = y * width + x; at < y * width + right; at += 1) {
				this.framePixels[at] = this.overlayPixels[at] ?? 0;
			}
		}
	}
}

/** The alpha of the most transparent pixel of a square, as far as it is inside the bitmap. */
function leastAlpha(pixels: Uint32Array, width: number, column: number, row: number): number {
	let least = 255;
	for (let line = 0; line < squareSize && least > 0; line += 1) {
		const start = (row * squareSize + line) * width + column * squareSize;
		let shared = opaque;
		for (let at = start; at < start + squareSize; at += 1) {
			shared &= pixels[at] ?? opaque;
		}
		// Most lines are opaque, and then no alpha has to be looked at by itself.
		if (shared >>> 24 < 255) {
			for (let at = start; at < start + squareSize; at += 1) {
				least = Math.min(least, (pixels[at] ?? opaque) >>> 24);
			}
		}
	}
	return least;
}

const opaque = 0xff_00_00_00;

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

/** Side of the blocks that have a vector each, in pixels. */
const blockSize = 4;
const blocksAcross = squareSize / blockSize;

/** Tells from where the pixels of each block of a frame come, by how the sprites have moved since the frame before. */
class SpriteMotion {
	/** Sixteen for each square of 16 × 16 pixels, in rows; squares in rows from the top left. */
	readonly vectors: Int32Array;
	private readonly columns: number;
	private readonly rows: number;
	private isAny = false;

	/** Makes one for frames of so many squares. */
	constructor(columns: number, rows: number) {
		this.columns = columns;
		this.rows = rows;
		this.vectors = new Int32Array(columns * rows * 16);
	}

	/** Compares sprites, from back to front, with those of the frame before. Says whether any has moved. */
	compare(before: readonly Sprite[], after: readonly Sprite[]): boolean {
		if (this.isAny) {
			this.vectors.fill(0);
			this.isAny = false;
		}
		for (const [index, current] of after.entries()) {
			const previous = before[index];
			if (previous?.bitmap === current.bitmap && previous.opacity > 0 && current.opacity > 0) {
				this.addMotion(previous, current);
			}
		}
		return this.isAny;
	}

	private addMotion(previous: Sprite, current: Sprite): void {
		const ratio = previous.scale / current.scale;
		const from = originOf(previous);
		const to = originOf(current);
		if (ratio === 1 && from.x === to.x && from.y === to.y) {
			return;
		}
		this.isAny = true;
		const { width, height } = current.region ?? current.bitmap;
		const right = Math.min(current.x + width * current.scale, this.columns * squareSize);
		const bottom = Math.min(current.y + height * current.scale, this.rows * squareSize);
		// Whole squares have one vector each when pixels also come nearer to each other or go apart.
		const step = ratio === 1 ? blockSize : squareSize;
		const firstX = Math.max(0, Math.floor(current.x / step) * step);
		for (let y = Math.max(0, Math.floor(current.y / step) * step); y < bottom; y += step) {
			const middleY = y + step / 2;
			const down = Math.round((from.y + (middleY - to.y) * ratio - middleY) * 4);
			for (let x = firstX; x < right; x += step) {
				const middleX = x + step / 2;
				const across = Math.round((from.x + (middleX - to.x) * ratio - middleX) * 4);
				this.set(x, y, step, vectorOf(across, down));
			}
		}
	}

	private set(x: number, y: number, step: number, vector: number): void {
		const square = Math.floor(y / squareSize) * this.columns + Math.floor(x / squareSize);
		if (step === squareSize) {
			this.vectors.fill(vector, square * 16, square * 16 + 16);
			return;
		}
		const block = ((y % squareSize) / blockSize) * blocksAcross + (x % squareSize) / blockSize;
		this.vectors[square * 16 + block] = vector;
	}
}

/** Where the top left corner of a sprite's whole bitmap would be. */
function originOf({ region, x, y, scale }: Sprite): { readonly x: number; readonly y: number } {
	return { x: x - (region?.x ?? 0) * scale, y: y - (region?.y ?? 0) * scale };
}
