/** Motion compensation: predicts a part of a picture from another place of the previous picture. RFC 6386 §18. */

/** Offset of the source pixels in quarter pixels to the right and down, packed into a number; 0 means no motion. */
export type Vector = number;

/** The greatest vector component in quarter pixels, so that the format can write differences of two vectors. */
export const furthest = 500;

/** Creates a vector from quarter pixels. */
export function vectorOf(x: number, y: number): Vector {
	return (y << 16) | (x & 0xff_ff);
}

export function acrossOf(vector: Vector): number {
	return (vector << 16) >> 16;
}

export function downOf(vector: Vector): number {
	return vector >> 16;
}

/** Returns the vector of a chroma block whose four luma blocks have these vectors, in eighths of its pixels. */
export function meanVector(first: Vector, second: Vector, third: Vector, fourth: Vector): Vector {
	const x = acrossOf(first) + acrossOf(second) + acrossOf(third) + acrossOf(fourth);
	const y = downOf(first) + downOf(second) + downOf(third) + downOf(fourth);
	return vectorOf(quarterOf(x), quarterOf(y));
}

function quarterOf(sum: number): number {
	return Math.trunc((sum + (sum < 0 ? -2 : 2)) / 4);
}

/** Filter taps for each eighth of a pixel. RFC 6386 §18.3. */
const taps = Int32Array.from(
	[
		[0, 0, 128, 0, 0, 0],
		[0, -6, 123, 12, -1, 0],
		[2, -11, 108, 36, -8, 1],
		[0, -9, 93, 50, -6, 0],
		[3, -16, 77, 77, -16, 3],
		[0, -6, 50, 93, -9, 0],
		[1, -8, 36, 108, -11, 2],
		[0, -1, 12, 123, -6, 0],
	].flat(),
);

/** The number of pixels that the taps read before and after the requested ones. */
export const tapsReach = { before: 2, after: 3 } as const;

/** A square of a plane to copy. */
export interface Move {
	readonly plane: Uint8Array;
	readonly stride: number;
	/** Index of the square's first source pixel. */
	readonly at: number;
	readonly size: number;
	/** Additional eighths of a pixel, 0 to 7. */
	readonly across: number;
	readonly down: number;
}

const between = new Uint8Array(21 * 16);

/** Fills a square of `to` with interpolated pixels of a plane, exactly as a decoder does. */
export function copyMoved(move: Move, to: Uint8Array, start: number, toStride: number): void {
	const { plane, stride, at, size, across, down } = move;
	if (across === 0 && down === 0) {
		for (let y = 0; y < size; y += 1) {
			for (let x = 0; x < size; x += 1) {
				to[start + y * toStride + x] = plane[at + y * stride + x] ?? 0;
			}
		}
		return;
	}
	if (down === 0) {
		filterAcross(move, size, to, start, toStride);
	} else if (across === 0) {
		filterDown(plane, at, stride, move, to, start, toStride);
	} else {
		const rows = size + tapsReach.before + tapsReach.after;
		filterAcross({ ...move, at: at - tapsReach.before * stride }, rows, between, 0, 16);
		filterDown(between, tapsReach.before * 16, 16, move, to, start, toStride);
	}
}

function filterAcross(
	{ plane, stride, at, size, across }: Move,
	rows: number,
	to: Uint8Array,
	start: number,
	toStride: number,
): void {
	for (let y = 0; y < rows; y += 1) {
		filterLine(plane, at + y * stride, 1, size, across * 6, to, start + y * toStride, 1);
	}
}

function filterDown(
	plane: Uint8Array,
	at: number,
	stride: number,
	{ size, down }: Move,
	to: Uint8Array,
	start: number,
	toStride: number,
): void {
	for (let x = 0; x < size; x += 1) {
		filterLine(plane, at + x, stride, size, down * 6, to, start + x, toStride);
	}
}

/** Filters `count` pixels at distance `step`. Reads each once. */
function filterLine(
	plane: Uint8Array,
	at: number,
	step: number,
	count: number,
	tap: number,
	to: Uint8Array,
	start: number,
	toStep: number,
): void {
	const first = taps[tap] ?? 0;
	const second = taps[tap + 1] ?? 0;
	const third = taps[tap + 2] ?? 0;
	const fourth = taps[tap + 3] ?? 0;
	const fifth = taps[tap + 4] ?? 0;
	const sixth = taps[tap + 5] ?? 0;
	let a = plane[at - 2 * step] ?? 0;
	let b = plane[at - step] ?? 0;
	let c = plane[at] ?? 0;
	let d = plane[at + step] ?? 0;
	let e = plane[at + 2 * step] ?? 0;
	let from = at + 3 * step;
	let out = start;
	for (let index = 0; index < count; index += 1) {
		const f = plane[from] ?? 0;
		const value =
			(a * first + b * second + c * third + d * fourth + e * fifth + f * sixth + 64) >> 7;
		to[out] = value < 0 ? 0 : value > 255 ? 255 : value;
		a = b;
		b = c;
		c = d;
		d = e;
		e = f;
		from += step;
		out += toStep;
	}
}
