/**
 * Invisible characters that are part of visible text: the flags of England, Scotland and Wales, emoji joiners, a variation selector after a base that
 * has few variants, and joiners beside letters of scripts that need them. A Chinese character has hundreds of variants, enough for a byte behind each.
 */
const ordinary = (() => {
	const flag = String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`;
	const emoji = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}]`;
	const joined = String.raw`\uFE0F?\u200D(?<=${emoji}\uFE0F?\u200D)(?=\p{Extended_Pictographic})`;
	const selector = String.raw`[\uFE00-\uFE0F\u180B-\u180D\u180F\u{E0100}-\u{E01EF}]`;
	const variant = String.raw`${selector}(?<=\p{Emoji}[\uFE0E\uFE0F]|\p{Script=Mongolian}[\u180B-\u180D\u180F]|\p{Sm}\uFE00)(?!${selector})`;
	const letter = String.raw`[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mand}\p{scx=Mong}\p{scx=Phag}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]`;
	const one = String.raw`(?<![\u200C\u200D])(?:\u200C{1,2}|\u200D)(?![\u200C\u200D])`;
	const joiners = String.raw`${one}(?:(?<=${letter}[\u200C\u200D]+)|(?=${letter}))`;
	return [flag, joined, variant, joiners].join("|");
})();

/** Characters that are invisible, blank symbols among them, or change how their neighbors are displayed. docs/security.md. */
const hidden = String.raw`[\u2800\u{1D159}\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}\uFFFC]|\p{Surrogate}`;

const ordinaryOrHidden = new RegExp(`(${ordinary})|${hidden}`, "gu");

/**
 * Replaces every hidden or control character by its code, such as `␣U+202E`. Keeps line feeds, tabs and the characters that emoji and scripts need.
 * Use it for text that a user decides on, never for text that is sent. docs/security.md.
 */
export function revealHidden(text: string): string {
	return text.replaceAll(ordinaryOrHidden, (character, isOrdinary?: string) =>
		isOrdinary || isLayout(character) ? character : codeOf(character),
	);
}

/** Like `revealHidden`, for a single line such as a path or a name: line breaks and tabs are replaced, too. */
export function revealInLine(text: string): string {
	return text.replaceAll(ordinaryOrHidden, (character, isOrdinary?: string) =>
		isOrdinary ? character : codeOf(character),
	);
}

/** Counts the characters that `revealHidden` replaces. */
export function countHidden(text: string): number {
	let count = 0;
	for (const [character, isOrdinary] of text.replaceAll("\r\n", "\n").matchAll(ordinaryOrHidden)) {
		count += isOrdinary || isLayout(character) ? 0 : 1;
	}
	return count;
}

/** Characters that can hide text on their own: tags, bidirectional overrides and isolates, blank letters. */
const concealing = String.raw`\u202A-\u202E\u2066-\u206F\u3164\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E00FF}\u{E01F0}-\u{E0FFF}`;

/** Characters that can hide text in runs: zero-width characters, direction marks, variation selectors. */
const ofNoWidth = String.raw`\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2060-\u2065\uFE00-\uFE0F\uFEFF\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0100}-\u{E01EF}`;

const hidesText = new RegExp(`[${concealing}]|..`, "u");
const hiddenRuns = new RegExp(`(${ordinary})|[${ofNoWidth}${concealing}]+`, "gu");

/** A part of a text: visible text, or a run of hidden characters. */
export interface TextPart {
	readonly text: string;
	readonly isHidden: boolean;
}

/**
 * Splits prose into visible and hidden parts. Hidden are tags, bidirectional overrides, and runs of zero-width characters. A single soft hyphen,
 * zero-width space or direction mark is not hidden text, and neither are the characters that emoji and scripts need. The parts joined are the text.
 * docs/security.md.
 */
export function splitHidden(text: string): TextPart[] {
	const parts: TextPart[] = [];
	let end = 0;
	const readUpTo = (start: number): void => {
		if (start > end) {
			parts.push({ text: text.slice(end, start), isHidden: false });
		}
	};
	for (const { 0: run, 1: isOrdinary, index } of text.matchAll(hiddenRuns)) {
		if (!isOrdinary && hidesText.test(run)) {
			readUpTo(index);
			parts.push({ text: run, isHidden: true });
			end = index + run.length;
		}
	}
	readUpTo(text.length);
	return parts;
}

function isLayout(character: string): boolean {
	return character === "\n" || character === "\t";
}

function codeOf(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	return `␣U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

export interface HiddenText {
	/** Hidden characters, in Unicode code points. */
	readonly count: number;
	/** The first line with hidden characters, counted from 1. */
	readonly line: number;
	/** The first such lines, each shortened and prefixed with its number, with hidden characters replaced by their codes. */
	readonly shown: string;
}

/** The most lines to show, and the most of each line, in UTF-16 code units. */
const maxHiddenLines = 12;
const maxBefore = 60;
const maxHiddenLine = 240;

/** Finds hidden text by the rules of `splitHidden`. Returns undefined if there is none. */
export function findHidden(text: string): HiddenText | undefined {
	const hiddenParts = splitHidden(text).filter(({ isHidden }) => isHidden);
	if (hiddenParts.length === 0) {
		return undefined;
	}
	const lines = text.split("\n").flatMap((line, index) => {
		const parts = splitHidden(line);
		const first = parts.findIndex(({ isHidden }) => isHidden);
		if (first === -1) {
			return [];
		}
		const before = parts.slice(0, first).map(part => part.text);
		const shown = parts.slice(first).map(part => revealHidden(part.text));
		const words = `${before.join("").slice(-maxBefore)}${shown.join("")}`.trim();
		return [{ number: index + 1, words: words.slice(0, maxHiddenLine).toWellFormed() }];
	});
	return {
		count: hiddenParts.reduce((sum, part) => sum + [...part.text].length, 0),
		line: lines[0]?.number ?? 1,
		shown: lines
			.slice(0, maxHiddenLines)
			.map(({ number, words }) => `${number}: ${words}`)
			.join("\n"),
	};
}

const marks = /␣U\+[\dA-F]{4,6}(?:…×\d+)?/g;

/**
 * Replaces each run of hidden characters in prose by the code of its first, such as `␣U+202E` or `␣U+E0041…×37`, and counts the hidden characters.
 * `context` is the text before, on which the first characters' meaning depends. docs/security.md.
 */
export function markHidden(
	text: string,
	context = "",
): { readonly text: string; readonly count: number } {
	let count = 0;
	const shown = partsBehind(context, text).map(part => {
		const [first = "", ...others] = part.isHidden ? part.text : "";
		count += part.isHidden ? others.length + 1 : 0;
		const more = others.length > 0 ? `…×${others.length + 1}` : "";
		return part.isHidden ? revealInLine(first) + more : part.text;
	});
	return { text: shown.join(""), count };
}

function partsBehind(context: string, text: string): readonly TextPart[] {
	let known = context.length;
	return splitHidden(context + text).flatMap(part => {
		const fresh = part.text.slice(known);
		known = Math.max(0, known - part.text.length);
		return fresh === "" ? [] : [{ ...part, text: fresh }];
	});
}

/** Removes hidden characters from prose. */
export function withoutHidden(text: string): string {
	return partsBehind("", text)
		.filter(({ isHidden }) => !isHidden)
		.map(part => part.text)
		.join("");
}

export function withoutMarks(text: string): string {
	return text.replaceAll(marks, "");
}
