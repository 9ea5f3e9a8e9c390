import { acrossOf, copyMoved, downOf, furthest, meanVector, type Vector } from "./motion.ts";
import { differenceOf, type Planes, type Square } from "./planes.ts";

/** Pixels around a plane that repeat its edges, for the filters. */
const border = 8;

/** Cost of a vector, in pixel differences: about what its bits would save elsewhere. */
const movedCost = 48;
const splitCost = 224;
/** Cost of a block whose vector differs from the previous block's. */
const turnCost = 12;

/** If a single vector for all blocks costs less, nothing else is tried. */
const nearEnough = 2048;

/** The most vectors to try for a macroblock. */
const mostVectors = 3;

interface Padded {
	readonly pixels: Uint8Array;
	readonly stride: number;
}

export interface Hints {
	/** Sixteen vectors of its blocks in rows, starting at `at`. */
	readonly vectors: Int32Array;
	readonly at: number;
	/** Sum of the differences from the previous picture at the same place. */
	readonly still: number;
}

export interface Moved {
	readonly luma: "moved" | "split";
	/** Sum of the luma differences and the cost of the vectors. */
	readonly cost: number;
}

/** Predicts macroblocks from other places of the previous picture. */
export class MotionSearch {
	private readonly width: number;
	private readonly height: number;
	private readonly luma: Padded;
	private readonly blue: Padded;
	private readonly red: Padded;
	/** Predictions without motion and with each tried vector: pixels and block differences. */
	private readonly candidates = Array.from({ length: mostVectors + 1 }, () => ({
		vector: 0,
		pixels: new Uint8Array(256),
		differences: new Int32Array(16),
	}));
	/** The vectors last chosen for the sixteen blocks. */
	readonly chosen = new Int32Array(16);

	constructor({ columns, rows }: Planes) {
		this.width = columns * 16;
		this.height = rows * 16;
		this.luma = createPadded(this.width, this.height);
		this.blue = createPadded(this.width / 2, this.height / 2);
		this.red = createPadded(this.width / 2, this.height / 2);
	}

	/** Sets the picture from which the next one is predicted. */
	take({ luma, blue, red }: Planes): void {
		pad(luma, this.luma, this.width, this.height);
		pad(blue, this.blue, this.width / 2, this.height / 2);
		pad(red, this.red, this.width / 2, this.height / 2);
	}

	/**
	 * Chooses the best among the given vectors and no motion, whose difference is `still`. Stores the vectors in `chosen` and the luma in `to`. Returns
	 * undefined if no vector is worth its cost.
	 */
	search(
		source: Square,
		column: number,
		row: number,
		{ vectors, at, still }: Hints,
		to: Uint8Array,
	): Moved | undefined {
		const first = vectors[at] ?? 0;
		const whole = isEvery(vectors, at, first)
			? this.searchWhole(source, column, row, first, still, to)
			: undefined;
		if (whole && whole.cost < nearEnough) {
			return whole;
		}
		const count = this.tryVectors(source, column, row, vectors, at);
		if (count === 1) {
			return undefined;
		}
		let best = 0;
		let least = Number.POSITIVE_INFINITY;
		for (let index = 0; index < count; index += 1) {
			const { differences } = this.candidateAt(index);
			let cost = index === 0 ? 0 : movedCost;
			for (let block = 0; block < 16; block += 1) {
				cost += differences[block] ?? 0;
			}
			if (cost < least) {
				best = index;
				least = cost;
			}
		}
		const split = this.splitCost(count, least);
		if (split < least) {
			this.copyBlocks(to);
			return { luma: "split", cost: split };
		}
		if (best === 0) {
			return undefined;
		}
		const { vector, pixels } = this.candidateAt(best);
		this.chosen.fill(vector);
		to.set(pixels);
		return { luma: "moved", cost: least };
	}

	/** Like `search`, if all blocks have the same vector. */
	private searchWhole(
		source: Square,
		column: number,
		row: number,
		vector: Vector,
		still: number,
		to: Uint8Array,
	): Moved | undefined {
		if (vector === 0 || !this.isInside(column * 16, row * 16, vector)) {
			return undefined;
		}
		this.copyLuma(column, row, vector, to);
		const cost = differenceOf(source, to) + movedCost;
		if (cost >= still) {
			return undefined;
		}
		this.chosen.fill(vector);
		return { luma: "moved", cost };
	}

	/** Predicts a macroblock's chroma by the chosen vectors. */
	predictColors(column: number, row: number, blue: Uint8Array, red: Uint8Array): void {
		const { chosen } = this;
		const first = chosen[0] ?? 0;
		if (chosen.every(vector => vector === first)) {
			this.copyColors({ x: column * 8, y: row * 8, size: 8 }, first, blue, red, 0);
			return;
		}
		for (let part = 0; part < 4; part += 1) {
			const [x, y] = [part & 1, part >> 1];
			const block = y * 8 + x * 2;
			const vector = meanVector(
				chosen[block] ?? 0,
				chosen[block + 1] ?? 0,
				chosen[block + 4] ?? 0,
				chosen[block + 5] ?? 0,
			);
			const square = { x: column * 8 + x * 4, y: row * 8 + y * 4, size: 4 };
			this.copyColors(square, vector, blue, red, y * 32 + x * 4);
		}
	}

	private copyColors(
		{ x, y, size }: { readonly x: number; readonly y: number; readonly size: number },
		vector: Vector,
		blue: Uint8Array,
		red: Uint8Array,
		start: number,
	): void {
		const [across, down] = [acrossOf(vector), downOf(vector)];
		const from = { size, across: across & 7, down: down & 7 };
		for (const [{ pixels: plane, stride }, to] of [
			[this.blue, blue],
			[this.red, red],
		] as const) {
			const at = (border + y + (down >> 3)) * stride + border + x + (across >> 3);
			copyMoved({ plane, stride, at, ...from }, to, start, 8);
		}
	}

	/** Tries no motion and each distinct vector. Returns the number of candidates. */
	private tryVectors(
		source: Square,
		column: number,
		row: number,
		vectors: Int32Array,
		at: number,
	): number {
		let count = 1;
		for (let block = 0; block < 16 && count <= mostVectors; block += 1) {
			const vector = vectors[at + block] ?? 0;
			let isNew = vector !== 0 && this.isInside(column * 16, row * 16, vector);
			for (let index = 1; index < count && isNew; index += 1) {
				isNew = this.candidateAt(index).vector !== vector;
			}
			if (isNew) {
				this.tryVector(source, column, row, vector, count);
				count += 1;
			}
		}
		if (count > 1) {
			this.tryVector(source, column, row, 0, 0);
		}
		return count;
	}

	private tryVector(
		source: Square,
		column: number,
		row: number,
		vector: Vector,
		index: number,
	): void {
		const candidate = this.candidateAt(index);
		this.copyLuma(column, row, vector, candidate.pixels);
		candidate.vector = vector;
		measureBlocks(source, candidate.pixels, candidate.differences);
	}

	private copyLuma(column: number, row: number, vector: Vector, to: Uint8Array): void {
		const across = acrossOf(vector);
		const down = downOf(vector);
		const { pixels: plane, stride } = this.luma;
		const at = (border + row * 16 + (down >> 2)) * stride + border + column * 16 + (across >> 2);
		const from = { plane, stride, at, size: 16, across: (across & 3) * 2, down: (down & 3) * 2 };
		copyMoved(from, to, 0, 16);
	}

	private isInside(x: number, y: number, vector: Vector): boolean {
		const [across, down] = [acrossOf(vector), downOf(vector)];
		return (
			Math.abs(across) <= furthest &&
			Math.abs(down) <= furthest &&
			x * 4 + across >= 0 &&
			y * 4 + down >= 0 &&
			x * 4 + across <= (this.width - 16) * 4 &&
			y * 4 + down <= (this.height - 16) * 4
		);
	}

	/** Chooses a candidate for each block separately. Returns the cost, and stops once it reaches `most`. */
	private splitCost(count: number, most: number): number {
		let sum = splitCost;
		let last = -1;
		for (let block = 0; block < 16 && sum < most; block += 1) {
			let best = 0;
			let least = Number.POSITIVE_INFINITY;
			for (let index = 0; index < count; index += 1) {
				const difference = this.candidateAt(index).differences[block] ?? 0;
				const cost = difference + (index === last ? 0 : turnCost);
				if (cost < least) {
					best = index;
					least = cost;
				}
			}
			this.chosen[block] = best;
			last = best;
			sum += least;
		}
		return sum;
	}

	/** Copies the chosen blocks, and replaces the candidate numbers by their vectors. */
	private copyBlocks(to: Uint8Array): void {
		for (let block = 0; block < 16; block += 1) {
			const { vector, pixels } = this.candidateAt(this.chosen[block] ?? 0);
			const start = (block >> 2) * 64 + (block & 3) * 4;
			for (let index = 0; index < 16; index += 1) {
				const at = start + (index >> 2) * 16 + (index & 3);
				to[at] = pixels[at] ?? 0;
			}
			this.chosen[block] = vector;
		}
	}

	private candidateAt(index: number): {
		vector: Vector;
		readonly pixels: Uint8Array;
		readonly differences: Int32Array;
	} {
		const candidate = this.candidates[index];
		if (!candidate) {
			throw new RangeError(`There is no candidate ${index}`);
		}
		return candidate;
	}
}

function isEvery(vectors: Int32Array, at: number, vector: Vector): boolean {
	for (let index = at + 1; index < at + 16; index += 1) {
		if (vectors[index] !== vector) {
			return false;
		}
	}
	return true;
}

/** Sums up the differences of each block of 4 × 4. */
function measureBlocks({ plane, stride, at }: Square, pixels: Uint8Array, to: Int32Array): void {
	for (let block = 0; block < 16; block += 1) {
		const x = (block & 3) * 4;
		let from = at + (block >> 2) * 4 * stride + x;
		let over = (block >> 2) * 64 + x;
		let sum = 0;
		for (let line = 0; line < 4; line += 1) {
			sum +=
				Math.abs((plane[from] ?? 0) - (pixels[over] ?? 0)) +
				Math.abs((plane[from + 1] ?? 0) - (pixels[over + 1] ?? 0)) +
				Math.abs((plane[from + 2] ?? 0) - (pixels[over + 2] ?? 0)) +
				Math.abs((plane[from + 3] ?? 0) - (pixels[over + 3] ?? 0));
			from += stride;
			over += 16;
		}
		to[block] = sum;
	}
}

function createPadded(width: number, height: number): Padded {
	const stride = width + border * 2;
	return { stride, pixels: new Uint8Array(stride * (height + border * 2)) };
}

function pad(from: Uint8Array, { pixels, stride }: Padded, width: number, height: number): void {
	for (let y = 0; y < height; y += 1) {
		const start = (y + border) * stride;
		pixels.set(from.subarray(y * width, (y + 1) * width), start + border);
		pixels.fill(from[y * width] ?? 0, start, start + border);
		pixels.fill(from[(y + 1) * width - 1] ?? 0, start + border + width, start + stride);
	}
	const last = (border + height - 1) * stride;
	for (let y = 0; y < border; y += 1) {
		pixels.copyWithin(y * stride, border * stride, (border + 1) * stride);
		pixels.copyWithin(last + (y + 1) * stride, last, last + stride);
	}
}
