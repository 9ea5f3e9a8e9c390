export interface FindQuery {
	readonly text: string;
	readonly isCaseSensitive: boolean;
	readonly isWholeWord: boolean;
}

/** Start and end of a match, in UTF-16 code units of the searched text. */
export type Match = readonly [start: number, end: number];

/**
 * Creates a function that finds a query's matches, or undefined for an empty query. Whitespace matches any whitespace, because a line may break
 * anywhere. Compares letters by Unicode's simple case folding. Takes linear time.
 */
export function createFinder({
	text,
	isCaseSensitive,
	isWholeWord,
}: FindQuery): ((searched: string) => Match[]) | undefined {
	if (text === "") {
		return undefined;
	}
	const words = text.split(/\s+/).map(word => word.replaceAll(/[$()*+./?[\\\]^{|}]/g, "\\$&"));
	const pattern = words.join("\\s+");
	const edge = "[\\p{L}\\p{N}_]";
	const startsInWord = /^[\p{L}\p{N}_]/u.test(text);
	const endsInWord = /[\p{L}\p{N}_]$/u.test(text);
	const before = isWholeWord && startsInWord ? `(?<!${edge})` : "";
	const after = isWholeWord && endsInWord ? `(?!${edge})` : "";
	// An unpaired surrogate, which can be typed, isn't a character and matches nothing.
	const source = `${before}${pattern}${after}`;
	const expression = new RegExp(source, isCaseSensitive ? "gu" : "giu");
	return searched =>
		[...searched.matchAll(expression)].map(
			({ 0: found, index }) => [index, index + found.length] as const,
		);
}
