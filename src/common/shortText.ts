/** Returns the first `limit` UTF-16 code units of a text, or one less where that would split a surrogate pair. */
export function startOf(text: string, limit: number): string {
	const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
	return text.slice(0, end);
}

/** Shortens a text that is longer than `limit` UTF-16 code units, and puts “…” behind it. */
export function shorten(text: string, limit: number): string {
	return text.length > limit ? `${startOf(text, limit).trimEnd()}…` : text;
}

/** Shortens a text to one line with its white space folded. */
export function oneLine(text: string, limit = 200): string {
	return shorten(text.replaceAll(/\s+/g, " ").trim(), limit);
}
