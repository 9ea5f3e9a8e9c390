import { BoolEncoder } from "./boolEncoder.ts";
import {
	convertMacroblock,
	createPlanes,
	type Pixels,
	type Planes,
	type Square,
	type Squares,
	squaresOf,
	copySquare,
	differenceOf,
	type IntraMode,
	possibleModes,
	predict,
} from "./planes.ts";
import { motionUpdateProbabilities } from "./probabilities.ts";
import { marksPerMacroblock, Residual } from "./residual.ts";
import { fittingProbability, TokenWriter } from "./tokens.ts";

/** How one macroblock is coded. */
interface Decision {
	/** `same` takes the pixels of the picture before at this place. */
	readonly luma: IntraMode | "same";
	readonly chroma: IntraMode;
	/** Nothing is added to what is predicted. */
	readonly isSkipped: boolean;
}

const unchanged: Decision = { luma: "same", chroma: "mean", isSkipped: true };

/** Mean difference of a pixel up to which a macroblock is left as it is: less than half a level of 255. */
const unseenDifference = 0.45;

/**
 * Encodes pictures of one size as VP8. A picture that follows another holds only the macroblocks that have changed; text
 * on a still ground is what it is made for, so it looks for no motion. @see https://datatracker.ietf.org/doc/html/rfc6386
 */
export class Vp8Encoder {
	private readonly width: number;
	private readonly height: number;
	private readonly quantizer: number;
	private readonly source: Planes;
	/** The picture as a decoder has it. */
	private readonly decoded: Planes;
	private readonly residual: Residual;
	private readonly tokens = new TokenWriter();
	private readonly decisions: Decision[] = [];
	private readonly above: Uint8Array;
	private readonly left = new Uint8Array(marksPerMacroblock);
	private readonly predicted = [
		new Uint8Array(256),
		new Uint8Array(64),
		new Uint8Array(64),
	] as const;
	private readonly tried = new Uint8Array(256);

	/** `quantizer` is 0 to 127: the lower, the finer and larger. Sides are at most 16,383 pixels. */
	constructor({ width, height }: Pick<Pixels, "width" | "height">, quantizer: number) {
		this.width = width;
		this.height = height;
		this.quantizer = quantizer;
		this.source = createPlanes(width, height);
		this.decoded = createPlanes(width, height);
		this.residual = new Residual(quantizer);
		this.above = new Uint8Array(this.source.columns * marksPerMacroblock);
	}

	/** Macroblocks in a row; those of a picture are counted from the top left, row by row. */
	get columns(): number {
		return this.source.columns;
	}

	/** Number of macroblocks in a picture. */
	get count(): number {
		return this.source.columns * this.source.rows;
	}

	/** Encodes a picture that needs no other. */
	encodeKeyFrame(picture: Pixels): Uint8Array<ArrayBuffer> {
		this.encodeMacroblocks(picture, true, undefined);
		return this.write(true);
	}

	/**
	 * Encodes what is new since the picture before, or nothing where no macroblock changed visibly, unless a frame
	 * `isRequired`. `changed` has a 1 for each macroblock that may have; the others are not looked at.
	 */
	encodeChange(
		picture: Pixels,
		changed: Uint8Array,
		isRequired = false,
	): Uint8Array<ArrayBuffer> | undefined {
		const isChanged = this.encodeMacroblocks(picture, false, changed);
		return isChanged || isRequired ? this.write(false) : undefined;
	}

	private encodeMacroblocks(
		picture: Pixels,
		isKeyFrame: boolean,
		changed: Uint8Array | undefined,
	): boolean {
		this.tokens.begin(isKeyFrame);
		this.decisions.length = 0;
		this.above.fill(0);
		let isAny = false;
		for (let row = 0; row < this.source.rows; row += 1) {
			this.left.fill(0);
			for (let column = 0; column < this.source.columns; column += 1) {
				const mayDiffer = changed?.[this.decisions.length] !== 0;
				if (mayDiffer) {
					convertMacroblock(picture, this.source, column, row);
				}
				const decision = mayDiffer ? this.encodeMacroblock(column, row, isKeyFrame) : unchanged;
				if (decision.isSkipped) {
					this.above.fill(0, column * marksPerMacroblock, (column + 1) * marksPerMacroblock);
					this.left.fill(0);
				}
				isAny ||= decision !== unchanged;
				this.decisions.push(decision);
			}
		}
		return isAny;
	}

	private encodeMacroblock(column: number, row: number, isKeyFrame: boolean): Decision {
		const sources = squaresOf(this.source, column, row);
		const targets = squaresOf(this.decoded, column, row);
		const decision = this.choose(sources, targets, isKeyFrame);
		if (decision === unchanged) {
			return unchanged;
		}
		const hasResidual = this.residual.measure(sources, this.predicted);
		if (hasResidual) {
			this.residual.write(this.tokens, this.above, column * marksPerMacroblock, this.left);
			this.residual.rebuild(targets, this.predicted);
			return decision;
		}
		if (decision.luma === "same") {
			return unchanged;
		}
		this.residual.rebuild(targets, this.predicted);
		return { ...decision, isSkipped: true };
	}

	/** Chooses what a macroblock is predicted from, and leaves that in `predicted`. */
	private choose(
		[luma, blue, red]: Squares,
		[decodedLuma, decodedBlue, decodedRed]: Squares,
		isKeyFrame: boolean,
	): Decision {
		const [predictedLuma, predictedBlue, predictedRed] = this.predicted;
		let least = Number.POSITIVE_INFINITY;
		if (!isKeyFrame) {
			copySquare(decodedLuma, predictedLuma);
			copySquare(decodedBlue, predictedBlue);
			copySquare(decodedRed, predictedRed);
			least = differenceOf(luma, predictedLuma);
			const colors = differenceOf(blue, predictedBlue) + differenceOf(red, predictedRed);
			if (least <= 256 * unseenDifference && colors <= 128 * unseenDifference) {
				return unchanged;
			}
			if (least < 256 * worthTrying) {
				return { luma: "same", chroma: "mean", isSkipped: false };
			}
		}
		const mode = this.bestMode(luma, decodedLuma, predictedLuma, least);
		if (mode === undefined) {
			return { luma: "same", chroma: "mean", isSkipped: false };
		}
		const chroma =
			possibleModes(blue)
				.map(candidate => {
					predict(decodedBlue, candidate, predictedBlue);
					predict(decodedRed, candidate, predictedRed);
					const difference = differenceOf(blue, predictedBlue) + differenceOf(red, predictedRed);
					return { candidate, difference };
				})
				.toSorted((left, right) => left.difference - right.difference)[0]?.candidate ?? "mean";
		predict(decodedBlue, chroma, predictedBlue);
		predict(decodedRed, chroma, predictedRed);
		return { luma: mode, chroma, isSkipped: false };
	}

	/** The mode that comes nearest to the source, left in `to`; none when all differ by `least` or more. */
	private bestMode(
		source: Square,
		decoded: Square,
		to: Uint8Array,
		least: number,
	): IntraMode | undefined {
		let best: IntraMode | undefined;
		let bestDifference = least;
		for (const mode of possibleModes(source)) {
			predict(decoded, mode, this.tried);
			const difference = differenceOf(source, this.tried);
			if (difference < bestDifference) {
				best = mode;
				bestDifference = difference;
				to.set(this.tried);
			}
		}
		return best;
	}

	/** Writes header, macroblocks and tokens. RFC 6386 §9, §19.2. */
	private write(isKeyFrame: boolean): Uint8Array<ArrayBuffer> {
		const header = new BoolEncoder();
		if (isKeyFrame) {
			// The color space of all VP8, and values that a decoder has to clamp.
			header.writeNumber(0, 2);
		}
		// No segments, no filter at any strength, one partition of tokens.
		header.writeNumber(0, 1);
		header.writeNumber(0, 1 + 6 + 3);
		header.writeNumber(0, 1);
		header.writeNumber(0, 2);
		header.writeNumber(this.quantizer, 7);
		header.writeNumber(0, 5);
		if (isKeyFrame) {
			header.writeNumber(1, 1);
		} else {
			// The other two pictures that a decoder keeps stay as they are, chances and this picture are kept.
			header.writeNumber(0, 2);
			header.writeNumber(0, 4);
			header.writeNumber(0, 2);
			header.writeNumber(1, 1);
			header.writeNumber(1, 1);
		}
		this.tokens.writeProbabilities(header);
		this.writeDecisions(header, isKeyFrame);
		const first = header.finish();
		const second = new BoolEncoder();
		this.tokens.writeTokens(second);
		return this.join(isKeyFrame, first, second.finish());
	}

	private writeDecisions(header: BoolEncoder, isKeyFrame: boolean): void {
		const skipped = this.decisions.filter(({ isSkipped }) => isSkipped).length;
		const notSkipped = fittingProbability(this.decisions.length - skipped, skipped);
		header.writeNumber(1, 1);
		header.writeNumber(notSkipped, 8);
		const same = this.decisions.filter(({ luma }) => luma === "same").length;
		const intra = fittingProbability(this.decisions.length - same, same);
		if (!isKeyFrame) {
			header.writeNumber(intra, 8);
			// Always the picture before; modes have the chances that they begin with.
			header.writeNumber(255, 8);
			header.writeNumber(128, 8);
			header.writeNumber(0, 2);
			for (const update of motionUpdateProbabilities) {
				header.write(false, update);
			}
		}
		for (const [index, decision] of this.decisions.entries()) {
			header.write(decision.isSkipped, notSkipped);
			if (!isKeyFrame) {
				header.write(decision.luma === "same", intra);
			}
			if (decision.luma === "same") {
				header.write(false, 255);
				header.write(false, sameProbabilities[this.sameNeighbors(index)] ?? 7);
			} else {
				writeModes(header, decision.luma, decision.chroma, isKeyFrame);
			}
		}
	}

	/** Weighs the neighbors that take over the picture before: above and left count twice, the corner once. */
	private sameNeighbors(index: number): number {
		const { columns } = this.source;
		const isSame = (at: number): boolean => this.decisions[at]?.luma === "same";
		const hasLeft = index % columns > 0;
		return (
			(isSame(index - columns) ? 2 : 0) +
			(hasLeft && isSame(index - 1) ? 2 : 0) +
			(hasLeft && isSame(index - columns - 1) ? 1 : 0)
		);
	}

	private join(
		isKeyFrame: boolean,
		first: Uint8Array,
		second: Uint8Array,
	): Uint8Array<ArrayBuffer> {
		const start = isKeyFrame ? 10 : 3;
		const bytes = new Uint8Array(start + first.length + second.length);
		const view = new DataView(bytes.buffer);
		// Not a key frame, version 0, shown, and the length of the first partition.
		const tag = (isKeyFrame ? 0 : 1) | 0x10 | (first.length << 5);
		view.setUint16(0, tag & 0xff_ff, true);
		view.setUint8(2, tag >> 16);
		if (isKeyFrame) {
			view.setUint8(3, 0x9d);
			view.setUint16(4, 0x01_2a);
			view.setUint16(6, this.width, true);
			view.setUint16(8, this.height, true);
		}
		bytes.set(first, start);
		bytes.set(second, start + first.length);
		return bytes;
	}
}

/** Mean difference from which a macroblock may be nearer to its neighbors than to the picture before. */
const worthTrying = 8;

/** The chance that a macroblock does not move, by its neighbors. RFC 6386 §18.3, as none ever moves. */
const sameProbabilities = [7, 14, 135, 60, 159, 234] as const;

type Answer = readonly [isTrue: boolean, probability: number];

/** The decisions that name a mode, in pictures that need no other and in those that do. RFC 6386 §8.1, §11.2, §16.1. */
const lumaAnswers: Readonly<
	Record<"key" | "change", Readonly<Record<IntraMode, readonly Answer[]>>>
> = {
	key: {
		mean: [
			[true, 145],
			[false, 156],
			[false, 163],
		],
		above: [
			[true, 145],
			[false, 156],
			[true, 163],
		],
		left: [
			[true, 145],
			[true, 156],
			[false, 128],
		],
		both: [
			[true, 145],
			[true, 156],
			[true, 128],
		],
	},
	change: {
		mean: [[false, 112]],
		above: [
			[true, 112],
			[false, 86],
			[false, 140],
		],
		left: [
			[true, 112],
			[false, 86],
			[true, 140],
		],
		both: [
			[true, 112],
			[true, 86],
			[false, 37],
		],
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
	for (const [isTrue, probability] of lumaAnswers[kind][luma]) {
		header.write(isTrue, probability);
	}
	const order: readonly IntraMode[] = ["mean", "above", "left", "both"];
	const place = order.indexOf(chroma);
	for (const [index, probability] of chromaProbabilities[kind].entries()) {
		if (index <= place) {
			header.write(index < place, probability);
		}
	}
}
