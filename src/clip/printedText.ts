import { terminalColors, type TokenColor } from "./codeToken.ts";
import { columnsOf } from "./columns.ts";

/** How a terminal shows letters. */
export interface PrintedStyle {
	/** Absent for the color of plain output, and for black and white, which depend on the background. */
	readonly color?: TokenColor | undefined;
	/** The color behind the letters. */
	readonly ground?: TokenColor | undefined;
	readonly isBold?: true | undefined;
	readonly isDim?: true | undefined;
	readonly isItalic?: true | undefined;
	readonly isUnderlined?: true | undefined;
	readonly isStruck?: true | undefined;
	readonly isHidden?: true | undefined;
	/** Whether the letters have the color of the background, and it theirs. */
	readonly isInverse?: true | undefined;
}

/** A part of the output in one style. */
export interface PrintedPiece extends Omit<PrintedStyle, "isHidden" | "isInverse" | "ground"> {
	readonly text: string;
	/** The color behind the letters; `text` is that of plain output. */
	readonly ground?: TokenColor | "text" | undefined;
}

/** A written escape sign, as in source code, before a sequence of colors or a link. */
const escapeName = String.raw`(?:\\(?:x1b|u001b|u\{1b\}|033|e)|[\u241B\u2190])`;
const writtenLink = new RegExp(
	String.raw`${escapeName}\]\d+;.*?(?:(?:${escapeName}|\u001B)\\{1,2}|\\(?:a|x07|u0007|007)|\u0007|$)`,
	"giu",
);
const writtenSequence = new RegExp(String.raw`${escapeName}(?=\[[\d;:?]*[A-Za-z])`, "giu");

/** Sequences of terminals: with parameters, with a text such as a title or a link's address, and short ones. @see https://www.ecma-international.org/publications-and-standards/standards/ecma-48/ */
const sequence = new RegExp(
	[
		String.raw`(?:\u001B\[|\u009B)(?<parameters>[0-?]*)[ -/]*(?:(?<final>[@-~])|$)`,
		String.raw`(?:\u001B[\]PX^_]|[\u0090\u0098\u009D-\u009F])[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C|(?=\u001B)|$)`,
		String.raw`\u001B[ -/]*[0-~]?`,
		String.raw`(?<sign>(?!\t)\p{Cc})`,
	].join("|"),
	"gu",
);

const plainLine = /^[^\p{Cc}\\\u241B\u2190]*$/u;

/** A place of a line with its letter, or without one behind a letter of two columns. */
interface Cell {
	letter: string;
	readonly style: PrintedStyle;
}

/** Columns that a sequence may move to. */
const maxColumn = 1_000;

/** Returns the last state of a line of output in its styles, and the style in which the next line begins. */
export function readPrinted(
	line: string,
	before: PrintedStyle = {},
): { readonly pieces: readonly PrintedPiece[]; readonly after: PrintedStyle } {
	if (plainLine.test(line)) {
		return { pieces: line === "" ? [] : [pieceOf(line, before)], after: before };
	}
	const text = line.replaceAll(writtenLink, "").replaceAll(writtenSequence, "\u001B");
	const row = new PrintedRow(before);
	let at = 0;
	for (const match of text.matchAll(sequence)) {
		row.write(text.slice(at, match.index));
		const { parameters = "", final, sign } = match.groups ?? {};
		if (final === "m") {
			row.style = /[<=>?]/.test(parameters) ? row.style : styleAfter(parameters, row.style);
		} else if (final !== undefined) {
			row.move(final, parameters);
		} else if (sign !== undefined) {
			row.moveBack(sign);
		}
		at = match.index + match[0].length;
	}
	row.write(text.slice(at));
	return { pieces: row.pieces(), after: row.style };
}

/** A line of a terminal while it is printed. */
class PrintedRow {
	style: PrintedStyle;
	private readonly cells: Cell[] = [];
	private column = 0;
	/** What is to be cleared before the next letter. A line that is cleared last keeps what it showed. */
	private cleared: { readonly part: number; readonly at: number } | undefined;

	constructor(style: PrintedStyle) {
		this.style = style;
	}

	write(text: string): void {
		if (text !== "") {
			this.clear();
		}
		for (const letter of text) {
			const width = columnsOf(letter);
			const last = this.cells[this.column - 1];
			if (width === 0 && last) {
				last.letter += letter;
			}
			for (let index = 0; index < width; index += 1) {
				this.put(index === 0 ? letter : "");
			}
		}
	}

	/** Moves or clears by a sequence that concerns its own line. Others are left out. */
	move(final: string, parameters: string): void {
		const number = Number.parseInt(parameters, 10) || 0;
		switch (final) {
			case "C":
				this.column = Math.min(this.column + Math.max(1, number), maxColumn);
				break;
			case "D":
				this.column = Math.max(0, this.column - Math.max(1, number));
				break;
			case "G":
				this.column = Math.min(Math.max(1, number), maxColumn) - 1;
				break;
			case "K":
				this.clear();
				this.cleared = { part: number, at: this.column };
				break;
		}
	}

	/** Moves by a control character. Others than Return and Backspace are left out. */
	moveBack(sign: string): void {
		this.column = sign === "\r" ? 0 : Math.max(0, this.column - (sign === "\b" ? 1 : 0));
	}

	pieces(): readonly PrintedPiece[] {
		const pieces: { text: string; readonly style: PrintedStyle }[] = [];
		for (const { letter, style } of this.cells) {
			const last = pieces.at(-1);
			if (last && isSame(last.style, style)) {
				last.text += letter;
			} else {
				pieces.push({ text: letter, style });
			}
		}
		return pieces.map(({ text, style }) => pieceOf(text, style));
	}

	private put(letter: string): void {
		while (this.cells.length < this.column) {
			this.cells.push({ letter: " ", style: {} });
		}
		const before = this.cells[this.column];
		this.cells[this.column] = { letter, style: this.style };
		// Halves of a letter that is overwritten.
		const next = this.cells[this.column + 1];
		if (before && letter !== "" && next?.letter === "") {
			next.letter = " ";
		}
		this.column += 1;
	}

	private clear(): void {
		const { part, at: column } = this.cleared ?? { part: undefined, at: 0 };
		this.cleared = undefined;
		if (part === 0) {
			this.cells.splice(column);
		}
		for (let at = 0; part === 1 && at < Math.min(column + 1, this.cells.length); at += 1) {
			this.cells[at] = { letter: " ", style: {} };
		}
		if (part === 2) {
			this.cells.length = 0;
		}
	}
}

const properties = [
	...(["color", "ground", "isBold", "isDim", "isItalic", "isUnderlined", "isStruck"] as const),
	...(["isHidden", "isInverse"] as const),
];

function isSame(left: PrintedStyle, right: PrintedStyle): boolean {
	return left === right || properties.every(name => left[name] === right[name]);
}

function pieceOf(text: string, style: PrintedStyle): PrintedPiece {
	const { isHidden, isInverse, ...shown } = style;
	// Dim text without a color has one of its own.
	const color = style.color ?? (style.isDim ? "dim" : undefined);
	const isDim = style.color === undefined ? undefined : style.isDim;
	const ground = style.ground;
	const visible = isHidden ? " ".repeat(columnsOf(text)) : text;
	return isInverse
		? { ...shown, text: visible, isDim, color: ground, ground: color ?? "text" }
		: { ...shown, text: visible, isDim, color };
}

/** What the numbers of a sequence set, besides colors. */
const changes: Readonly<Record<number, PrintedStyle>> = {
	1: { isBold: true },
	2: { isDim: true },
	3: { isItalic: true },
	4: { isUnderlined: true },
	7: { isInverse: true },
	8: { isHidden: true },
	9: { isStruck: true },
	21: { isUnderlined: true },
	22: { isBold: undefined, isDim: undefined },
	23: { isItalic: undefined },
	24: { isUnderlined: undefined },
	27: { isInverse: undefined },
	28: { isHidden: undefined },
	29: { isStruck: undefined },
	39: { color: undefined },
	49: { ground: undefined },
};

/** Returns the style after a sequence's parameters. Colors of the palette and of 24 bits have their numbers behind `;` or `:`. */
function styleAfter(parameters: string, before: PrintedStyle): PrintedStyle {
	let style = before;
	const parts = parameters.split(";");
	for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
		const [code = 0, ...own] = part.split(":").map(Number);
		if (code === 38 || code === 48 || code === 58) {
			const color = own.length > 0 ? writtenColor(own, code === 48) : nextColor(parts, code === 48);
			style = code === 58 ? style : { ...style, ...colored(color, code === 48) };
		} else if (code === 0) {
			style = {};
		} else if (code === 4 && own[0] === 0) {
			style = { ...style, isUnderlined: undefined };
		} else {
			style = { ...style, ...(changes[code] ?? namedColor(code)) };
		}
	}
	return style;
}

function colored(color: TokenColor | undefined, isGround: boolean): PrintedStyle {
	return isGround ? { ground: color } : { color };
}

/** Returns the change of the numbers 30 to 37, 40 to 47, 90 to 97 and 100 to 107; none of another. */
function namedColor(code: number): PrintedStyle {
	const [tens, ones] = [Math.floor(code / 10), code % 10];
	const isGround = tens === 4 || tens === 10;
	const isColor = ones < 8 && (isGround || tens === 3 || tens === 9);
	return isColor ? colored(colorAt(tens > 8 ? ones + 8 : ones, isGround), isGround) : {};
}

/** Parses the numbers after `38;` and removes them from the list. */
function nextColor(parts: string[], isGround: boolean): TokenColor | undefined {
	const kind = Number(parts.shift());
	const numbers = parts.splice(0, kind === 2 ? 3 : kind === 5 ? 1 : 0).map(Number);
	return writtenColor([kind, ...numbers], isGround);
}

/** Returns the color of numbers such as `5, 31` or `2, 80, 34, 33`, the latter possibly with a color space before it. */
function writtenColor(
	[kind, ...numbers]: readonly number[],
	isGround: boolean,
): TokenColor | undefined {
	if (kind === 5) {
		return colorAt(numbers[0] ?? 0, isGround);
	}
	const channels = numbers.length > 3 ? numbers.slice(1, 4) : numbers;
	const isColor = channels.length === 3 && channels.every(isByte);
	return kind === 2 && isColor ? hexOf(channels) : undefined;
}

const isByte = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 255;

const hexOf = (channels: readonly number[]): TokenColor =>
	`#${channels.map(value => value.toString(16).padStart(2, "0")).join("")}`;

/** Black and white behind letters. */
const grounds: Readonly<Record<number, TokenColor>> = { 0: "#000000", 7: "#e5e5e5", 15: "#ffffff" };

/** Returns a color of the palette of 256: sixteen with names, a cube of 216, and grays. */
function colorAt(index: number, isGround: boolean): TokenColor | undefined {
	if (!isByte(index)) {
		return undefined;
	}
	if (index >= 232) {
		const gray = 8 + (index - 232) * 10;
		return hexOf([gray, gray, gray]);
	}
	if (index >= 16) {
		const digits = [36, 6, 1].map(size => Math.floor((index - 16) / size) % 6);
		return hexOf(digits.map(digit => (digit === 0 ? 0 : 55 + digit * 40)));
	}
	if (index === 8) {
		return "dim";
	}
	// Black and white of letters depend on the background.
	return index % 8 === 0 || index % 8 === 7
		? isGround
			? grounds[index]
			: undefined
		: terminalColors[(index % 8) - 1];
}
