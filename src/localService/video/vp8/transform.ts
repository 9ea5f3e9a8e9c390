/** The transforms of VP8, on blocks of 4 × 4 in rows. RFC 6386 §14. */

type Numbers = Int16Array;

const scratch = new Int32Array(16);
const sine = 35_468;
const cosine = 20_091;

const valueAt = (block: Numbers | Int32Array, index: number): number => block[index] ?? 0;

export function forwardTransform(from: Numbers, to: Numbers, at: number): void {
	for (let row = 0; row < 16; row += 4) {
		const first = valueAt(from, row);
		const second = valueAt(from, row + 1);
		const third = valueAt(from, row + 2);
		const fourth = valueAt(from, row + 3);
		const outer = (first + fourth) * 8;
		const inner = (second + third) * 8;
		const innerGap = (second - third) * 8;
		const outerGap = (first - fourth) * 8;
		scratch[row] = outer + inner;
		scratch[row + 2] = outer - inner;
		scratch[row + 1] = (innerGap * 2217 + outerGap * 5352 + 14_500) >> 12;
		scratch[row + 3] = (outerGap * 2217 - innerGap * 5352 + 7500) >> 12;
	}
	for (let column = 0; column < 4; column += 1) {
		const first = valueAt(scratch, column);
		const second = valueAt(scratch, column + 4);
		const third = valueAt(scratch, column + 8);
		const fourth = valueAt(scratch, column + 12);
		const outer = first + fourth;
		const inner = second + third;
		const innerGap = second - third;
		const outerGap = first - fourth;
		to[at + column] = (outer + inner + 7) >> 4;
		to[at + column + 8] = (outer - inner + 7) >> 4;
		to[at + column + 4] =
			((innerGap * 2217 + outerGap * 5352 + 12_000) >> 16) + (outerGap === 0 ? 0 : 1);
		to[at + column + 12] = (outerGap * 2217 - innerGap * 5352 + 51_000) >> 16;
	}
}

/** Transforms coefficients at `at` back to differences, exactly as a decoder does. */
export function inverseTransform(from: Numbers, at: number, to: Numbers): void {
	for (let column = 0; column < 4; column += 1) {
		const first = valueAt(from, at + column);
		const second = valueAt(from, at + column + 4);
		const third = valueAt(from, at + column + 8);
		const fourth = valueAt(from, at + column + 12);
		const even = first + third;
		const evenGap = first - third;
		const oddGap = ((second * sine) >> 16) - fourth - ((fourth * cosine) >> 16);
		const odd = second + ((second * cosine) >> 16) + ((fourth * sine) >> 16);
		scratch[column] = even + odd;
		scratch[column + 12] = even - odd;
		scratch[column + 4] = evenGap + oddGap;
		scratch[column + 8] = evenGap - oddGap;
	}
	for (let row = 0; row < 16; row += 4) {
		const first = valueAt(scratch, row);
		const second = valueAt(scratch, row + 1);
		const third = valueAt(scratch, row + 2);
		const fourth = valueAt(scratch, row + 3);
		const even = first + third;
		const evenGap = first - third;
		const oddGap = ((second * sine) >> 16) - fourth - ((fourth * cosine) >> 16);
		const odd = second + ((second * cosine) >> 16) + ((fourth * sine) >> 16);
		to[row] = (even + odd + 4) >> 3;
		to[row + 3] = (even - odd + 4) >> 3;
		to[row + 1] = (evenGap + oddGap + 4) >> 3;
		to[row + 2] = (evenGap - oddGap + 4) >> 3;
	}
}

/** Collects the first coefficients of sixteen blocks, which are 16 apart in `from`, in one block. */
export function forwardWalsh(from: Numbers, to: Numbers, at: number): void {
	for (let row = 0; row < 16; row += 4) {
		const first = valueAt(from, row * 16);
		const second = valueAt(from, row * 16 + 16);
		const third = valueAt(from, row * 16 + 32);
		const fourth = valueAt(from, row * 16 + 48);
		const even = (first + third) * 4;
		const odd = (second + fourth) * 4;
		const oddGap = (second - fourth) * 4;
		const evenGap = (first - third) * 4;
		scratch[row] = even + odd + (even === 0 ? 0 : 1);
		scratch[row + 1] = evenGap + oddGap;
		scratch[row + 2] = evenGap - oddGap;
		scratch[row + 3] = even - odd;
	}
	for (let column = 0; column < 4; column += 1) {
		const first = valueAt(scratch, column);
		const second = valueAt(scratch, column + 4);
		const third = valueAt(scratch, column + 8);
		const fourth = valueAt(scratch, column + 12);
		to[at + column] = rounded(first + third + second + fourth);
		to[at + column + 4] = rounded(first - third + second - fourth);
		to[at + column + 8] = rounded(first - third - second + fourth);
		to[at + column + 12] = rounded(first + third - second - fourth);
	}
}

function rounded(value: number): number {
	return (value + (value < 0 ? 1 : 0) + 3) >> 3;
}

/** Returns the first coefficients to the sixteen blocks, exactly as a decoder does. */
export function inverseWalsh(from: Numbers, at: number, to: Numbers): void {
	for (let column = 0; column < 4; column += 1) {
		const first = valueAt(from, at + column);
		const second = valueAt(from, at + column + 4);
		const third = valueAt(from, at + column + 8);
		const fourth = valueAt(from, at + column + 12);
		scratch[column] = first + fourth + second + third;
		scratch[column + 4] = second - third + first - fourth;
		scratch[column + 8] = first + fourth - second - third;
		scratch[column + 12] = first - fourth - second + third;
	}
	for (let row = 0; row < 16; row += 4) {
		const first = valueAt(scratch, row);
		const second = valueAt(scratch, row + 1);
		const third = valueAt(scratch, row + 2);
		const fourth = valueAt(scratch, row + 3);
		to[row * 16] = (first + fourth + second + third + 3) >> 3;
		to[row * 16 + 16] = (second - third + first - fourth + 3) >> 3;
		to[row * 16 + 32] = (first + fourth - second - third + 3) >> 3;
		to[row * 16 + 48] = (first - fourth - second + third + 3) >> 3;
	}
}
