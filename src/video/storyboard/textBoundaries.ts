/** A fenced code block in a text. Offsets are in UTF-16 units; `end` is after the closing line. */
export interface FencedCode {
	readonly start: number;
	/** Offset after the opening line. */
	readonly contentStart: number;
	/** Offset after the content's last line, including its line break. */
	readonly contentEnd: number;
	readonly end: number;
	/** Line that reopens the block, without line numbers of the first one. */
	readonly opening: string;
	readonly closing: string;
}

export interface BlockBegin {
	readonly at: number;
	/** Whether a heading starts here, which belongs to the text after it. */
	readonly isHeading: boolean;
}

export interface TextBlocks {
	readonly boundaries: readonly BlockBegin[];
	readonly fences: readonly FencedCode[];
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)/;
const headingLine = /^ {0,3}#{1,6}(?:[ \t]|$)/;

/** Finds headings, paragraphs and fenced code in Markdown. Takes linear time. CommonMark §4.2, §4.5, §4.8. */
export function findBlocks(text: string): TextBlocks {
	const boundaries: BlockBegin[] = [];
	const fences: FencedCode[] = [];
	let open: (Omit<FencedCode, "contentEnd" | "end"> & { readonly mark: string }) | undefined;
	/** Whether the next nonblank line starts a block, and whether the block before consists only of headings. */
	let beginsBlock = true;
	let isAfterHeading = false;
	for (const { start, line, next } of linesOf(text)) {
		if (open) {
			if (isClosing(line, open.mark)) {
				fences.push({ ...open, contentEnd: start, end: next });
				open = undefined;
				beginsBlock = true;
			}
			continue;
		}
		const [, mark, language = ""] = fenceLine.exec(line) ?? [];
		const isHeading = headingLine.test(line);
		if (line.trim() === "") {
			beginsBlock = true;
			continue;
		}
		if ((beginsBlock || mark !== undefined || isHeading) && !isAfterHeading) {
			boundaries.push({ at: start, isHeading });
		}
		isAfterHeading = isHeading;
		beginsBlock = isHeading;
		if (mark !== undefined) {
			open = {
				start,
				contentStart: next,
				opening: `${mark}${language}\n`,
				closing: `\n${mark}`,
				mark,
			};
		}
	}
	if (open) {
		fences.push({ ...open, contentEnd: text.length, end: text.length });
	}
	return { boundaries, fences };
}

function isClosing(line: string, mark: string): boolean {
	const trimmed = line.trim();
	return (
		trimmed.length >= mark.length && [...trimmed].every(character => character === mark.charAt(0))
	);
}

function* linesOf(text: string): Generator<{ start: number; line: string; next: number }> {
	for (let start = 0; start < text.length;) {
		const end = text.indexOf("\n", start);
		const next = end < 0 ? text.length : end + 1;
		yield { start, line: text.slice(start, end < 0 ? text.length : end), next };
		start = next;
	}
}
