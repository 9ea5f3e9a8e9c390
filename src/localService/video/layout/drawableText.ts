import type { FontMetrics } from "./fontMetrics.ts";

/** Skin tones and characters that only control joining or direction and draw nothing. Joiners after letters are kept. */
const invisible =
	/(?!(?<=[\p{L}\p{M}])[\u200C\u200D])[\p{Emoji_Modifier}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

/** U+FFFD replaces characters that no font can draw. */
const missing = "\uFFFD";

/** With a larger share of missing letters, the text is unreadable. */
const maxMissingShare = 0.2;

type Covering = Pick<FontMetrics, "covers">;

/**
 * Returns a text that the font can draw: line breaks as `\n`, no control characters, without missing emoji, other missing characters as `sign`. If
 * most of it would be unreadable, returns a sentence that explains this.
 */
export function drawableText(text: string, font: Covering, sign = missing): string {
	const letters = [...cleanText(text)].filter(character => !/\s/.test(character));
	const missed = letters.filter(character => !isDrawn(character, font)).length;
	if (missed > 0 && missed / letters.length > maxMissingShare) {
		return `This text of ${letters.length} characters is in a script that the local renderer has no letters for.`;
	}
	const result = drawableLine(text, font, sign);
	return result.trim() === "" ? "There is nothing to read here." : result;
}

/** Like `drawableText`, for a part of a text, which may be empty or in a script missing in the font. */
export function drawableLine(line: string, font: Covering, sign = missing): string {
	return [...cleanText(line)]
		.map(character => (isDrawn(character, font) ? character : substitute(character, sign)))
		.join("");
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Counts the characters, as a reader counts them, that can't be drawn as they are. */
export function countUndrawn(text: string, font: Covering): number {
	const clean = cleanText(text);
	const isMissing = (character: string): boolean =>
		!/\s/.test(character) && !isDrawn(character, font);
	return [...clean].some(isMissing)
		? [...graphemes.segment(clean)].filter(({ segment }) => [...segment].some(isMissing)).length
		: 0;
}

function cleanText(text: string): string {
	return text
		.toWellFormed()
		.normalize("NFC")
		.replaceAll(/\r\n?|[\p{Zl}\p{Zp}]/gu, "\n")
		.replaceAll("\t", "    ")
		.replaceAll(/[^\P{Cc}\n]/gu, "")
		.replaceAll(invisible, "");
}

/** Returns the letters of a text missing in a font, without spaces. */
export function lettersWithout(text: string, font: Covering): ReadonlySet<number> {
	return new Set(
		[...cleanText(text)]
			.filter(character => !/\s/.test(character) && !isDrawn(character, font))
			.map(character => character.codePointAt(0) ?? 0),
	);
}

function isDrawn(character: string, font: Covering): boolean {
	return /[\n\u200C\u200D]/.test(character) || font.covers(character.codePointAt(0) ?? 0);
}

function substitute(character: string, sign: string): string {
	if (/\s/.test(character)) {
		return " ";
	}
	return /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test(character) ? "" : sign;
}

/** Scripts written from right to left, as a class of a regular expression. */
export const fromRightScripts = String.raw`[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Nko}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Adlam}]`;
const rightToLeft = new RegExp(fromRightScripts, "u");

/** Whether a text is right-to-left as a whole, by its first letter. @see https://www.unicode.org/reports/tr9/#P2 */
export function isRightToLeft(text: string): boolean {
	return rightToLeft.test(/\p{L}/u.exec(text)?.[0] ?? "");
}
