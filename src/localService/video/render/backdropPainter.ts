/** A color, 0 to 255 for each of red, green and blue. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** A soft, round light: brightest in its middle, gone at its radius. In pixels of the frame. */
interface Light {
	readonly x: number;
	readonly y: number;
	readonly radius: number;
	readonly color: Rgb;
}

/** What is behind everything: a gradient from the top left to the bottom right, with lights on it. */
export interface Backdrop {
	readonly from: Rgb;
	readonly to: Rgb;
	readonly lights: readonly Light[];
}

/** Whether two backdrops look the same. */
export function isSameBackdrop(left: Backdrop, right: Backdrop): boolean {
	return (
		left.from.join() === right.from.join() &&
		left.lights.every(({ x, y }, index) => {
			const other = right.lights[index];
			return other?.x === x && other.y === y;
		})
	);
}

/** Opacity of a light from its middle to its radius. */
const fallOff = [0.75, 0.28, 0] as const;

/** Backgrounds are soft: drawn at an eighth of the frame's size and stretched, they look the same. */
const coarse = 8;
const squareSize = coarse * 2;
/** Colors are whole numbers of this share of a level; eight of them weighted are shares of 65,536. */
const fine = 8192;
/** Three rows of three points, three colors each. */
const pointsPerSquare = 27;

/** Draws backdrops of one size, square by square. */
export class BackdropPainter {
	private readonly columns: number;
	private readonly rows: number;
	private readonly width: number;
	private readonly height: number;
	/** Red, green and blue of the points, in rows. */
	private readonly coarsePicture: Int32Array;
	/** Colors of each square when it was last told as changed. */
	private readonly told: Int32Array;
	private readonly squareColumns: number;

	/** Makes a painter for frames of this size in pixels. */
	constructor(size: { readonly width: number; readonly height: number }) {
		this.width = size.width;
		this.height = size.height;
		this.squareColumns = Math.ceil(size.width / squareSize);
		const squareRows = Math.ceil(size.height / squareSize);
		this.columns = this.squareColumns * 2 + 1;
		this.rows = squareRows * 2 + 1;
		this.coarsePicture = new Int32Array(this.columns * this.rows * 3);
		const points = this.squareColumns * squareRows * pointsPerSquare;
		this.told = new Int32Array(points).fill(-255 * fine);
	}

	/** Takes the backdrop that is painted next. */
	set(backdrop: Backdrop): void {
		for (let row = 0; row < this.rows; row += 1) {
			for (let column = 0; column < this.columns; column += 1) {
				this.setPoint(backdrop, column, row);
			}
		}
	}

	/**
	 * Whether a color in a square of two coarse points a side has changed by `least` of 255 or more since that was last
	 * told here.
	 */
	hasChanged(column: number, row: number, least: number): boolean {
		const { coarsePicture, told } = this;
		const square = (row * this.squareColumns + column) * pointsPerSquare;
		let most = 0;
		for (let line = 0; line < 3; line += 1) {
			const from = ((row * 2 + line) * this.columns + column * 2) * 3;
			for (let point = 0; point < 9; point += 1) {
				const gap = (coarsePicture[from + point] ?? 0) - (told[square + line * 9 + point] ?? 0);
				most = Math.max(most, gap < 0 ? -gap : gap);
			}
		}
		const isChanged = most >= least * fine;
		if (isChanged) {
			this.tell(column, row);
		}
		return isChanged;
	}

	/** Takes the colors of a square as they are now for those that were told. */
	tell(column: number, row: number): void {
		const square = (row * this.squareColumns + column) * pointsPerSquare;
		for (let line = 0; line < 3; line += 1) {
			const from = ((row * 2 + line) * this.columns + column * 2) * 3;
			for (let point = 0; point < 9; point += 1) {
				this.told[square + line * 9 + point] = this.coarsePicture[from + point] ?? 0;
			}
		}
	}

	/** Paints a square, with the pixels of `over` on it, into a bitmap of the same size. */
	paint(column: number, row: number, over: Uint32Array, to: Uint32Array): void {
		const x = column * squareSize;
		const lines = Math.min(squareSize, this.height - row * squareSize);
		for (let line = 0; line < lines; line += 1) {
			const y = row * squareSize + line;
			for (let left = x; left < x + squareSize; left += coarse) {
				const until = Math.min(left + coarse, this.width);
				this.paintRun(left, until, y, over, to);
			}
		}
	}

	/** Paints pixels of a row between two points. */
	private paintRun(
		left: number,
		until: number,
		y: number,
		over: Uint32Array,
		to: Uint32Array,
	): void {
		const upper = ((y >> 3) * this.columns + (left >> 3)) * 3;
		let red = this.between(upper, y);
		let green = this.between(upper + 1, y);
		let blue = this.between(upper + 2, y);
		const redStep = (this.between(upper + 3, y) - red) >> 3;
		const greenStep = (this.between(upper + 4, y) - green) >> 3;
		const blueStep = (this.between(upper + 5, y) - blue) >> 3;
		const end = y * this.width + until;
		for (let index = y * this.width + left; index < end; index += 1) {
			const pixel = over[index] ?? 0;
			const rest = 255 - (pixel >>> 24);
			if (rest === 255) {
				to[index] = opaque | ((blue >> 16) << 16) | ((green >> 16) << 8) | (red >> 16);
			} else if (rest === 0) {
				to[index] = pixel;
			} else {
				// No sum is over 255, as no color of the overlay is over its alpha.
				to[index] =
					opaque |
					((((pixel >> 16) & 0xff) + share(blue, rest)) << 16) |
					((((pixel >> 8) & 0xff) + share(green, rest)) << 8) |
					((pixel & 0xff) + share(red, rest));
			}
			red += redStep;
			green += greenStep;
			blue += blueStep;
		}
	}

	/** A color between a point and the one below it, in shares of 65,536, with a half for rounding. */
	private between(point: number, y: number): number {
		const down = y & 7;
		const upper = this.coarsePicture[point] ?? 0;
		const lower = this.coarsePicture[point + this.columns * 3] ?? 0;
		return upper * (8 - down) + lower * down + half;
	}

	private setPoint({ from, to, lights }: Backdrop, column: number, row: number): void {
		const x = column * coarse;
		const y = row * coarse;
		const share = Math.min(1, (x / this.width + y / this.height) / 2);
		let red = from[0] + (to[0] - from[0]) * share;
		let green = from[1] + (to[1] - from[1]) * share;
		let blue = from[2] + (to[2] - from[2]) * share;
		for (const light of lights) {
			const across = x - light.x;
			const down = y - light.y;
			const distance = Math.sqrt(across * across + down * down) / light.radius;
			if (distance < 1) {
				const [middle, half, edge] = fallOff;
				const opacity =
					distance < 0.5
						? middle + (half - middle) * distance * 2
						: half + (edge - half) * (distance * 2 - 1);
				red += (light.color[0] - red) * opacity;
				green += (light.color[1] - green) * opacity;
				blue += (light.color[2] - blue) * opacity;
			}
		}
		const at = (row * this.columns + column) * 3;
		this.coarsePicture[at] = red * fine;
		this.coarsePicture[at + 1] = green * fine;
		this.coarsePicture[at + 2] = blue * fine;
	}
}

/** Half a level, for rounding. */
const half = fine * 4;
const opaque = 0xff << 24;

/** The share `rest` of 255 of a color in shares of 65,536, rounded to a level. */
function share(color: number, rest: number): number {
	return ((color >> 9) * rest * 257) >> 23;
}
