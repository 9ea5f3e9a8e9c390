import { columnsOf } from "./columns.ts";
import { type PrintedPiece, type PrintedStyle, readPrinted } from "./printedText.ts";
import {
	colorOutput,
	isCertainPrompt,
	isPromptHead,
	type PromptedLine,
	readPromptLine,
} from "./terminalWords.ts";

/** A line of a terminal: a typed command, or output. */
export interface TerminalLine {
	readonly kind: "command" | "output";
	/** The prompt before the command, with its space; empty for output. */
	readonly prompt: string;
	/** Text without the sequences of a terminal. */
	readonly text: string;
	/** Output split by color; of a command, its prompt if that has colors. */
	readonly pieces?: readonly PrintedPiece[];
	/** Whether the colors are those of the block. */
	readonly hasColors?: true;
}

const terminalLanguages = new Set([
	"console",
	"shell-session",
	"shellsession",
	"sh-session",
	"terminal",
	"doscon",
	"pwsh-session",
]);

/** Blocks in these languages are scripts, unless one of their lines is a command behind a prompt. */
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

/**
 * Reads a fenced block of a terminal session. Returns undefined for any other block. A block without a language is one if it begins with a prompt
 * and a command.
 */
export function readTerminal(code: string, language: string): readonly TerminalLine[] | undefined {
	const lines = code.split("\n");
	const printed = lines.map(line => outputLine(readPrinted(line).pieces));
	const isTyped =
		language === ""
			? isCertainPrompt(printed[0]?.text ?? "")
			: shellLanguages.has(language) && printed.some(({ text }) => isCertainPrompt(text));
	if (!terminalLanguages.has(language) && !isTyped) {
		return undefined;
	}
	const isSure = printed.some(({ text }) => isCertainPrompt(text));
	let goesOn = false;
	let style: PrintedStyle = {};
	return printed.map((line, index) => {
		const written = readPrinted(lines[index] ?? "", style);
		const isColored = line.hasColors === true;
		if (!goesOn && isPromptHead(line.text, isColored, printed[index + 1]?.text)) {
			style = {};
			return commandLine({ prompt: line.text, text: "" }, line);
		}
		const found = readPromptLine(line.text, isSure) ?? coloredPrompt(line);
		// A command that ends with a backslash continues in the next line.
		const isCommand = goesOn || found !== undefined;
		const isMore = goesOn && found === undefined;
		goesOn = isCommand && line.text.endsWith("\\");
		style = isCommand ? {} : written.after;
		if (!isCommand) {
			return outputLine(written.pieces);
		}
		const more = /^(?<prompt>>> )?(?<text>.*)$/.exec(line.text)?.groups;
		return isMore
			? commandLine({ prompt: more?.["prompt"] ?? "", text: more?.["text"] ?? line.text }, line)
			: commandLine(found ?? { prompt: "", text: line.text }, line);
	});
}

/** Creates a command. Its prompt keeps the colors that it has in the block. */
function commandLine({ prompt, text }: PromptedLine, printed: TerminalLine): TerminalLine {
	let left = prompt.length;
	const pieces = (printed.hasColors ? (printed.pieces ?? []) : []).flatMap(piece => {
		const part = piece.text.slice(0, Math.max(0, left));
		left -= piece.text.length;
		return part === "" ? [] : [{ ...piece, text: part }];
	});
	return { kind: "command", prompt, text, ...(pieces.length > 0 && { pieces }) };
}

/** Reads a prompt of any kind whose parts are colored, up to a sign in color before a command without. */
function coloredPrompt({ hasColors, text, pieces = [] }: TerminalLine): PromptedLine | undefined {
	const command = pieces.at(-1);
	const sign = pieces.findLast(piece => piece !== command && piece.text.trim() !== "");
	const isPrompt =
		hasColors === true &&
		pieces[0]?.color !== undefined &&
		command?.color === undefined &&
		sign?.color !== undefined &&
		/[$%#❯➜λ»▶→>›⟩|]\s*$/u.test(sign.text) &&
		/^\s+[\w./~]/.test(command?.text ?? "");
	const start = text.length - (command?.text.trimStart().length ?? 0);
	return isPrompt ? { prompt: text.slice(0, start), text: text.slice(start) } : undefined;
}

/** Reads output of which every line begins in the style in which the one before it ends. */
export function printedLines(lines: readonly string[]): readonly TerminalLine[] {
	let style: PrintedStyle = {};
	return lines.map(line => {
		const { pieces, after } = readPrinted(line, style);
		style = after;
		return outputLine(pieces);
	});
}

const piecesText = (pieces: readonly PrintedPiece[]): string =>
	pieces.map(({ text }) => text).join("");

function outputLine(pieces: readonly PrintedPiece[]): TerminalLine {
	const text = piecesText(pieces);
	const isPlain = pieces.every(({ text: _, ...style }) =>
		Object.values(style).every(value => value === undefined),
	);
	return isPlain
		? { kind: "output", prompt: "", text, pieces: colorOutput(text) }
		: { kind: "output", prompt: "", text, pieces, hasColors: true };
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
			// The first line of a prompt comes with the second.
			return line.text === "" && index < lines.length - 1
				? 0
				: letterSeconds(line) * [...line.text].length + times.pause;
		}
		const start = starts.findLast(at => at < index) ?? -1;
		const end = starts.find(at => at > index) ?? lines.length;
		return Math.min(times.printed, mostSeconds.printed / (end - start - 1));
	});
}

function letterSeconds({ text }: TerminalLine): number {
	return Math.min(times.letter, mostSeconds.typed / Math.max(1, [...text].length));
}
