const isBlank = (letter: string | undefined): boolean => letter !== undefined && /\s/.test(letter);

/** Returns the style of each letter of `shown` from those of `raw`, a line that differs from it in white space alone. */
export function alignStyles<T>(
	raw: string,
	styles: readonly T[],
	shown: string,
): (T | undefined)[] {
	let at = 0;
	return Array.from({ length: shown.length }, (_, index) => {
		if (isBlank(shown[index])) {
			const style = isBlank(raw[at]) ? styles[at] : undefined;
			// A tab may be several spaces; its style is that of all of them.
			at += isBlank(raw[at]) && isBlank(raw[at + 1]) && isBlank(shown[index + 1]) ? 1 : 0;
			return style;
		}
		while (isBlank(raw[at])) {
			at += 1;
		}
		const style = styles[at];
		at += 1;
		return style;
	});
}

/** Whether two lines differ in white space alone. */
export function isSameCode(left: string, right: string): boolean {
	return left.replaceAll(/\s+/g, "") === right.replaceAll(/\s+/g, "");
}
