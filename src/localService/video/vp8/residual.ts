import type { Square, Squares } from "./planes.ts";
import { acSteps, dcSteps } from "./probabilities.ts";
import { blockKinds, type TokenWriter } from "./tokens.ts";
import { forwardTransform, forwardWalsh, inverseTransform, inverseWalsh } from "./transform.ts";

interface RoundingStep {
	readonly step: number;
	/** Smaller values are rounded to 0. */
	readonly least: number;
}

/** Rounding of a block's first and other coefficients. */
interface RoundingSteps {
	readonly first: RoundingStep;
	readonly others: RoundingStep;
}

export type Predicted = readonly [luma: Uint8Array, blue: Uint8Array, red: Uint8Array];

/** The number of flags of a macroblock's blocks with coefficients: 4 of luma, 2 and 2 of chroma, 1 of the first coefficients. */
export const marksPerMacroblock = 9;
const flagOffsets = { blue: 4, red: 6, firsts: 8 } as const;

/** Blocks of luma, then of both chroma planes, then that of the first coefficients. */
const blockCount = 25;
const firstsAt = 24 * 16;

/** Rounding offset as a share of a step. Below a half, because zeros are cheap. */
const roundUp = 0.36;

/**
 * How much lower the quantizer of chroma is than that of luma, 0 to 15. Motion by half a pixel blurs chroma, which has half the size, and the
 * rounding error would stay visible.
 */
export const colorsFiner = 10;

/** The residual of a macroblock, added to its prediction: rounded, written, and reconstructed as in a decoder. RFC 6386 §14. */
export class Residual {
	readonly quantizer: number;
	private readonly coefficients = new Int16Array(blockCount * 16);
	private readonly levels = new Int16Array(blockCount * 16);
	private readonly differences = new Int16Array(16);
	private hasFirsts = true;
	/** Flags of blocks with only a first coefficient. Their other levels and coefficients are undefined. */
	private readonly flats = new Uint8Array(blockCount);
	/** If a block's differences are within this range, only their mean remains after rounding. */
	private readonly flat: number;
	private readonly luma: RoundingSteps;
	private readonly firsts: RoundingSteps;
	private readonly chroma: RoundingSteps;

	/** `quantizer` is an index into the format's tables, 0 to 127. Lower is finer. */
	constructor(quantizer: number) {
		this.quantizer = quantizer;
		const first = dcSteps[quantizer] ?? 4;
		const others = acSteps[quantizer] ?? 4;
		this.luma = { first: stepOf(first), others: stepOf(others) };
		// A block's other coefficients are at most eight times half the range of its differences.
		this.flat = Math.floor((others * (1 - roundUp)) / 4);
		this.firsts = {
			first: stepOf(first * 2),
			others: stepOf(Math.max(8, Math.floor((others * 155) / 100))),
		};
		const finer = Math.max(0, quantizer - colorsFiner);
		this.chroma = {
			first: stepOf(Math.min(132, dcSteps[finer] ?? 4)),
			others: stepOf(acSteps[finer] ?? 4),
		};
	}

	/**
	 * Measures the differences between source squares and their prediction. Returns whether anything remains after rounding. With `hasFirsts`, collects
	 * the first coefficients of luma in their own block.
	 */
	measure(sources: Squares, predicted: Predicted, hasFirsts: boolean): boolean {
		this.hasFirsts = hasFirsts;
		this.transformPlane(sources[0], predicted[0], 0);
		this.transformPlane(sources[1], predicted[1], 16);
		this.transformPlane(sources[2], predicted[2], 20);
		let isAny = false;
		if (hasFirsts) {
			forwardWalsh(this.coefficients, this.coefficients, firstsAt);
			this.flats[24] = 0;
			isAny = this.round(24, 0, this.firsts);
		}
		for (let block = 0; block < 24; block += 1) {
			const first = hasFirsts && block < 16 ? 1 : 0;
			const has = this.round(block, first, block < 16 ? this.luma : this.chroma);
			isAny ||= has;
		}
		return isAny;
	}

	/** Writes the residual and updates the flags for the macroblocks below and to the right. */
	write(tokens: TokenWriter, above: Uint8Array, aboveAt: number, left: Uint8Array): void {
		const add = (block: number, kind: number, up: number, side: number): void => {
			const context = (above[aboveAt + up] ?? 0) + (left[side] ?? 0);
			// A flat block has only its first level.
			const end = this.flats[block] === 1 ? 1 : 16;
			const has = tokens.add(this.levels, block * 16, end, kind, context) ? 1 : 0;
			above[aboveAt + up] = has;
			left[side] = has;
		};
		if (this.hasFirsts) {
			add(24, blockKinds.firsts, flagOffsets.firsts, flagOffsets.firsts);
		}
		const kind = this.hasFirsts ? blockKinds.lumaWithoutFirst : blockKinds.luma;
		for (let block = 0; block < 16; block += 1) {
			add(block, kind, block & 3, block >> 2);
		}
		for (let block = 0; block < 8; block += 1) {
			const place = block < 4 ? flagOffsets.blue : flagOffsets.red;
			add(16 + block, blockKinds.chroma, place + (block & 1), place + ((block >> 1) & 1));
		}
	}

	/** Writes the prediction plus the residual to the target squares. */
	rebuild(targets: Squares, predicted: Predicted): void {
		if (this.hasFirsts) {
			inverseWalsh(this.coefficients, firstsAt, this.coefficients);
		}
		this.rebuildPlane(targets[0], predicted[0], 0);
		this.rebuildPlane(targets[1], predicted[1], 16);
		this.rebuildPlane(targets[2], predicted[2], 20);
	}

	private transformPlane(
		{ plane, stride, at, size }: Square,
		pixels: Uint8Array,
		first: number,
	): void {
		const { differences } = this;
		const across = size >> 2;
		for (let block = 0; block < across * across; block += 1) {
			const x = (block % across) * 4;
			const y = Math.floor(block / across) * 4;
			let from = at + y * stride + x;
			let over = y * size + x;
			let sum = 0;
			let least = 255;
			let most = -255;
			for (let index = 0; index < 16; index += 4) {
				const one = (plane[from] ?? 0) - (pixels[over] ?? 0);
				const two = (plane[from + 1] ?? 0) - (pixels[over + 1] ?? 0);
				const three = (plane[from + 2] ?? 0) - (pixels[over + 2] ?? 0);
				const four = (plane[from + 3] ?? 0) - (pixels[over + 3] ?? 0);
				differences[index] = one;
				differences[index + 1] = two;
				differences[index + 2] = three;
				differences[index + 3] = four;
				sum += one + two + three + four;
				least = Math.min(least, Math.min(Math.min(one, two), Math.min(three, four)));
				most = Math.max(most, Math.max(Math.max(one, two), Math.max(three, four)));
				from += stride;
				over += size;
			}
			const isFlat = most - least <= this.flat;
			this.flats[first + block] = isFlat ? 1 : 0;
			if (isFlat) {
				this.coefficients[(first + block) * 16] = sum >> 1;
			} else {
				forwardTransform(differences, this.coefficients, (first + block) * 16);
			}
		}
	}

	private rebuildPlane(
		{ plane, stride, at, size }: Square,
		pixels: Uint8Array,
		first: number,
	): void {
		const { differences } = this;
		const across = size >> 2;
		for (let block = 0; block < across * across; block += 1) {
			const x = (block % across) * 4;
			const y = Math.floor(block / across) * 4;
			let to = at + y * stride + x;
			let over = y * size + x;
			if (this.flats[first + block] === 1) {
				const difference = ((this.coefficients[(first + block) * 16] ?? 0) + 4) >> 3;
				for (let line = 0; line < 4; line += 1) {
					plane[to] = clamped((pixels[over] ?? 0) + difference);
					plane[to + 1] = clamped((pixels[over + 1] ?? 0) + difference);
					plane[to + 2] = clamped((pixels[over + 2] ?? 0) + difference);
					plane[to + 3] = clamped((pixels[over + 3] ?? 0) + difference);
					to += stride;
					over += size;
				}
				continue;
			}
			inverseTransform(this.coefficients, (first + block) * 16, differences);
			for (let index = 0; index < 16; index += 4) {
				plane[to] = clamped((pixels[over] ?? 0) + (differences[index] ?? 0));
				plane[to + 1] = clamped((pixels[over + 1] ?? 0) + (differences[index + 1] ?? 0));
				plane[to + 2] = clamped((pixels[over + 2] ?? 0) + (differences[index + 2] ?? 0));
				plane[to + 3] = clamped((pixels[over + 3] ?? 0) + (differences[index + 3] ?? 0));
				to += stride;
				over += size;
			}
		}
	}

	/** Rounds a block's coefficients to levels and back. Returns whether one remains. */
	private round(block: number, first: number, steps: RoundingSteps): boolean {
		const at = block * 16;
		let isAny = false;
		if (first === 0) {
			isAny = this.roundOne(at, steps.first);
		}
		if (this.flats[block] === 1) {
			return isAny;
		}
		let isFlat = true;
		for (let index = at + 1; index < at + 16; index += 1) {
			const has = this.roundOne(index, steps.others);
			isFlat &&= !has;
		}
		this.flats[block] = isFlat ? 1 : 0;
		return isAny || !isFlat;
	}

	private roundOne(at: number, { step, least }: RoundingStep): boolean {
		const value = this.coefficients[at] ?? 0;
		const size = value < 0 ? -value : value;
		if (size < least) {
			this.levels[at] = 0;
			this.coefficients[at] = 0;
			return false;
		}
		const rounded = Math.min(2047, (size / step + roundUp) | 0);
		const level = value < 0 ? -rounded : rounded;
		this.levels[at] = level;
		this.coefficients[at] = level * step;
		return true;
	}
}

/** Creates a step with the least value that isn't rounded to 0. */
function stepOf(step: number): RoundingStep {
	return { step, least: Math.ceil(step * (1 - roundUp)) };
}

function clamped(value: number): number {
	return value < 0 ? 0 : value > 255 ? 255 : value;
}
