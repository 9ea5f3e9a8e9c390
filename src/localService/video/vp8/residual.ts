import type { Square, Squares } from "./planes.ts";
import { acSteps, dcSteps } from "./probabilities.ts";
import { blockKinds, type TokenWriter } from "./tokens.ts";
import { forwardTransform, forwardWalsh, inverseTransform, inverseWalsh } from "./transform.ts";

/** What coefficients are rounded to multiples of. */
interface RoundingStep {
	readonly step: number;
	/** What is smaller is rounded to 0. */
	readonly least: number;
}

/** The steps of a block's coefficients. */
interface RoundingSteps {
	readonly first: RoundingStep;
	readonly others: RoundingStep;
}

/** What the squares of a macroblock are predicted to be. */
export type Predicted = readonly [luma: Uint8Array, blue: Uint8Array, red: Uint8Array];

/** Marks of a macroblock's blocks that have coefficients: 4 of brightness, 2 and 2 of color, 1 of the firsts. */
export const marksPerMacroblock = 9;
const placeOf = { blue: 4, red: 6, firsts: 8 } as const;

/** Blocks of brightness, then of the two colors, then the one of first coefficients. */
const blockCount = 25;
const firstsAt = 24 * 16;

/** Share of a step from which a coefficient is rounded up: below a half, as zeros are what is cheap. */
const roundUp = 0.36;

/**
 * How much lower the quantizer of colors is than that of brightness, 0 to 15: half a pixel of motion blurs colors, which have
 * half the size, and what is left after rounding would stay.
 */
export const colorsFiner = 10;

/** The residual of a macroblock, which is what it adds to its prediction: rounded, written, and added again as a decoder will. RFC 6386 §14. */
export class Residual {
	private readonly coefficients = new Int16Array(blockCount * 16);
	private readonly levels = new Int16Array(blockCount * 16);
	private readonly differences = new Int16Array(16);
	private hasFirsts = true;
	/** Marks of the blocks that have no coefficient but the first; their other levels and coefficients mean nothing. */
	private readonly flats = new Uint8Array(blockCount);
	/** Differences in a block that are this near to each other leave nothing but their mean after rounding. */
	private readonly flat: number;
	private readonly luma: RoundingSteps;
	private readonly firsts: RoundingSteps;
	private readonly chroma: RoundingSteps;

	/** `quantizer` is an index of the format's tables, 0 to 127: the lower, the finer. */
	constructor(quantizer: number) {
		const first = dcSteps[quantizer] ?? 4;
		const others = acSteps[quantizer] ?? 4;
		this.luma = { first: stepOf(first), others: stepOf(others) };
		// The other coefficients of a block are at most eight times half of how far its differences are apart.
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
	 * Takes the differences of source squares to what was predicted. Says whether anything is left after rounding. The first
	 * coefficients of brightness are gathered in a block of their own where the macroblock `hasFirsts`.
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

	/** Writes it and updates the marks of the column above and the row left of the next macroblock. */
	write(tokens: TokenWriter, above: Uint8Array, aboveAt: number, left: Uint8Array): void {
		const add = (block: number, kind: number, up: number, side: number): void => {
			const context = (above[aboveAt + up] ?? 0) + (left[side] ?? 0);
			// Of a flat block only the first level is left.
			const end = this.flats[block] === 1 ? 1 : 16;
			const has = tokens.add(this.levels, block * 16, end, kind, context) ? 1 : 0;
			above[aboveAt + up] = has;
			left[side] = has;
		};
		if (this.hasFirsts) {
			add(24, blockKinds.firsts, placeOf.firsts, placeOf.firsts);
		}
		const kind = this.hasFirsts ? blockKinds.lumaWithoutFirst : blockKinds.luma;
		for (let block = 0; block < 16; block += 1) {
			add(block, kind, block & 3, block >> 2);
		}
		for (let block = 0; block < 8; block += 1) {
			const place = block < 4 ? placeOf.blue : placeOf.red;
			add(16 + block, blockKinds.chroma, place + (block & 1), place + ((block >> 1) & 1));
		}
	}

	/** Puts what was predicted, with this added, into the target squares. */
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

	/** Rounds a block's coefficients to levels and back. Says whether one is left. */
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

/** A step, with the least size that is not rounded to 0. */
function stepOf(step: number): RoundingStep {
	return { step, least: Math.ceil(step * (1 - roundUp)) };
}

function clamped(value: number): number {
	return value < 0 ? 0 : value > 255 ? 255 : value;
}
