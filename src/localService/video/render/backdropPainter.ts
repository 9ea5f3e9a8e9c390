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
/** Three rows of three points, three colors each. */
const pointsPerSquare = 27;

/** Draws backdrops of one size, row by row. */
export class BackdropPainter {
	private readonly columns: number;
	private readonly rows: number;
	private readonly width: number;
	private readonly height: number;
	/** Red, green and blue of the coarse picture, each row stretched to the frame's width. */
	private readonly stretched: Float32Array;
	private readonly coarsePicture: Float32Array;
	/** Colors of each square when it was last told as changed. */
	private readonly told: Float32Array;
	private readonly squareColumns: number;

	/** Makes a painter for frames of this size in pixels. */
	constructor(size: { readonly width: number; readonly height: number }) {
		this.width = size.width;
		this.height = size.height;
		this.squareColumns = Math.ceil(size.width / (coarse * 2));
		const squareRows = Math.ceil(size.height / (coarse * 2));
		this.columns = this.squareColumns * 2 + 1;
		this.rows = squareRows * 2 + 1;
		this.stretched = new Float32Array(this.rows * size.width * 3);
		this.coarsePicture = new Float32Array(this.columns * this.rows * 3);
		this.told = new Float32Array(this.squareColumns * squareRows * pointsPerSquare).fill(-255);
	}

	/** Takes the backdrop whose rows are asked for next. */
	set(backdrop: Backdrop): void {
		for (let row = 0; row < this.rows; row += 1) {
			for (let column = 0; column < this.columns; column += 1) {
				this.setPoint(backdrop, column, row);
			}
			this.stretchRow(row);
		}
	}

	/**
	 * The largest change of a color in a square of two coarse points a side since it was last told here, 0 to 255,
	 * when that is `least` or more, and otherwise 0.
	 */
	changeOf(column: number, row: number, least: number): number {
		const { coarsePicture, told, columns } = this;
		const square = (row * this.squareColumns + column) * pointsPerSquare;
		let most = 0;
		for (let point = 0; point < pointsPerSquare; point += 1) {
			const at = this.pointOf(column, row, point, columns);
			most = Math.max(most, Math.abs((coarsePicture[at] ?? 0) - (told[square + point] ?? 0)));
		}
		if (most < least) {
			return 0;
		}
		for (let point = 0; point < pointsPerSquare; point += 1) {
			told[square + point] = coarsePicture[this.pointOf(column, row, point, columns)] ?? 0;
		}
		return most;
	}

	/** Fills `to` with red, green and blue, 0 to 255, of a row's pixels from one column up to another. */
	row(y: number, from: number, until: number, to: Float32Array): void {
		const { stretched, width: wide } = this;
		const row = Math.floor(y / coarse);
		const weight = y / coarse - row;
		const upper = row * wide * 3;
		const lower = upper + wide * 3;
		for (let index = from * 3; index < Math.min(until, wide) * 3; index += 1) {
			const above = stretched[upper + index] ?? 0;
			to[index] = above + ((stretched[lower + index] ?? 0) - above) * weight;
		}
	}

	private setPoint({ from, to, lights }: Backdrop, column: number, row: number): void {
		const x = column * coarse;
		const y = row * coarse;
		const share = Math.min(1, (x / this.width + y / this.height) / 2);
		let red = from[0] + (to[0] - from[0]) * share;
		let green = from[1] + (to[1] - from[1]) * share;
		let blue = from[2] + (to[2] - from[2]) * share;
		for (const light of lights) {
			const distance = Math.hypot(x - light.x, y - light.y) / light.radius;
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
		this.coarsePicture[at] = red;
		this.coarsePicture[at + 1] = green;
		this.coarsePicture[at + 2] = blue;
	}

	/** Where a color of a square is in the coarse picture: three rows of three points, three colors each. */
	private pointOf(column: number, row: number, point: number, columns: number): number {
		const line = row * 2 + Math.floor(point / 9);
		return (line * columns + column * 2) * 3 + (point % 9);
	}

	private stretchRow(row: number): void {
		const { coarsePicture, stretched } = this;
		const start = row * this.columns * 3;
		let out = row * this.width * 3;
		for (let x = 0; x < this.width; x += 1) {
			const left = start + Math.floor(x / coarse) * 3;
			const weight = x / coarse - Math.floor(x / coarse);
			for (let channel = left; channel < left + 3; channel += 1) {
				const value = coarsePicture[channel] ?? 0;
				stretched[out] = value + ((coarsePicture[channel + 3] ?? 0) - value) * weight;
				out += 1;
			}
		}
	}
}
