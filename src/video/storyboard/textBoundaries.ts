/** A fenced block of code inside a text; offsets are UTF-16, `end` is behind the closing line. */
export interface FencedCode {
	readonly start: number;
	/** First character behind the opening line. */
	readonly contentStart: number;
	/** Behind the last line of the content, line end included. */
	readonly contentEnd: number;
	readonly end: number;
	/** Line that opens the block once more, without what the first one says about lines. */
	readonly opening: string;
	readonly closing: string;
}

/** A place where one block of a text ends and the next begins. */
export interface BlockBegin {
	readonly at: number;
	/** A heading begins here, which belongs to what follows. */
	readonly isHeading: boolean;
}

/** Blocks of a text as far as cutting it needs them. */
export interface TextBlocks {
	readonly boundaries: readonly BlockBegin[];
	readonly fences: readonly FencedCode[];
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)/;
const headingLine = /^ {0,3}#{1,6}(?:[ \t]|$)/;

/** Finds headings, paragraphs and fenced code of a Markdown text, in time linear in its length. CommonMark §4.2, §4.5, §4.8. */
export function findBlocks(text: string): TextBlocks {
	const boundaries: BlockBegin[] = [];
	const fences: FencedCode[] = [];
	let open: (Omit<FencedCode, "contentEnd" | "end"> & { readonly mark: string }) | undefined;
	/** Whether the next line that is not blank begins a block, and whether the block before is only headings. */
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
