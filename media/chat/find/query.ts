/** Text that is looked for. */
export interface FindQuery {
	readonly text: string;
	readonly isCaseSensitive: boolean;
	readonly isWholeWord: boolean;
}

/** Where a match begins and ends, in UTF-16 code units of the text that was searched. */
export type Match = readonly [start: number, end: number];

/**
 * Makes the finder of a query, nothing for an empty one. White space matches white space of any kind and length, since a line
 * may break anywhere in a text. Letters are compared as Unicode folds them one by one; the time is linear in the text.
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
	// A lone half of a surrogate pair can be typed; it is no character, and is not found.
	const source = `${before}${pattern}${after}`;
	const expression = new RegExp(source, isCaseSensitive ? "gu" : "giu");
	return searched =>
		[...searched.matchAll(expression)].map(
			({ 0: found, index }) => [index, index + found.length] as const,
		);
}
