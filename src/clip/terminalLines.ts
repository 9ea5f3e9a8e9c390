import type { TerminalColor } from "./codeToken.ts";
import { columnsOf } from "./columns.ts";
import { type PrintedPiece, type PrintedStyle, readPrinted } from "./printedText.ts";

/** A line of a terminal: a typed command, or output. */
export interface TerminalLine {
	readonly kind: "command" | "output";
	/** The prompt before the command, with its space; empty for output. */
	readonly prompt: string;
	/** Text without the sequences of a terminal. */
	readonly text: string;
	/** Output split by style. */
	readonly pieces?: readonly PrintedPiece[];
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
	const isTyped = lines.some(line => /^\$ \S/.test(textOf(readPrinted(line).pieces)));
	if (!terminalLanguages.has(language) && !(shellLanguages.has(language) && isTyped)) {
		return undefined;
	}
	let goesOn = false;
	let style: PrintedStyle = {};
	return lines.map(written => {
		const { pieces, after } = readPrinted(written, style);
		const line = textOf(pieces);
		const { prompt, text } = promptMark.exec(line)?.groups ?? {};
		// A command that ends with a backslash continues in the next line.
		const isCommand = goesOn || prompt !== undefined;
		goesOn = isCommand && line.endsWith("\\");
		style = isCommand ? {} : after;
		if (!isCommand) {
			return outputLine(pieces);
		}
		const more = /^(?<prompt>> )?(?<text>.*)$/.exec(line)?.groups;
		return {
			kind: "command",
			prompt: prompt ?? more?.["prompt"] ?? "",
			text: text ?? more?.["text"] ?? line,
		};
	});
}

/** Words and symbols by which programs without colors report a result. */
const outcomes: readonly (readonly [RegExp, TerminalColor])[] = [
	[/^\s*(?:[✓✔√]|PASS\b|ok\b)/u, "green"],
	[/^\s*(?:[✗✘×✖]|FAIL(?:ED)?\b|(?:[A-Za-z]*Error|error|fatal)\b:?)/u, "red"],
	[/^\s*(?:⚠|[Ww]arn(?:ing)?\b:?|WARN(?:ING)?\b:?)/u, "yellow"],
	[/^[-+] (?=\S)/, "dim"],
];

/** Reads output of which every line begins in the style in which the one before it ends. */
export function printedLines(lines: readonly string[]): readonly TerminalLine[] {
	let style: PrintedStyle = {};
	return lines.map(line => {
		const { pieces, after } = readPrinted(line, style);
		style = after;
		return outputLine(pieces);
	});
}

const textOf = (pieces: readonly PrintedPiece[]): string => pieces.map(({ text }) => text).join("");

function outputLine(pieces: readonly PrintedPiece[]): TerminalLine {
	const text = textOf(pieces);
	const isPlain = pieces.every(({ text: _, ...style }) =>
		Object.values(style).every(value => value === undefined),
	);
	return { kind: "output", prompt: "", text, pieces: isPlain ? outcomePieces(text) : pieces };
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
