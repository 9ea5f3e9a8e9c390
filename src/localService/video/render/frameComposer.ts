import {
	type Bitmap,
	createBitmap,
	drawSprite,
	isOpaque,
	type PixelRegion,
	type Sprite,
} from "./bitmap.ts";
import { density, type FramePlan } from "./scene.ts";
import { vectorOf } from "../vp8/motion.ts";

/** Side of the squares in which changes are reported, in pixels: a VP8 macroblock. */
export const squareSize = 16;

/** Differences from the frame before. The arrays are reused for the next frame. */
export interface FrameChange {
	/** 1 for each square that may have changed, row by row from the top left. */
	readonly changed: Uint8Array;
	/** Motion vectors of each square's blocks; undefined if nothing moved. */
	readonly vectors: Int32Array | undefined;
}

/** Draws consecutive frame plans, redrawing only changed regions. */
export class FrameComposer {
	readonly frame: Bitmap;
	private readonly ground: Bitmap;
	private readonly columns: number;
	private readonly rows: number;
	private readonly touched: Uint8Array;
	private readonly motion: SpriteMotion;
	private last: SpritesByPart | undefined;

	/** Creates a composer for frames of this background's size. */
	constructor(ground: Bitmap) {
		const { width, height } = ground;
		this.ground = ground;
		this.frame = createBitmap(width, height);
		this.columns = Math.ceil(width / squareSize);
		this.rows = Math.ceil(height / squareSize);
		this.touched = new Uint8Array(this.columns * this.rows);
		this.motion = new SpriteMotion(this.columns, this.rows);
	}

	/** Composes the next frame and returns what may have changed. */
	compose(plan: FramePlan): FrameChange {
		const { last = new Map<string, Sprite>(), touched } = this;
		const sprites = plan.sprites.map(inPixels);
		const parts = byPart(sprites);
		touched.fill(this.last ? 0 : 1);
		this.last = parts;
		this.touchChanges(last, parts);
		for (const region of this.touchedRegions()) {
			this.drawRegion(sprites, region);
		}
		const hasMoved = this.motion.compare(last, parts);
		return { changed: touched, vectors: hasMoved ? this.motion.vectors : undefined };
	}

	/** Redraws a region. Skips sprites completely covered by an opaque one. */
	private drawRegion(sprites: readonly Sprite[], region: PixelRegion): void {
		const cover = sprites.findLastIndex(sprite => this.covers(sprite, region));
		if (cover < 0) {
			this.drawGround(region);
		}
		for (const sprite of sprites.slice(Math.max(0, cover))) {
			drawSprite(this.frame, sprite, region);
		}
	}

	private drawGround({ x, y, width, height }: PixelRegion): void {
		const right = Math.min(x + width, this.frame.width);
		for (let row = y; row < Math.min(y + height, this.frame.height); row += 1) {
			const start = (row * this.frame.width + x) * 4;
			const end = (row * this.frame.width + right) * 4;
			this.frame.pixels.set(this.ground.pixels.subarray(start, end), start);
		}
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

	private touchChanges(before: SpritesByPart, after: SpritesByPart): void {
		for (const part of new Set([...before.keys(), ...after.keys()])) {
			const [old, young] = [before.get(part), after.get(part)];
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
		// Fractional positions are rounded when drawn.
		const firstColumn = squareOf(sprite.x - 1, this.columns);
		const lastColumn = squareOf(right + 1, this.columns);
		const lastRow = squareOf(bottom + 1, this.rows);
		for (let row = squareOf(sprite.y - 1, this.rows); row <= lastRow; row += 1) {
			const start = row * this.columns;
			this.touched.fill(1, start + firstColumn, start + lastColumn + 1);
		}
	}

	/** Combines the touched squares into rectangles, merging equal rows. */
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
}

/** Sprites by content, because lists of consecutive frames differ in length if something appears. */
type SpritesByPart = ReadonlyMap<string, Sprite>;

const names = new WeakMap<Bitmap, number>();
let named = 0;

/** Indexes sprites by content. Ignores the width, because rows grow while typed. Numbers duplicates by order. */
function byPart(sprites: readonly Sprite[]): SpritesByPart {
	const parts = new Map<string, Sprite>();
	for (const sprite of sprites) {
		const { bitmap, region } = sprite;
		const name = names.get(bitmap) ?? (named += 1);
		names.set(bitmap, name);
		const part = region ? `${name} ${region.x} ${region.y}` : String(name);
		let count = 0;
		while (parts.has(`${part} ${count}`)) {
			count += 1;
		}
		parts.set(`${part} ${count}`, sprite);
	}
	return parts;
}

function inPixels(sprite: Sprite): Sprite {
	const { bitmap, region } = sprite;
	const own = bitmap.density ?? 1;
	return {
		...sprite,
		x: sprite.x * density,
		y: sprite.y * density,
		scale: (sprite.scale * density) / own,
		...(region && {
			region: {
				x: region.x * own,
				y: region.y * own,
				width: region.width * own,
				height: region.height * own,
			},
		}),
	};
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

/** Side of the blocks with their own vector, in pixels. */
const blockSize = 4;
const blocksAcross = squareSize / blockSize;

/** Computes motion vectors of blocks from the sprites' movement since the frame before. */
class SpriteMotion {
	/** Sixteen vectors per square of 16 × 16 pixels, in rows; squares in rows from the top left. */
	readonly vectors: Int32Array;
	private readonly columns: number;
	private readonly rows: number;
	private isAny = false;

	constructor(columns: number, rows: number) {
		this.columns = columns;
		this.rows = rows;
		this.vectors = new Int32Array(columns * rows * 16);
	}

	/** Compares sprites, from back to front, with those of the frame before. Returns whether any moved. */
	compare(before: SpritesByPart, after: SpritesByPart): boolean {
		if (this.isAny) {
			this.vectors.fill(0);
			this.isAny = false;
		}
		for (const [part, current] of after) {
			const previous = before.get(part);
			if (previous && previous.opacity > 0 && current.opacity > 0) {
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
		// If the scale changes, whole squares share a vector.
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

/** Returns the position of the top left corner of a sprite's whole bitmap. */
function originOf({ region, x, y, scale }: Sprite): { readonly x: number; readonly y: number } {
	return { x: x - (region?.x ?? 0) * scale, y: y - (region?.y ?? 0) * scale };
}
