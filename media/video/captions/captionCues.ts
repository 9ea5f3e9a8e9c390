import type { CaptionPart } from "../../../src/shared/video.ts";

/** A caption; times in seconds from the start of the clip. */
export interface CaptionCue {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

/** The widest cue, in widths of a Latin letter: two lines of 42, as in subtitles. */
const maxWidth = 84;

/** The shortest duration of a cue if there are several, in seconds; less would flicker. */
const shortestSeconds = 1;

/** The smallest width for calculating a cue's duration, so that short cues don't flicker either. */
const leastShare = 28;

/**
 * Splits a clip's text into readable cues over its real length in seconds: between sentences if possible, otherwise between words. Each part has its
 * own share of the clip. Text that doesn't fit at one second per cue is omitted, and the last cue then ends with “…”.
 */
export function captionCues(parts: readonly CaptionPart[], seconds: number): CaptionCue[] {
	const whole = parts.reduce((sum, part) => sum + part.seconds, 0);
	let start = 0;
	return parts.flatMap(part => {
		const length = (part.seconds / whole) * seconds;
		const cues = cuesOf(part.words, start, length);
		start += length;
		return cues;
	});
}

function cuesOf(words: string, start: number, length: number): CaptionCue[] {
	const pieces = piecesOf(words);
	const room = Math.max(1, Math.floor(length / shortestSeconds + 0.01));
	const shown = pieces.slice(0, room);
	const last = shown.at(-1);
	if (last !== undefined && pieces.length > room) {
		shown[shown.length - 1] = `${last.replace(/[\s.…]+$/, "")}…`;
	}
	const shares = shown.map(piece => Math.max(leastShare, widthOf(piece)));
	const sum = shares.reduce((total, share) => total + share, 0);
	let at = start;
	return shown.map((text, index) => {
		const end = at + (length * (shares[index] ?? 0)) / sum;
		const cue = { start: at, end, text };
		at = end;
		return cue;
	});
}

const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });
const wordEnds = new Intl.Segmenter(undefined, { granularity: "word" });

/** Splits text into pieces of at most `maxWidth`: as many whole sentences as fit, or parts of similar length of a longer sentence. */
function piecesOf(words: string): string[] {
	const pieces: string[] = [];
	for (const line of words.split("\n")) {
		for (const { segment } of sentences.segment(line.replaceAll(/\s+/g, " ").trim())) {
			const last = pieces.at(-1);
			if (last !== undefined && widthOf(last) + 1 + widthOf(segment.trim()) <= maxWidth) {
				pieces[pieces.length - 1] = `${last}${separatorOf(last)}${segment.trim()}`;
			} else if (segment.trim() !== "") {
				pieces.push(...split(segment.trim()));
			}
		}
	}
	return pieces;
}

/** Scripts without spaces between words have none between sentences. */
function separatorOf(text: string): string {
	return /[\u3000-\u9fff\uff00-\uffef]$/u.test(text) ? "" : " ";
}

function split(sentence: string): string[] {
	const width = widthOf(sentence);
	const aim = width / Math.ceil(width / maxWidth);
	const pieces = [""];
	for (const { segment } of wordEnds.segment(sentence)) {
		for (const part of widthOf(segment) > maxWidth ? graphemesOf(segment) : [segment]) {
			const last = pieces.at(-1) ?? "";
			const filled = widthOf(last);
			// Punctuation, such as a comma, stays with the word before it.
			const mayBreak = /[\p{L}\p{N}]/u.test(part);
			if ((mayBreak && filled >= aim) || filled + widthOf(part) > maxWidth) {
				pieces.push(part);
			} else {
				pieces[pieces.length - 1] = last + part;
			}
		}
	}
	return pieces.map(piece => piece.trim()).filter(piece => piece !== "");
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Splits a text into graphemes. */
export function graphemesOf(text: string): string[] {
	return [...graphemes.segment(text)].map(({ segment }) => segment);
}

/** Characters as wide as two Latin letters: those of East Asia, and pictographs. */
const wide =
	/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Extended_Pictographic}/u;

function widthOf(text: string): number {
	return graphemesOf(text).reduce((sum, character) => sum + (wide.test(character) ? 2 : 1), 0);
}
