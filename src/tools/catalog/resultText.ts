/** The most a result tells the model, in UTF-16 code units. Rows U14, U15, U20. */
export const maxResultLength = 64 * 1024;

/** A text that fits; one that was cut says so and how much of it is there. Row U20. */
export function cutResult(text: string, limit = maxResultLength): string {
	if (text.length <= limit) {
		return text;
	}
	// Never between the halves of a surrogate pair.
	const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
	return `${text.slice(0, end)}\n[cut: the first ${end} of ${text.length} characters]`;
}

/** Lines that fit, or one that says there are none; the last line says how many more there are. */
export function listResult(lines: readonly string[], limit: number, none: string): string {
	if (lines.length === 0) {
		return none;
	}
	const rest = lines.length - limit;
	const shown = lines.slice(0, limit).join("\n");
	return cutResult(rest > 0 ? `${shown}\n[cut: ${rest} more]` : shown);
}

/** One line of code or a message, short enough for a list. */
export function oneLine(text: string, limit = 200): string {
	const line = text.replaceAll(/\s+/g, " ").trim();
	return line.length > limit ? `${line.slice(0, limit)}…` : line;
}
