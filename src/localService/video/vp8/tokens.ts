import type { BoolEncoder } from "./boolEncoder.ts";
import { defaultTokenProbabilities, tokenUpdateProbabilities } from "./probabilities.ts";

/** Order of a block's coefficients. RFC 6386 §13. */
export const zigzag: readonly number[] = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15];
const bands: readonly number[] = [0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7];

/** Kinds of blocks, by the index of their probabilities. */
export const blockKinds = { lumaWithoutFirst: 0, firsts: 1, chroma: 2, luma: 3 } as const;

const branches = 11;
const contextSize = branches * 3;
const kindSize = contextSize * 8;
const total = kindSize * 4;

/** Ranges of larger values: the smallest value, and the probabilities of the extra bits. RFC 6386 §13.2. */
const ranges: readonly (readonly [base: number, bits: readonly number[]])[] = [
	[5, [159]],
	[7, [165, 145]],
	[11, [173, 148, 140]],
	[19, [176, 155, 140, 135]],
	[35, [180, 157, 141, 134, 130]],
	[67, [254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129]],
];
/** The decisions that lead to each of these ranges: branch and answer. */
const rangePaths: readonly (readonly (readonly [branch: number, isTrue: boolean])[])[] = [
	[
		[6, false],
		[7, false],
	],
	[
		[6, false],
		[7, true],
	],
	[
		[6, true],
		[8, false],
		[9, false],
	],
	[
		[6, true],
		[8, false],
		[9, true],
	],
	[
		[6, true],
		[8, true],
		[10, false],
	],
	[
		[6, true],
		[8, true],
		[10, true],
	],
];

const isTrueFlag = 0x80_00;

/** Collects a picture's coefficients as decisions. Once all are counted, writes the probabilities that fit them, then the decisions. */
export class TokenWriter {
	private decisions = new Uint16Array(65_536);
	private length = 0;
	private readonly counts = new Uint32Array(total * 2);
	private readonly probabilities = Uint8Array.from(defaultTokenProbabilities);

	/** Discards the decisions of the previous picture and, for a key frame, the learned probabilities. */
	begin(isKeyFrame: boolean): void {
		this.length = 0;
		this.counts.fill(0);
		if (isKeyFrame) {
			this.probabilities.set(defaultTokenProbabilities);
		}
	}

	/** Adds a block whose levels from `end` on are 0, with `context` coded neighbors. Returns whether it has any. */
	add(levels: Int16Array, at: number, end: number, kind: number, context: number): boolean {
		const first = kind === blockKinds.lumaWithoutFirst ? 1 : 0;
		let last = end - 1;
		while (last >= first && levels[at + (zigzag[last] ?? 0)] === 0) {
			last -= 1;
		}
		let near = context;
		let isAfterZero = false;
		for (let index = first; index <= last; index += 1) {
			const base = kind * kindSize + (bands[index] ?? 0) * contextSize + near * branches;
			const level = levels[at + (zigzag[index] ?? 0)] ?? 0;
			if (!isAfterZero) {
				this.decide(base, true);
			}
			this.decide(base + 1, level !== 0);
			isAfterZero = level === 0;
			near = 0;
			if (level !== 0) {
				const size = Math.abs(level);
				this.addSize(base, size);
				this.decideFixed(128, level < 0);
				near = size === 1 ? 1 : 2;
			}
		}
		if (last < 15) {
			const index = Math.max(first, last + 1);
			this.decide(kind * kindSize + (bands[index] ?? 0) * contextSize + near * branches, false);
		}
		return last >= first;
	}

	/** Writes the probabilities that save more than they cost to the header. */
	writeProbabilities(header: BoolEncoder): void {
		for (let index = 0; index < total; index += 1) {
			const update = tokenUpdateProbabilities[index] ?? 255;
			const falses = this.counts[index * 2] ?? 0;
			const trues = this.counts[index * 2 + 1] ?? 0;
			if (falses + trues === 0) {
				header.write(false, update);
				continue;
			}
			const now = this.probabilities[index] ?? 128;
			const fitting = fittingProbability(falses, trues);
			const gain = cost(falses, trues, now) - cost(falses, trues, fitting);
			const isUpdated = gain > 8 + bitsOf(256 - update) - bitsOf(update);
			header.write(isUpdated, update);
			if (isUpdated) {
				header.writeNumber(fitting, 8);
				this.probabilities[index] = fitting;
			}
		}
	}

	writeTokens(encoder: BoolEncoder): void {
		for (let index = 0; index < this.length; index += 1) {
			const decision = this.decisions[index] ?? 0;
			const place = decision & ~isTrueFlag;
			const chance = place < total ? (this.probabilities[place] ?? 128) : place - total;
			encoder.write((decision & isTrueFlag) !== 0, chance);
		}
	}

	private addSize(base: number, size: number): void {
		this.decide(base + 2, size > 1);
		if (size === 1) {
			return;
		}
		this.decide(base + 3, size > 4);
		if (size <= 4) {
			this.decide(base + 4, size > 2);
			if (size > 2) {
				this.decide(base + 5, size > 3);
			}
			return;
		}
		const range = ranges.findLastIndex(([least]) => size >= least);
		for (const [branch, isTrue] of rangePaths[range] ?? []) {
			this.decide(base + branch, isTrue);
		}
		const [least = 0, chances = []] = ranges[range] ?? [];
		for (const [index, chance] of chances.entries()) {
			this.decideFixed(chance, (((size - least) >> (chances.length - 1 - index)) & 1) === 1);
		}
	}

	private decide(place: number, isTrue: boolean): void {
		const count = place * 2 + (isTrue ? 1 : 0);
		this.counts[count] = (this.counts[count] ?? 0) + 1;
		this.push(isTrue ? place | isTrueFlag : place);
	}

	private decideFixed(chance: number, isTrue: boolean): void {
		this.push(isTrue ? (total + chance) | isTrueFlag : total + chance);
	}

	private push(decision: number): void {
		if (this.length === this.decisions.length) {
			const longer = new Uint16Array(this.length * 2);
			longer.set(this.decisions);
			this.decisions = longer;
		}
		this.decisions[this.length] = decision;
		this.length += 1;
	}
}

/** Returns the probability, of 256, that fits these counts of a decision. */
export function fittingProbability(falses: number, trues: number): number {
	const sum = falses + trues;
	return sum === 0 ? 255 : Math.min(255, Math.max(1, Math.round((falses * 256) / sum)));
}

const bitsOf = (probability: number): number => -Math.log2(Math.max(1, probability) / 256);

function cost(falses: number, trues: number, probability: number): number {
	return falses === 0 && trues === 0
		? 0
		: falses * bitsOf(probability) + trues * bitsOf(256 - probability);
}
