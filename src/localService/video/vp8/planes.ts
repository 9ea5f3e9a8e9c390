/** A picture in luma and half-size chroma planes, as used by VP8. Sides are whole macroblocks. */
export interface Planes {
	/** Macroblocks of 16 × 16 pixels. */
	readonly columns: number;
	readonly rows: number;
	readonly luma: Uint8Array;
	readonly blue: Uint8Array;
	readonly red: Uint8Array;
}

/** Creates black planes for a picture of this size in pixels. */
export function createPlanes(width: number, height: number): Planes {
	const columns = Math.ceil(width / 16);
	const rows = Math.ceil(height / 16);
	const count = columns * rows;
	return {
		columns,
		rows,
		luma: new Uint8Array(count * 256),
		blue: new Uint8Array(count * 64),
		red: new Uint8Array(count * 64),
	};
}

/** Pixels as red, green, blue and an ignored fourth byte. */
export interface Pixels {
	readonly width: number;
	readonly height: number;
	readonly pixels: Uint8Array;
}

/**
 * Converts the pixels of a macroblock to ITU-R BT.601 in limited range, as players expect for VP8. Outside the picture, repeats its last row and
 * column. `words` contains the picture's pixels as 32-bit numbers.
 */
export function convertMacroblock(
	{ width, height }: Pick<Pixels, "width" | "height">,
	words: Uint32Array,
	to: Planes,
	column: number,
	row: number,
): void {
	const lumaStride = to.columns * 16;
	const chromaStride = to.columns * 8;
	const isInside = column * 16 + 16 <= width;
	for (let y = 0; y < 16; y += 2) {
		const top = Math.min(row * 16 + y, height - 1) * width;
		const bottom = Math.min(row * 16 + y + 1, height - 1) * width;
		let luma = (row * 16 + y) * lumaStride + column * 16;
		let chroma = (row * 8 + (y >> 1)) * chromaStride + column * 8;
		for (let x = 0; x < 16; x += 2) {
			const left = isInside ? column * 16 + x : Math.min(column * 16 + x, width - 1);
			const right = isInside ? left + 1 : Math.min(column * 16 + x + 1, width - 1);
			const first = words[top + left] ?? 0;
			const second = words[top + right] ?? 0;
			const third = words[bottom + left] ?? 0;
			const fourth = words[bottom + right] ?? 0;
			to.luma[luma] = lumaOf(first);
			to.luma[luma + 1] = lumaOf(second);
			to.luma[luma + lumaStride] = lumaOf(third);
			to.luma[luma + lumaStride + 1] = lumaOf(fourth);
			// Sums up red and blue of all four pixels at once; the sums fit.
			const pairs =
				(first & 0xff_00_ff) + (second & 0xff_00_ff) + (third & 0xff_00_ff) + (fourth & 0xff_00_ff);
			const reds = pairs & 0xff_ff;
			const blues = pairs >>> 16;
			const greens =
				((first >>> 8) & 0xff) +
				((second >>> 8) & 0xff) +
				((third >>> 8) & 0xff) +
				((fourth >>> 8) & 0xff);
			to.blue[chroma] = (-9719 * reds - 19_081 * greens + 28_800 * blues + 33_685_504) >> 18;
			to.red[chroma] = (28_800 * reds - 24_116 * greens - 4684 * blues + 33_685_504) >> 18;
			luma += 2;
			chroma += 1;
		}
	}
}

function lumaOf(pixel: number): number {
	const red = pixel & 0xff;
	const green = (pixel >>> 8) & 0xff;
	const blue = (pixel >>> 16) & 0xff;
	return (16_839 * red + 33_059 * green + 6420 * blue + 1_081_344) >> 16;
}

/** A square part of a plane, `size` pixels wide and high. */
export interface Square {
	readonly plane: Uint8Array;
	readonly stride: number;
	/** Index of its first pixel. */
	readonly at: number;
	readonly size: number;
	/** Whether there are pixels above, and to the left. */
	readonly hasAbove: boolean;
	readonly hasLeft: boolean;
}

/** The squares of a macroblock. */
export type Squares = readonly [luma: Square, blue: Square, red: Square];

/** Returns the macroblocks of a picture, row by row from the top left. */
export function squaresOf(planes: Planes): readonly Squares[] {
	return Array.from({ length: planes.columns * planes.rows }, (_, index) => {
		const column = index % planes.columns;
		const row = Math.floor(index / planes.columns);
		const edges = { hasAbove: row > 0, hasLeft: column > 0 };
		const stride = planes.columns * 16;
		const at = row * 8 * (stride / 2) + column * 8;
		const chroma = { stride: stride / 2, at, size: 8, ...edges };
		return [
			{ plane: planes.luma, stride, at: row * 16 * stride + column * 16, size: 16, ...edges },
			{ plane: planes.blue, ...chroma },
			{ plane: planes.red, ...chroma },
		];
	});
}

/** Levels between the darkest and the brightest pixel of a calm square. */
const calmRange = 6;

/** Prediction of a macroblock from those above and left of it. RFC 6386 §12. */
export type IntraMode = "mean" | "above" | "left" | "both";

/** Returns the modes whose neighbors are inside the picture, because decoders invent pixels outside. */
export function possibleModes({
	hasAbove,
	hasLeft,
}: Pick<Square, "hasAbove" | "hasLeft">): readonly IntraMode[] {
	if (hasAbove && hasLeft) {
		return ["mean", "above", "left", "both"];
	}
	return hasAbove ? ["mean", "above"] : hasLeft ? ["mean", "left"] : ["mean"];
}

/** Fills `to`, `size` × `size` pixels, with a mode's prediction. */
export function predict(square: Square, mode: IntraMode, to: Uint8Array): void {
	const { plane, stride, at, size } = square;
	if (mode === "mean") {
		to.fill(meanOf(square), 0, size * size);
		return;
	}
	const corner = plane[at - stride - 1] ?? 0;
	for (let y = 0; y < size; y += 1) {
		const left = plane[at + y * stride - 1] ?? 0;
		for (let x = 0; x < size; x += 1) {
			const above = plane[at - stride + x] ?? 0;
			const value = mode === "above" ? above : mode === "left" ? left : left + above - corner;
			to[y * size + x] = value < 0 ? 0 : value > 255 ? 255 : value;
		}
	}
}

function meanOf({ plane, stride, at, size, hasAbove, hasLeft }: Square): number {
	if (!hasAbove && !hasLeft) {
		return 128;
	}
	let sum = 0;
	for (let index = 0; index < size; index += 1) {
		sum += hasAbove ? (plane[at - stride + index] ?? 0) : 0;
		sum += hasLeft ? (plane[at + index * stride - 1] ?? 0) : 0;
	}
	const count = size * (Number(hasAbove) + Number(hasLeft));
	return Math.floor((sum + count / 2) / count);
}

export function differenceOf(square: Square, predicted: Uint8Array): number {
	return sumOfDifferences(square, predicted, 0, square.size);
}

/** Returns the sum of the differences between squares of the same size. */
export function differenceOfSquares(square: Square, other: Square): number {
	return sumOfDifferences(square, other.plane, other.at, other.stride);
}

function sumOfDifferences(
	{ plane, stride, at, size }: Square,
	other: Uint8Array,
	otherAt: number,
	otherStride: number,
): number {
	let sum = 0;
	for (let y = 0; y < size; y += 1) {
		let from = at + y * stride;
		let to = otherAt + y * otherStride;
		for (const end = from + size; from < end; from += 2) {
			sum +=
				Math.abs((plane[from] ?? 0) - (other[to] ?? 0)) +
				Math.abs((plane[from + 1] ?? 0) - (other[to + 1] ?? 0));
			to += 2;
		}
	}
	return sum;
}

export function copySquare({ plane, stride, at, size }: Square, to: Uint8Array): void {
	for (let y = 0; y < size; y += 1) {
		const from = at + y * stride;
		for (let x = 0; x < size; x += 1) {
			to[y * size + x] = plane[from + x] ?? 0;
		}
	}
}

/** Copies pixels without gaps to a square. */
export function fillSquare({ plane, stride, at, size }: Square, from: Uint8Array): void {
	for (let y = 0; y < size; y += 1) {
		plane.set(from.subarray(y * size, (y + 1) * size), at + y * stride);
	}
}

/** Whether no pixel of a square differs by more than `most` from pixels without gaps. */
export function isNear(
	{ plane, stride, at, size }: Square,
	other: Uint8Array,
	most: number,
): boolean {
	for (let y = 0; y < size; y += 1) {
		const from = at + y * stride;
		for (let x = 0; x < size; x += 1) {
			if (Math.abs((plane[from + x] ?? 0) - (other[y * size + x] ?? 0)) > most) {
				return false;
			}
		}
	}
	return true;
}

/** Whether the pixels of a square differ little from one another, as those of a single color or a dithered gradient do. */
export function isCalmSquare({ plane, stride, at, size }: Square): boolean {
	let least = 255;
	let most = 0;
	for (let y = 0; y < size; y += 1) {
		const from = at + y * stride;
		for (let x = 0; x < size; x += 1) {
			const level = plane[from + x] ?? 0;
			least = level < least ? level : least;
			most = level > most ? level : most;
		}
		if (most - least > calmRange) {
			return false;
		}
	}
	return true;
}
