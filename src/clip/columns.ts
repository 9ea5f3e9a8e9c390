/** Letters that terminals and editors give two columns: East Asian wide ones and emoji. @see https://www.unicode.org/reports/tr11/ */
const wide =
	/^[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{1B2FF}\u{20000}-\u{3FFFD}\p{Emoji_Presentation}]/u;

/** Marks above and below letters, parts of Korean syllables, and what only steers. */
const without = /^[\p{Mn}\p{Me}\u1160-\u11FF\p{Default_Ignorable_Code_Point}]/u;

const oneEach = /^[\x20-\x7E]*$/;

/** The columns of a text in a grid of code: two for wide letters and emoji, none for marks, one for all others. */
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

/** A line with blanks in place of its tabs, each up to the next of the stops that are `tabSize` columns apart. */
export function expandTabs(line: string, tabSize: number): string {
	let text = "";
	for (const [index, part] of line.split("\t").entries()) {
		text =
			index === 0 ? part : `${text}${" ".repeat(tabSize - (columnsOf(text) % tabSize))}${part}`;
	}
	return text;
}

/** Signs of an operator: its letters may be drawn as one. */
const parts = /[-+*/%=<>!&|^~?:.#]{2,4}|\P{M}\p{M}*/gsu;

/** The most columns of a text, up to `columns`, that end behind a whole letter and a whole operator. */
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
