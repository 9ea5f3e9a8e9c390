import type { BoolEncoder } from "./boolEncoder.ts";
import { acrossOf, downOf, type Vector } from "./motion.ts";
import type { IntraMode } from "./planes.ts";
import { motionProbabilities, motionUpdateProbabilities } from "./probabilities.ts";
import { fittingProbability } from "./tokens.ts";

/** `same` copies the previous pixels of the place, `moved` those of another one, `split` another one for each block. */
export type InterMode = "same" | "moved" | "split";

/** The coding of a macroblock. */
export interface Decision {
	readonly luma: IntraMode | InterMode;
	readonly chroma: IntraMode;
	/** Whether nothing is added to the prediction. */
	readonly isSkipped: boolean;
}

function isInterMode(luma: Decision["luma"]): luma is InterMode {
	return luma === "same" || luma === "moved" || luma === "split";
}

const isInter = ({ luma }: Decision): boolean => isInterMode(luma);

/** The decisions for a picture's macroblocks, and sixteen vectors for each; 0 without motion. */
export interface Decided {
	readonly columns: number;
	readonly decisions: readonly Decision[];
	readonly vectors: Int32Array;
}

/** Writes the decisions. RFC 6386 §19.3. */
export function writeDecisions(header: BoolEncoder, decided: Decided, isKeyFrame: boolean): void {
	const { decisions } = decided;
	const skipped = decisions.filter(({ isSkipped }) => isSkipped).length;
	const notSkipped = fittingProbability(decisions.length - skipped, skipped);
	header.writeNumber(1, 1);
	header.writeNumber(notSkipped, 8);
	const inter = decisions.filter(isInter).length;
	const intra = fittingProbability(decisions.length - inter, inter);
	if (!isKeyFrame) {
		header.writeNumber(intra, 8);
		// Always refers to the previous picture, with default probabilities of modes and vectors.
		header.writeNumber(255, 8);
		header.writeNumber(128, 8);
		header.writeNumber(0, 2);
		for (const update of motionUpdateProbabilities) {
			header.write(false, update);
		}
	}
	for (const [index, decision] of decisions.entries()) {
		header.write(decision.isSkipped, notSkipped);
		if (!isKeyFrame) {
			header.write(isInter(decision), intra);
		}
		const { luma, chroma } = decision;
		if (isInterMode(luma)) {
			header.write(false, 255);
			writeMotion(header, decided, index, luma);
		} else {
			writeModes(header, luma, chroma, isKeyFrame);
		}
	}
}

interface Nearby {
	/** The best vector and the next best; 0 if there is none. */
	readonly nearest: Vector;
	readonly near: Vector;
	/** The vector from which a new vector is written as a difference. */
	readonly best: Vector;
	/** Weights that select the probabilities of the modes. */
	readonly weights: readonly [number, number, number, number];
}

/** Returns the neighbors' motion. Above and left count twice, the corner once. RFC 6386 §18.3. */
function nearbyOf({ columns, decisions, vectors }: Decided, index: number): Nearby {
	const hasLeft = index % columns > 0;
	const found: Vector[] = [0];
	const weights: [number, number, number, number] = [0, 0, 0, 0];
	let splits = 0;
	const look = (at: number, weight: number): void => {
		const neighbor = decisions[at];
		if (!neighbor || !isInter(neighbor)) {
			return;
		}
		splits += neighbor.luma === "split" ? weight : 0;
		const vector = vectors[at * 16 + 15] ?? 0;
		if (vector !== 0 && vector !== found.at(-1)) {
			found.push(vector);
		}
		const place = vector === 0 ? 0 : found.length - 1;
		weights[place] = (weights[place] ?? 0) + weight;
	};
	look(index - columns, 2);
	look(hasLeft ? index - 1 : -1, 2);
	look(hasLeft ? index - columns - 1 : -1, 1);
	const [, first = 0, second = 0, third] = found;
	if (third !== undefined && third === first) {
		weights[1] += 1;
	}
	weights[3] = splits;
	const isSwapped = weights[2] > weights[1];
	if (isSwapped) {
		[weights[1], weights[2]] = [weights[2], weights[1]];
	}
	const [nearest, near] = isSwapped ? [second, first] : [first, second];
	return { nearest, near, best: weights[1] >= weights[0] ? nearest : 0, weights };
}

/** Weighs the neighbors without motion. */
function sameNearby({ columns, decisions, vectors }: Decided, index: number): number {
	const weigh = (at: number, weight: number): number => {
		const neighbor = decisions[at];
		const isSame = neighbor !== undefined && isInter(neighbor) && vectors[at * 16 + 15] === 0;
		return isSame ? weight : 0;
	};
	const sum = weigh(index - columns, 2);
	return index % columns === 0 ? sum : sum + weigh(index - 1, 2) + weigh(index - columns - 1, 1);
}

function writeMotion(header: BoolEncoder, decided: Decided, index: number, luma: InterMode): void {
	header.write(luma !== "same", modeChances[sameNearby(decided, index)]?.[0] ?? 128);
	if (luma === "same") {
		return;
	}
	const { nearest, near, best, weights } = nearbyOf(decided, index);
	const chances = weights.map((weight, place) => modeChances[weight]?.[place] ?? 128);
	const write = (place: number, isTrue: boolean): void =>
		header.write(isTrue, chances[place] ?? 128);
	const vector = decided.vectors[index * 16 + 15] ?? 0;
	const isNearest = luma === "moved" && vector === nearest;
	write(1, !isNearest);
	if (isNearest) {
		return;
	}
	const isNear = luma === "moved" && vector === near;
	write(2, !isNear);
	if (isNear) {
		return;
	}
	write(3, luma === "split");
	if (luma === "split") {
		writeBlocks(header, decided, index, best);
	} else {
		writeVector(header, vector, best);
	}
}

/** Writes the vectors of sixteen blocks, each relative to those left of it and above it. RFC 6386 §18.3. */
function writeBlocks(
	header: BoolEncoder,
	{ columns, vectors }: Decided,
	index: number,
	best: Vector,
): void {
	// Sixteen parts, instead of halves or quarters.
	header.write(false, 110);
	for (let block = 0; block < 16; block += 1) {
		const at = index * 16 + block;
		const isOutside = index % columns === 0;
		const left = (block & 3) > 0 ? vectors[at - 1] : isOutside ? 0 : vectors[at - 16 + 3];
		const above = block > 3 ? vectors[at - 4] : vectors[at - columns * 16 + 12];
		writeBlock(header, vectors[at] ?? 0, best, left ?? 0, above ?? 0);
	}
}

function writeBlock(
	header: BoolEncoder,
	vector: Vector,
	best: Vector,
	left: Vector,
	above: Vector,
): void {
	const kind =
		left === above
			? left === 0
				? "zero"
				: "alike"
			: above === 0
				? "aboveZero"
				: left === 0
					? "leftZero"
					: "unlike";
	const [isLeft, isAbove, isZero] = blockChances[kind];
	header.write(vector !== left, isLeft);
	if (vector === left) {
		return;
	}
	header.write(vector !== above, isAbove);
	if (vector === above) {
		return;
	}
	header.write(vector !== 0, isZero);
	if (vector !== 0) {
		writeVector(header, vector, best);
	}
}

function writeVector(header: BoolEncoder, vector: Vector, best: Vector): void {
	writeLength(header, downOf(vector) - downOf(best), motionProbabilities.down);
	writeLength(header, acrossOf(vector) - acrossOf(best), motionProbabilities.across);
}

/** Indexes of probabilities: whether a length is long, its sign, short values, and the bits of long values. RFC 6386 §17.2. */
const signAt = 1;
const shortAt = 2;
const bitsAt = 9;
const bits = 10;

function writeLength(header: BoolEncoder, length: number, chances: readonly number[]): void {
	const size = Math.abs(length);
	const write = (isTrue: boolean, place: number): void =>
		header.write(isTrue, chances[place] ?? 128);
	const isBit = (bit: number): boolean => ((size >> bit) & 1) === 1;
	write(size > 7, 0);
	if (size > 7) {
		for (let bit = 0; bit < 3; bit += 1) {
			write(isBit(bit), bitsAt + bit);
		}
		for (let bit = bits - 1; bit > 3; bit -= 1) {
			write(isBit(bit), bitsAt + bit);
		}
		// Without a higher bit, this bit is implied.
		if (size > 15) {
			write(isBit(3), bitsAt + 3);
		}
	} else {
		write(isBit(2), shortAt);
		write(isBit(1), shortAt + (isBit(2) ? 4 : 1));
		write(isBit(0), shortAt + (isBit(2) ? 5 : 2) + (isBit(1) ? 1 : 0));
	}
	if (size > 0) {
		write(length < 0, signAt);
	}
}

/** Probabilities of the kinds of motion, by the neighbors' weight. RFC 6386 §18.3. */
const modeChances: readonly (readonly [
	same: number,
	nearest: number,
	near: number,
	split: number,
])[] = [
	[7, 1, 1, 143],
	[14, 18, 14, 107],
	[135, 64, 57, 68],
	[60, 56, 128, 65],
	[159, 134, 128, 34],
	[234, 188, 128, 28],
];

/** Probabilities that a block's vector differs from those left of it, above it, and 0. */
const blockChances = {
	unlike: [147, 136, 18],
	leftZero: [106, 145, 1],
	aboveZero: [179, 121, 1],
	alike: [223, 1, 34],
	zero: [208, 1, 1],
} as const;

/** Decisions that name a mode, in key frames and in others: the probability of each, negative where the answer is no. RFC 6386 §8.1, §11.2, §16.1. */
const lumaAnswers: Readonly<
	Record<"key" | "change", Readonly<Record<IntraMode, readonly number[]>>>
> = {
	key: {
		mean: [145, -156, -163],
		above: [145, -156, 163],
		left: [145, 156, -128],
		both: [145, 156, 128],
	},
	change: {
		mean: [-112],
		above: [112, -86, -140],
		left: [112, -86, 140],
		both: [112, 86, -37],
	},
};

const chromaProbabilities = { key: [142, 114, 183], change: [162, 101, 204] } as const;

function writeModes(
	header: BoolEncoder,
	luma: IntraMode,
	chroma: IntraMode,
	isKeyFrame: boolean,
): void {
	const kind = isKeyFrame ? "key" : "change";
	for (const answer of lumaAnswers[kind][luma]) {
		header.write(answer > 0, Math.abs(answer));
	}
	const order: readonly IntraMode[] = ["mean", "above", "left", "both"];
	const place = order.indexOf(chroma);
	for (const [index, probability] of chromaProbabilities[kind].entries()) {
		if (index <= place) {
			header.write(index < place, probability);
		}
	}
}
