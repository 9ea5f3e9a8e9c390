/** How well a text matches a query: higher is better. `positions` are the letters of the text that matched. */
export interface FuzzyMatch {
	readonly score: number;
	readonly positions: readonly number[];
}

/** Where a word begins: after a separator, or at a capital that follows a small letter. */
function beginsWord(text: string, index: number): boolean {
	const before = text[index - 1];
	return (
		before === undefined ||
		/[\s/\\._\-()[\]]/.test(before) ||
		(/\p{Ll}/u.test(before) && /\p{Lu}/u.test(text[index] ?? ""))
	);
}

/**
 * Finds the letters of `query` in `text` in their order, regardless of case, from the end so that a file's name counts before
 * its folders. Letters in a row, in the name and at the beginning of words score more; a query of nothing matches everything alike.
 */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | undefined {
	if (query === "") {
		return { score: 0, positions: [] };
	}
	const wanted = query.toLowerCase();
	const held = text.toLowerCase();
	// A letter whose small form has another length would shift every position behind it.
	const searched = held.length === text.length ? held : text;
	const whole = searched.lastIndexOf(wanted);
	if (whole !== -1) {
		const positions = Array.from(wanted, (_, index) => whole + index).slice(0, wanted.length);
		return { score: scoreOf(text, positions) + 20, positions };
	}
	const positions: number[] = [];
	let end = searched.length;
	for (let index = wanted.length - 1; index >= 0; index--) {
		end = end === 0 ? -1 : searched.lastIndexOf(wanted[index] ?? "", end - 1);
		if (end === -1) {
			return undefined;
		}
		positions.unshift(end);
	}
	return { score: scoreOf(text, positions), positions };
}

function scoreOf(text: string, positions: readonly number[]): number {
	const name = text.lastIndexOf("/") + 1;
	let score = 0;
	for (const [index, position] of positions.entries()) {
		const follows = index > 0 && positions[index - 1] === position - 1;
		const isInName = position >= name;
		score += 1 + (follows ? 4 : 0) + (beginsWord(text, position) ? 6 : 0) + (isInName ? 3 : 0);
	}
	// Of two texts that match alike the shorter one is more likely meant.
	return score - text.length / 100;
}

/**
 * The best `count` of the candidates that match and are wanted, the best first; equals stay in their order. `isWanted` may be
 * slow: it is asked of no more than it takes.
 */
export function bestMatches<T>(
	query: string,
	candidates: Iterable<T>,
	textOf: (candidate: T) => string,
	count: number,
	isWanted: (candidate: T) => boolean = () => true,
): readonly { readonly candidate: T; readonly match: FuzzyMatch }[] {
	const found: { candidate: T; match: FuzzyMatch }[] = [];
	for (const candidate of candidates) {
		const match = fuzzyMatch(query, textOf(candidate));
		if (match) {
			found.push({ candidate, match });
		}
	}
	const best: { candidate: T; match: FuzzyMatch }[] = [];
	for (const each of found.sort((a, b) => b.match.score - a.match.score)) {
		if (best.length >= count) {
			break;
		}
		if (isWanted(each.candidate)) {
			best.push(each);
		}
	}
	return best;
}
