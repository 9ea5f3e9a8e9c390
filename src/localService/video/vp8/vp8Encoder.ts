import { BoolEncoder } from "./boolEncoder.ts";
import { type Decision, writeDecisions } from "./modes.ts";
import { MotionSearch } from "./motionSearch.ts";
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
	differenceOfSquares,
	fillSquare,
	isCalmSquare,
	isNear,
	type IntraMode,
	possibleModes,
	predict,
} from "./planes.ts";
import { colorsFiner, marksPerMacroblock, Residual } from "./residual.ts";
import { TokenWriter } from "./tokens.ts";

const unchanged: Decision = { luma: "same", chroma: "mean", isSkipped: true };

/** Mean difference per pixel up to which a macroblock isn't updated: less than half a level of 255. */
const unseenDifference = 0.45;

/**
 * Difference of a pixel, of 255 levels, up to which a moved macroblock isn't corrected. About what rounding costs: corrections of it in every picture
 * are many bytes and add noise of their own.
 */
const unseenMoving = 12;
const none = new Uint8Array();

/** Difference of a pixel up to which a calm macroblock is left as it is. More would be a remainder of what moved away. */
const unseenSpeck = 2;

export interface PictureChange {
	/** 1 for each macroblock that may have changed. Others are skipped. */
	readonly changed: Uint8Array;
	/** Possible motion vectors, sixteen per macroblock, of its blocks in rows; absent if nothing moved. */
	readonly vectors?: Int32Array | undefined;
	/** Whether to create a frame even if nothing changed visibly. */
	readonly isRequired?: boolean;
}

/**
 * Encodes pictures of one size as VP8. Pictures after a key frame contain only changed macroblocks. Doesn't search for motion but uses the given
 * vectors. @see https://datatracker.ietf.org/doc/html/rfc6386
 */
export class Vp8Encoder {
	private readonly width: number;
	private readonly height: number;
	private readonly source: Planes;
	private readonly sources: readonly Squares[];
	readonly decoded: Planes;
	private readonly targets: readonly Squares[];
	private readonly residuals: { readonly key: Residual; readonly change: Residual };
	private residual: Residual;
	private readonly motion: MotionSearch;
	private readonly tokens = new TokenWriter();
	private readonly decisions: Decision[] = [];
	/** Vectors of the sixteen blocks of each macroblock. */
	private readonly vectors: Int32Array;
	private readonly above: Uint8Array;
	private readonly left = new Uint8Array(marksPerMacroblock);
	private readonly predicted = [
		new Uint8Array(256),
		new Uint8Array(64),
		new Uint8Array(64),
	] as const;
	private readonly tried = new Uint8Array(256);
	/** The macroblock at the same place of the previous picture. */
	private readonly kept = [new Uint8Array(256), new Uint8Array(64), new Uint8Array(64)] as const;

	/**
	 * `quantizer` is 0 to 127; lower is finer and larger. Key frames may have their own, because what is still keeps their quality. Sides are at most
	 * 16,383 pixels.
	 */
	constructor(
		{ width, height }: Pick<Pixels, "width" | "height">,
		quantizer: number,
		keyQuantizer = quantizer,
	) {
		this.width = width;
		this.height = height;
		this.source = createPlanes(width, height);
		this.sources = squaresOf(this.source);
		this.decoded = createPlanes(width, height);
		this.targets = squaresOf(this.decoded);
		this.residuals = { key: new Residual(keyQuantizer), change: new Residual(quantizer) };
		this.residual = this.residuals.key;
		this.motion = new MotionSearch(this.source);
		this.vectors = new Int32Array(this.count * 16);
		this.above = new Uint8Array(this.source.columns * marksPerMacroblock);
	}

	/** Macroblocks per row. They are numbered row by row from the top left. */
	get columns(): number {
		return this.source.columns;
	}

	get count(): number {
		return this.source.columns * this.source.rows;
	}

	encodeKeyFrame(picture: Pixels): Uint8Array<ArrayBuffer> {
		this.encodeMacroblocks(picture, undefined);
		return this.write(true);
	}

	/** Encodes the changes since the previous picture. Returns undefined if no macroblock changed visibly. */
	encodeChange(picture: Pixels, change: PictureChange): Uint8Array<ArrayBuffer> | undefined {
		if (change.vectors) {
			this.motion.take(this.decoded);
		}
		const isChanged = this.encodeMacroblocks(picture, change);
		return isChanged || change.isRequired ? this.write(false) : undefined;
	}

	private encodeMacroblocks(picture: Pixels, change: PictureChange | undefined): boolean {
		const { columns } = this;
		const { buffer, byteOffset, length } = picture.pixels;
		const words = new Uint32Array(buffer, byteOffset, length / 4);
		this.tokens.begin(change === undefined);
		this.residual = change ? this.residuals.change : this.residuals.key;
		this.decisions.length = 0;
		this.vectors.fill(0);
		this.above.fill(0);
		let isAny = false;
		for (const [index, sources] of this.sources.entries()) {
			const column = index % columns;
			if (column === 0) {
				this.left.fill(0);
			}
			const mayDiffer = change?.changed[index] !== 0;
			if (mayDiffer) {
				convertMacroblock(picture, words, this.source, column, Math.floor(index / columns));
			}
			const decision = mayDiffer ? this.encodeMacroblock(index, sources, change) : unchanged;
			if (decision.isSkipped) {
				this.clearMarks(column, decision.luma === "split");
			}
			isAny ||= decision !== unchanged;
			this.decisions.push(decision);
		}
		return isAny;
	}

	/** Clears the flags of a macroblock without coefficients. One without first coefficients keeps their flag. */
	private clearMarks(column: number, keepsFirsts: boolean): void {
		const count = marksPerMacroblock - (keepsFirsts ? 1 : 0);
		const start = column * marksPerMacroblock;
		this.above.fill(0, start, start + count);
		this.left.fill(0, 0, count);
	}

	private encodeMacroblock(
		index: number,
		sources: Squares,
		change: PictureChange | undefined,
	): Decision {
		const targets = this.targets[index] ?? sources;
		const decision = change
			? this.chooseChange(index, sources, targets, change.vectors)
			: this.chooseIntra(sources, targets, Number.POSITIVE_INFINITY);
		if (decision === undefined || decision === unchanged) {
			return unchanged;
		}
		const { predicted } = this;
		if (
			decision.luma === "moved" &&
			sources.every((square, plane) => isNear(square, predicted[plane] ?? none, unseenMoving))
		) {
			targets.forEach((square, plane) => fillSquare(square, predicted[plane] ?? none));
			return { ...decision, isSkipped: true };
		}
		const hasFirsts = decision.luma !== "split";
		const hasResidual = this.residual.measure(sources, predicted, hasFirsts);
		if (hasResidual) {
			const aboveAt = (index % this.columns) * marksPerMacroblock;
			this.residual.write(this.tokens, this.above, aboveAt, this.left);
		} else if (decision.luma === "same") {
			return unchanged;
		}
		this.residual.rebuild(targets, predicted);
		return hasResidual ? decision : { ...decision, isSkipped: true };
	}

	/** Chooses the prediction of a macroblock after a previous picture, and stores it in `predicted`. */
	private chooseChange(
		index: number,
		sources: Squares,
		targets: Squares,
		hints: Int32Array | undefined,
	): Decision {
		const least = differenceOfSquares(sources[0], targets[0]);
		const isCalm = sources.every(isCalmSquare);
		const isClean = (predicted: readonly Uint8Array[]): boolean =>
			!isCalm ||
			sources.every((square, plane) => isNear(square, predicted[plane] ?? none, unseenSpeck));
		const kept = this.kept;
		if (isCalm) {
			targets.forEach((square, plane) => copySquare(square, kept[plane] ?? none));
		}
		const isKeptClean = isClean(kept);
		if (isCalm && isKeptClean) {
			return unchanged;
		}
		if (least <= 256 * unseenDifference && isKeptClean) {
			const colors =
				differenceOfSquares(sources[1], targets[1]) + differenceOfSquares(sources[2], targets[2]);
			if (colors <= 128 * unseenDifference) {
				return unchanged;
			}
		}
		const [luma, blue, red] = this.predicted;
		const column = index % this.columns;
		const row = Math.floor(index / this.columns);
		const at = index * 16;
		const known = hints && { vectors: hints, at, still: least };
		const moved = known && this.motion.search(sources[0], column, row, known, luma);
		const cost = moved?.cost ?? least;
		if (moved) {
			this.motion.predictColors(column, row, blue, red);
		}
		if (moved ? !isClean(this.predicted) : !isKeptClean) {
			return this.predictMean(targets);
		}
		const intra = cost >= 256 * worthTrying ? this.chooseIntra(sources, targets, cost) : undefined;
		if (intra) {
			return intra;
		}
		if (moved) {
			this.vectors.set(this.motion.chosen, at);
			return { luma: moved.luma, chroma: "mean", isSkipped: false };
		}
		copySquare(targets[0], luma);
		copySquare(targets[1], blue);
		copySquare(targets[2], red);
		return same;
	}

	/** Predicts a macroblock by a single color, so that no edges of its neighbors have to be removed from it. */
	private predictMean(targets: Squares): Decision {
		targets.forEach((target, plane) => predict(target, "mean", this.predicted[plane] ?? none));
		return { luma: "mean", chroma: "mean", isSkipped: false };
	}

	/** Chooses the prediction of a macroblock within its picture. Returns undefined if the difference is at least `least`. */
	private chooseIntra(
		[luma, blue, red]: Squares,
		[decodedLuma, decodedBlue, decodedRed]: Squares,
		least: number,
	): Decision | undefined {
		const [predictedLuma, predictedBlue, predictedRed] = this.predicted;
		const mode = this.bestMode(luma, decodedLuma, predictedLuma, least);
		if (mode === undefined) {
			return undefined;
		}
		let chroma: IntraMode = "mean";
		let leastColors = Number.POSITIVE_INFINITY;
		for (const candidate of possibleModes(blue)) {
			predict(decodedBlue, candidate, predictedBlue);
			predict(decodedRed, candidate, predictedRed);
			const colors = differenceOf(blue, predictedBlue) + differenceOf(red, predictedRed);
			if (colors < leastColors) {
				chroma = candidate;
				leastColors = colors;
			}
		}
		predict(decodedBlue, chroma, predictedBlue);
		predict(decodedRed, chroma, predictedRed);
		return { luma: mode, chroma, isSkipped: false };
	}

	/** Finds the mode nearest to the source and stores its prediction in `to`. Returns undefined if all differ by at least `least`. */
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
			// The only VP8 color space, and values that the decoder must clamp.
			header.writeNumber(0, 2);
		}
		// No segments, no loop filter, one token partition.
		header.writeNumber(0, 1);
		header.writeNumber(0, 1 + 6 + 3);
		header.writeNumber(0, 1);
		header.writeNumber(0, 2);
		const { quantizer } = this.residual;
		header.writeNumber(quantizer, 7);
		// Luma as it is; both kinds of chroma steps are lower.
		header.writeNumber(0, 3);
		const lower = Math.min(quantizer, colorsFiner);
		for (let kind = 0; kind < 2; kind += 1) {
			header.write(true, 128);
			header.writeNumber(lower, 4);
			header.write(true, 128);
		}
		if (isKeyFrame) {
			header.writeNumber(1, 1);
		} else {
			// The two reference pictures other than the last stay unchanged. Probabilities and this picture are kept.
			header.writeNumber(0, 2);
			header.writeNumber(0, 4);
			header.writeNumber(0, 2);
			header.writeNumber(1, 1);
			header.writeNumber(1, 1);
		}
		this.tokens.writeProbabilities(header);
		const { columns, decisions, vectors } = this;
		writeDecisions(header, { columns, decisions, vectors }, isKeyFrame);
		const first = header.finish();
		const second = new BoolEncoder();
		this.tokens.writeTokens(second);
		return this.join(isKeyFrame, first, second.finish());
	}

	private join(
		isKeyFrame: boolean,
		first: Uint8Array,
		second: Uint8Array,
	): Uint8Array<ArrayBuffer> {
		const start = isKeyFrame ? 10 : 3;
		const bytes = new Uint8Array(start + first.length + second.length);
		const view = new DataView(bytes.buffer);
		// Frame type, version 0, shown, and length of the first partition.
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

const same: Decision = { luma: "same", chroma: "mean", isSkipped: false };

/** Mean difference from which intra prediction is tried. */
const worthTrying = 8;
