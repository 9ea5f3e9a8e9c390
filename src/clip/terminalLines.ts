import { type TerminalColor, terminalColors } from "./codeToken.ts";
import { columnsOf } from "./columns.ts";

/** A line of a terminal: a typed command, or output. */
export interface TerminalLine {
	readonly kind: "command" | "output";
	/** The prompt before the command, with its space; empty for output. */
	readonly prompt: string;
	/** Text without color sequences. */
	readonly text: string;
	/** Output split by color. */
	readonly pieces?: readonly PrintedPiece[];
}

/** A part of the output in one color. */
export interface PrintedPiece {
	readonly text: string;
	readonly color?: TerminalColor | undefined;
}

const terminalLanguages = new Set([
	...["console", "shell-session", "shellsession", "sh-session", "terminal", "doscon"],
	"pwsh-session",
]);

/** Blocks in these languages are scripts, unless one of their lines starts with a prompt. */
const shellLanguages = new Set([
	"bash",
	"sh",
	"shell",
	"shellscript",
	"zsh",
	"fish",
	"powershell",
	"pwsh",
	"cmd",
]);

/** `$`, `%`, `❯` or `#`, possibly after a name and a folder; `PS C:\>` and `C:\>`. */
const promptMark =
	/^(?<prompt>(?:\([\w.-]+\) )?(?:(?:[\w.-]+@[\w.-]+|\[[^\]\n]*\])(?:[ :][~\w./-]*)? ?)?[$%❯#] |(?:PS )?[A-Z]:\\[^>\n]*> ?)(?<text>.*)$/u;

/** Reads a fenced block of a terminal session. Returns undefined for any other block. */
export function readTerminal(code: string, language: string): readonly TerminalLine[] | undefined {
	const lines = code.split("\n");
	const isTyped = lines.some(line => /^\$ \S/.test(line));
	if (!terminalLanguages.has(language) && !(shellLanguages.has(language) && isTyped)) {
		return undefined;
	}
	let goesOn = false;
	return lines.map(line => {
		const { prompt, text } = promptMark.exec(line)?.groups ?? {};
		// A command that ends with a backslash continues in the next line.
		const isCommand = goesOn || prompt !== undefined;
		goesOn = isCommand && line.endsWith("\\");
		if (!isCommand) {
			return printedLine(line);
		}
		const more = /^(?<prompt>> )?(?<text>.*)$/.exec(line)?.groups;
		return {
			kind: "command",
			prompt: prompt ?? more?.["prompt"] ?? "",
			text: text ?? more?.["text"] ?? line,
		};
	});
}

/** A color sequence, literal or escaped as in source code. @see https://www.ecma-international.org/publications-and-standards/standards/ecma-48/ */
const colorSign = /(?:\p{Cc}|\\(?:x1b|u001b|033|e))\[([\d;]*)m/giu;
/** Other terminal sequences, which move the cursor or clear. */
const otherSign = /\p{Cc}(?:\[[\d;?]*[A-Za-ln-z]|\]\P{Cc}*(?:\p{Cc}|$))/gu;

/** Words and symbols by which programs without colors report a result. */
const outcomes: readonly (readonly [RegExp, TerminalColor])[] = [
	[/^\s*(?:[✓✔√]|PASS\b|ok\b)/u, "green"],
	[/^\s*(?:[✗✘×✖]|FAIL(?:ED)?\b|(?:[A-Za-z]*Error|error|fatal)\b:?)/u, "red"],
	[/^\s*(?:⚠|[Ww]arn(?:ing)?\b:?|WARN(?:ING)?\b:?)/u, "yellow"],
	[/^[-+] (?=\S)/, "dim"],
];

export function printedLine(line: string): TerminalLine {
	const pieces: PrintedPiece[] = [];
	let color: TerminalColor | undefined;
	for (const [index, part] of line.replaceAll(otherSign, "").split(colorSign).entries()) {
		if (index % 2 === 1) {
			color = colorAfter(part, color);
		} else if (part !== "") {
			pieces.push({ text: part, color });
		}
	}
	const text = pieces.map(piece => piece.text).join("");
	const plain = pieces.every(piece => piece.color === undefined);
	return { kind: "output", prompt: "", text, pieces: plain ? outcomePieces(text) : pieces };
}

function outcomePieces(text: string): readonly PrintedPiece[] {
	for (const [sign, color] of outcomes) {
		const [found] = sign.exec(text) ?? [];
		if (found !== undefined) {
			return [{ text: found, color }, { text: text.slice(found.length) }];
		}
	}
	return [{ text }];
}

/** Returns the color after SGR codes: 30 to 36 and 90 to 96. Bright black is dim; a reset removes the color. */
function colorAfter(codes: string, before: TerminalColor | undefined): TerminalColor | undefined {
	let color = before;
	const numbers = codes.split(";").map(Number);
	for (const [index, code] of numbers.entries()) {
		const isOfPalette = numbers[index - 1] === 5 && numbers[index - 2] === 38;
		if (code === 90 || code === 2) {
			color = numbers[index - 1] === 38 ? color : "dim";
		} else if ((code >= 31 && code <= 36) || (code >= 91 && code <= 96)) {
			color = terminalColors[(code % 10) - 1];
		} else if (isOfPalette && code >= 1 && code <= 14) {
			color = code === 8 ? "dim" : terminalColors[(code % 8) - 1];
		} else if (code === 0 || code === 39 || code === 37 || code === 97) {
			color = undefined;
		}
	}
	return color;
}

/** Seconds for typing a letter, for the pause before Enter, and for a line of output. */
const times = { letter: 0.05, pause: 0.35, printed: 0.12 } as const;
/** The most seconds for typing a command, and for printing a block of output. */
const mostSeconds = { typed: 1.8, printed: 1.5 } as const;

/**
 * Returns the visible columns of each line at a time of the session: commands appear letter by letter, output line by line. Undefined for lines that
 * haven't appeared.
 */
export function terminalAt(
	lines: readonly TerminalLine[],
	seconds: number,
): readonly (number | undefined)[] {
	let left = seconds;
	const times = lineSeconds(lines);
	return lines.map((line, index) => {
		const spent = left;
		left -= times[index] ?? 0;
		if (line.kind === "output") {
			return left >= -1e-6 ? columnsOf(line.text) : undefined;
		}
		const letters = Math.max(0, Math.floor(spent / letterSeconds(line) + 1e-6));
		const typed = [...line.text].slice(0, letters).join("");
		return spent > 1e-6 || index === 0 ? columnsOf(`${line.prompt}${typed}`) : undefined;
	});
}

export function sessionSeconds(lines: readonly TerminalLine[]): number {
	return lineSeconds(lines).reduce((sum, seconds) => sum + seconds, 0);
}

/** Returns the seconds of each line. A long block of output is printed faster. */
function lineSeconds(lines: readonly TerminalLine[]): readonly number[] {
	const starts = lines.flatMap(({ kind }, index) => (kind === "command" ? [index] : []));
	return lines.map((line, index) => {
		if (line.kind === "command") {
			return letterSeconds(line) * [...line.text].length + times.pause;
		}
		const start = starts.findLast(at => at < index) ?? -1;
		const end = starts.find(at => at > index) ?? lines.length;
		return Math.min(times.printed, mostSeconds.printed / (end - start - 1));
	});
}

function letterSeconds({ text }: TerminalLine): number {
	return Math.min(times.letter, mostSeconds.typed / Math.max(1, [...text].length));
}
