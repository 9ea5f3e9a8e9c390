import { autoSeconds, sceneSeconds } from "../../clip/clipLength.ts";
import { maxPromptCharacters } from "../../common/videoEngines.ts";
import { maxScenes, type StoryboardScene } from "../job/videoJob.ts";

/** Reading speed in characters per second; subtitles use 15 to 17. */
const charactersPerSecond = 15;

const shortestSeconds = 1;

/** Share of a scene's length in which to look for the end of a word, line or sentence. */
const searchShare = 0.1;

/** The most blocks that are merged one by one, which takes quadratic time. */
const maxBlocks = 600;

/** The least code to leave after a cut, in characters, unless the last line is shorter. */
const leastRest = 40;

/** A range of the text, with the fences that code needs around it if it was cut. */
interface Piece {
	readonly start: number;
	readonly end: number;
	readonly before: string;
	readonly after: string;
	/** Whether it starts with a heading. Merging it with the piece before would mix two subjects. */
	readonly isHeading: boolean;
}

/**
 * Splits a text into scenes at headings, paragraphs and fenced code: at most 12, each up to 4000 characters (code points). Every word is in exactly
 * one scene, in order. Code that is cut gets its fence again. Merges short neighbors if there are too many. Returns undefined for a text that doesn't
 * fit into 12 scenes; every text of up to 36,000 characters does. Scenes that the local renderer draws are as long as reading them takes.
 */
export function cutScenes(
	text: string,
	motionStrength: number,
	isDrawn = false,
): readonly StoryboardScene[] | undefined {
	const source = text.replaceAll(/\r\n?/g, "\n");
	// A code point has at most two units, so a longer text can't fit.
	if (source.trim().length > 2 * maxScenes * maxPromptCharacters) {
		return undefined;
	}
	const blocks = findBlocks(source);
	const pieces = blocks.boundaries.length > maxBlocks ? [] : merged(natural(source, blocks));
	const isCut = pieces.length > 0 && pieces.length <= maxScenes;
	const fitting = isCut ? pieces : dense(source, blocks);
	return fitting.length > maxScenes
		? undefined
		: fitting
				.map(piece => pieceText(source, piece))
				.filter(prompt => !emptyCode.test(prompt))
				.map(prompt => {
					const duration = isDrawn ? autoSeconds(prompt, motionStrength) : secondsFor(prompt);
					return { prompt, duration, motionStrength };
				});
}

/** A fenced block without content. */
const emptyCode = /^ {0,3}(?:`{3,}(?!`)|~{3,}(?!~))[^\n]*(?:\n\s*(?:`{3,}|~{3,})?)?$/;

/** Returns the seconds needed to read a text, 1 to 4. */
export function secondsFor(prompt: string): number {
	const seconds = Math.ceil([...prompt].length / charactersPerSecond);
	return Math.min(sceneSeconds, Math.max(shortestSeconds, seconds));
}

/** Creates a piece for each block. Cuts blocks that are too long for a scene at the best place. */
function natural(source: string, { boundaries, fences }: TextBlocks): Piece[] {
	return boundaries.flatMap(({ at, isHeading }, index) => {
		const end = boundaries[index + 1]?.at ?? source.length;
		const whole = { start: at, end, before: "", after: "", isHeading };
		return sizeOf(source, whole) <= maxPromptCharacters ? [whole] : split(source, fences, whole);
	});
}

/** Fills each scene completely, regardless of blocks. */
function dense(source: string, { boundaries, fences }: TextBlocks): Piece[] {
	const start = boundaries[0]?.at ?? 0;
	return split(source, fences, {
		start,
		end: source.length,
		before: "",
		after: "",
		isHeading: true,
	});
}

/** Cuts a range into pieces that each fit into a scene. */
function split(source: string, fences: readonly FencedCode[], whole: Piece): Piece[] {
	const pieces: Piece[] = [];
	let { start, before, isHeading } = whole;
	const rest = (): Piece => ({ start, before, isHeading, end: whole.end, after: whole.after });
	while (sizeOf(source, rest()) > maxPromptCharacters) {
		const cut = cutOf(source, fences, rest());
		pieces.push({ start, before, isHeading, end: cut.at, after: cut.after });
		[start, before, isHeading] = [cut.at, cut.before, false];
	}
	return pieceText(source, rest()) === "" ? pieces : [...pieces, rest()];
}

interface Cut {
	readonly at: number;
	/** Closes a fence before the cut; `before` opens it again after the cut. */
	readonly after: string;
	readonly before: string;
}

/** Returns the last good place for a cut at which the piece before still fits. */
function cutOf(source: string, fences: readonly FencedCode[], { start, before }: Piece): Cut {
	// Blank lines aren't counted, so at least this much fits.
	const from = start + leadingBlank(source.slice(start));
	const room = maxPromptCharacters - [...before].length;
	const limit = offsetAfter(source, from, room);
	const fence = fences.find(candidate => candidate.start < limit && limit < candidate.end);
	if (!fence) {
		return { at: goodEnd(source, from, limit), after: "", before: "" };
	}
	if (fence.start > from && limit - fence.start < room * searchShare) {
		return { at: fence.start, after: "", before: "" };
	}
	const last = Math.min(
		offsetAfter(source, from, room - fence.closing.length),
		lastLineStart(source, fence),
	);
	const first = Math.max(from, fence.contentStart);
	if (last <= first || fence.opening.length + fence.closing.length > room * searchShare) {
		// A fence without room for its content, for example with a very long first line, is cut like any text.
		return { at: goodEnd(source, from, limit), after: "", before: "" };
	}
	const line = source.lastIndexOf("\n", last - 1) + 1;
	const at = line > first && last - line < room * searchShare ? line : goodEnd(source, first, last);
	return { at, after: fence.closing, before: fence.opening };
}

/** Returns the latest place to cut a fence's content: the start of its last line, so that something remains after the cut. */
function lastLineStart(source: string, { contentStart, contentEnd }: FencedCode): number {
	const content = source.slice(contentStart, contentEnd).trimEnd();
	return contentStart + Math.max(content.lastIndexOf("\n") + 1, content.length - leastRest, 0);
}

/** Returns the end of the last sentence, line or word shortly before an offset, or that offset. Never cuts inside a character. */
function goodEnd(source: string, from: number, limit: number): number {
	const start = Math.max(from, limit - Math.floor((limit - from) * searchShare));
	const tail = source.slice(start, limit);
	const ends = [
		/\n(?=[^\n]*$)/,
		/[.!?…。！？]["'”’»)\]]*\s(?!.*[.!?…。！？]["'”’»)\]]*\s)/s,
		/\s(?=\S*$)/,
	];
	for (const end of ends) {
		const match = end.exec(tail);
		if (match) {
			return start + match.index + match[0].length;
		}
	}
	return limit;
}

function offsetAfter(source: string, from: number, count: number): number {
	let at = from;
	for (let passed = 0; passed < count && at < source.length; passed += 1) {
		at += (source.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
	}
	return at;
}

/** Merges the shortest neighbors while there are too many, preferably under the same heading. */
function merged(pieces: readonly Piece[]): readonly Piece[] {
	const list = [...pieces];
	while (list.length > maxScenes) {
		let best = -1;
		let least = Number.POSITIVE_INFINITY;
		for (let index = 0; index + 1 < list.length; index += 1) {
			const [left, right] = [list[index], list[index + 1]];
			// Offsets are at least as large as the number of characters.
			const size = left && right ? sizeAtMost(joined(left, right)) : least;
			const cost = size + (right?.isHeading ? maxPromptCharacters / 8 : 0);
			if (size <= maxPromptCharacters && cost < least) {
				[best, least] = [index, cost];
			}
		}
		const [left, right] = [list[best], list[best + 1]];
		if (!left || !right) {
			return list;
		}
		list.splice(best, 2, joined(left, right));
	}
	return list;
}

function joined(left: Piece, right: Piece): Piece {
	return { ...left, end: right.end, after: right.after };
}

function sizeAtMost({ start, end, before, after }: Piece): number {
	return end - start + before.length + after.length;
}

function sizeOf(source: string, piece: Piece): number {
	return [...pieceText(source, piece)].length;
}

/** Returns the text of a piece without surrounding blank lines. */
function pieceText(source: string, { start, end, before, after }: Piece): string {
	const slice = source.slice(start, end).trimEnd();
	const words = slice.slice(leadingBlank(slice));
	return words === "" ? "" : `${before}${words}${after}`;
}

/** Returns the length of the leading blank lines. The first line's indentation stays. */
function leadingBlank(text: string): number {
	return /^(?:[^\S\n]*\n)*/.exec(text)?.[0].length ?? 0;
}

/** A fenced code block in a text. Offsets are in UTF-16 units; `end` is after the closing line. */
interface FencedCode {
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

interface BlockBegin {
	readonly at: number;
	/** Whether a heading starts here, which belongs to the text after it. */
	readonly isHeading: boolean;
}

interface TextBlocks {
	readonly boundaries: readonly BlockBegin[];
	readonly fences: readonly FencedCode[];
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)/;
const headingLine = /^ {0,3}#{1,6}(?:[ \t]|$)/;

/** Finds headings, paragraphs and fenced code in Markdown. Takes linear time. CommonMark §4.2, §4.5, §4.8. */
function findBlocks(text: string): TextBlocks {
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
