import type { FontMetrics } from "./fontMetrics.ts";

/** Skin tones, and characters that only steer joining or direction: nothing to draw. */
const invisible = /[\p{Emoji_Modifier}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

/** Stands for a character the font does not have. */
const missing = "▯";

/** A larger share of letters without a drawing makes the text unreadable. */
const maxMissingShare = 0.2;

/**
 * A text the font can draw: line ends as `\n`, control characters gone, emoji it lacks left out, other characters it
 * lacks shown as ▯. When most of it could not be read, a sentence that says so is in.
 */
export function drawableText(text: string, font: Pick<FontMetrics, "covers">): string {
	const clean = text
		.toWellFormed()
		.normalize("NFC")
		.replaceAll(/\r\n?|[\p{Zl}\p{Zp}]/gu, "\n")
		.replaceAll("\t", "    ")
		.replaceAll(/[^\P{Cc}\n]/gu, "")
		.replaceAll(invisible, "");
	let letters = 0;
	let missed = 0;
	const drawable = [...clean].map(character => {
		const isDrawn = character === "\n" || font.covers(character.codePointAt(0) ?? 0);
		const isBlank = /\s/.test(character);
		letters += isBlank ? 0 : 1;
		missed += isDrawn || isBlank ? 0 : 1;
		return isDrawn ? character : substitute(character);
	});
	if (missed > 0 && missed / letters > maxMissingShare) {
		return `This text of ${letters} characters is in a script that the local renderer has no letters for.`;
	}
	const result = drawable.join("");
	return result.trim() === "" ? "There is nothing to read here." : result;
}

function substitute(character: string): string {
	if (/\s/.test(character)) {
		return " ";
	}
	return /\p{Extended_Pictographic}/u.test(character) ? "" : missing;
}

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Nko}\p{Script=Syriac}]/u;

/** Whether a line has letters that run from right to left. */
export function hasRightToLeft(line: string): boolean {
	return rightToLeft.test(line);
}

/** Whether a text as a whole runs from right to left: its first letter says so. @see https://www.unicode.org/reports/tr9/#P2 */
export function isRightToLeft(text: string): boolean {
	return rightToLeft.test(/\p{L}/u.exec(text)?.[0] ?? "");
}
