/** Characters with two columns in terminals and editors: East Asian wide ones and emoji. @see https://www.unicode.org/reports/tr11/ */
const wide =
	/^[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{1B2FF}\u{20000}-\u{3FFFD}\p{Emoji_Presentation}]/u;

/** Characters without a column: combining marks, parts of Korean syllables, and control characters. */
const without = /^[\p{Mn}\p{Me}\u1160-\u11FF\p{Default_Ignorable_Code_Point}]/u;

const oneEach = /^[\x20-\x7E]*$/;

/** Returns a text's width in columns: two for wide characters and emoji, none for marks, one for all others. */
export function columnsOf(text: string): number {
	if (oneEach.test(text)) {
		return text.length;
	}
	let columns = 0;
	for (const letter of text) {
		columns += without.test(letter) ? 0 : wide.test(letter) ? 2 : 1;
	}
	return columns;
}

/** Replaces tabs by spaces up to the next tab stop. Stops are `tabSize` columns apart; with 0, tabs stay. */
export function expandTabs(line: string, tabSize: number): string {
	if (tabSize === 0) {
		return line;
	}
	let text = "";
	for (const [index, part] of line.split("\t").entries()) {
		text =
			index === 0 ? part : `${text}${" ".repeat(tabSize - (columnsOf(text) % tabSize))}${part}`;
	}
	return text;
}

/** Operators, which ligatures may draw as one glyph, or single characters. */
const parts = /[-+*/%=<>!&|^~?:.#]{2,4}|\P{M}\p{M}*/gsu;

/** Returns the greatest width up to `columns` that splits no character and no operator. */
export function wholeColumns(text: string, columns: number): number {
	let whole = 0;
	for (const [part] of text.matchAll(parts)) {
		const next = whole + columnsOf(part);
		if (next > columns) {
			break;
		}
		whole = next;
	}
	return whole;
}
