/** The most table cells: enough for two halves of the longest prompt in lines of one letter. */
const maxCells = 4_200_000;

/**
 * Returns pairs of positions in two sequences, ascending in both, with the greatest sum of weights (a weighted longest common subsequence).
 * `weightOf` returns 0 for no match. Returns no pairs for sequences with more than `most` pairs.
 */
export function longestCommon(
	left: number,
	right: number,
	weightOf: (left: number, right: number) => number,
	most = maxCells,
): readonly (readonly [number, number])[] {
	if (left * right > most) {
		return [];
	}
	const width = right + 1;
	// The best sum from a pair of positions to both ends.
	const best = new Uint32Array((left + 1) * width);
	const bestAt = (row: number, column: number): number => best[row * width + column] ?? 0;
	for (let row = left - 1; row >= 0; row -= 1) {
		for (let column = right - 1; column >= 0; column -= 1) {
			const weight = weightOf(row, column);
			const together = weight > 0 ? weight + bestAt(row + 1, column + 1) : 0;
			best[row * width + column] = Math.max(
				together,
				bestAt(row + 1, column),
				bestAt(row, column + 1),
			);
		}
	}
	const pairs: (readonly [number, number])[] = [];
	let row = 0;
	let column = 0;
	while (row < left && column < right) {
		const weight = weightOf(row, column);
		if (weight > 0 && bestAt(row, column) === weight + bestAt(row + 1, column + 1)) {
			pairs.push([row, column]);
			row += 1;
			column += 1;
		} else if (bestAt(row + 1, column) >= bestAt(row, column + 1)) {
			row += 1;
		} else {
			column += 1;
		}
	}
	return pairs;
}
