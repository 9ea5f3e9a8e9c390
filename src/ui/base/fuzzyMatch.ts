/** Result of `fuzzyMatch`: a higher score is better, `positions` are the matched letters in the text. */
export interface FuzzyMatch {
	readonly score: number;
	readonly positions: readonly number[];
}

/** Whether a word starts at an index: after a separator, or at a capital after a lowercase letter. */
function beginsWord(text: string, index: number): boolean {
	const before = text[index - 1];
	return (
		before === undefined ||
		/[\s/\\._\-()[\]]/.test(before) ||
		(/\p{Ll}/u.test(before) && /\p{Lu}/u.test(text[index] ?? ""))
	);
}

/**
 * Matches the letters of `query` in `text` in order, ignoring case, from the end, so that a file's name takes precedence over its folders.
 * Consecutive letters, and letters in the name or at the start of words, score higher. An empty query matches all texts equally.
 */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | undefined {
	if (query === "") {
		return { score: 0, positions: [] };
	}
	const wanted = query.toLowerCase();
	const held = text.toLowerCase();
	// Lowercasing that changes the length would shift positions, so the original is searched.
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
	// Prefers the shorter of two equally good matches.
	return score - text.length / 100;
}

/** Returns the best `count` candidates that match, best first; ties keep their order. */
export function bestMatches<T>(
	query: string,
	candidates: Iterable<T>,
	textOf: (candidate: T) => string,
	count: number,
): readonly { readonly candidate: T; readonly match: FuzzyMatch }[] {
	const found: { candidate: T; match: FuzzyMatch }[] = [];
	for (const candidate of candidates) {
		const match = fuzzyMatch(query, textOf(candidate));
		if (match) {
			found.push({ candidate, match });
		}
	}
	return found.sort((a, b) => b.match.score - a.match.score).slice(0, count);
}
