/** The longest result for the model, in UTF-16 code units. */
export const maxResultLength = 64 * 1024;

/** Truncates a text to the limit, with a note about its length. */
export function cutResult(text: string, limit = maxResultLength): string {
	if (text.length <= limit) {
		return text;
	}
	// Never splits a surrogate pair.
	const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
	return `${text.slice(0, end)}\n[cut: the first ${end} of ${text.length} characters]`;
}

/** Joins lines up to a limit, or returns `none` for an empty list. A last line reports the number of omitted ones. */
export function listResult(lines: readonly string[], limit: number, none: string): string {
	if (lines.length === 0) {
		return none;
	}
	const rest = lines.length - limit;
	const shown = lines.slice(0, limit).join("\n");
	return cutResult(rest > 0 ? `${shown}\n[cut: ${rest} more]` : shown);
}

/** Shortens code or a message to one line. */
export function oneLine(text: string, limit = 200): string {
	const line = text.replaceAll(/\s+/g, " ").trim();
	return line.length > limit ? `${line.slice(0, limit)}…` : line;
}
