import { type CodeToken, tokenizeCode } from "./codeTokens.ts";
import { columnsOf } from "./columns.ts";

/** A line of a terminal: typed behind its prompt, or printed. */
export interface TerminalLine {
	readonly kind: "command" | "output";
	/** The prompt before the command, with its blank; empty for output. */
	readonly prompt: string;
	readonly text: string;
}

const terminalLanguages = new Set([
	...["console", "shell-session", "shellsession", "sh-session", "terminal", "doscon"],
	"pwsh-session",
]);

/** Their blocks are programs, unless a line of them begins with a prompt. */
const shellLanguages = new Set(["bash", "sh", "shell", "zsh", "fish", "powershell", "pwsh", "cmd"]);

/** `$`, `%`, `❯` or `#`, alone or behind a name and a folder; `PS C:\>` and `C:\>`. */
const promptMark =
	/^(?<prompt>(?:\([\w.-]+\) )?(?:(?:[\w.-]+@[\w.-]+|\[[^\]\n]*\])(?:[ :][~\w./-]*)? ?)?[$%❯#] |(?:PS )?[A-Z]:\\[^>\n]*> ?)(?<text>.*)$/u;

/** Reads the lines of a fenced block of a terminal; undefined for any other block. */
export function readTerminal(code: string, language: string): readonly TerminalLine[] | undefined {
	const lines = code.split("\n");
	const isTyped = lines.some(line => /^\$ \S/.test(line));
	if (!terminalLanguages.has(language) && !(shellLanguages.has(language) && isTyped)) {
		return undefined;
	}
	let goesOn = false;
	return lines.map(line => {
		const { prompt, text } = promptMark.exec(line)?.groups ?? {};
		// A command whose line ends with a backslash has another one.
		const isCommand = goesOn || prompt !== undefined;
		goesOn = isCommand && line.endsWith("\\");
		if (!isCommand) {
			return { kind: "output", prompt: "", text: line };
		}
		const more = /^(?<prompt>> )?(?<text>.*)$/.exec(line)?.groups;
		return {
			kind: "command",
			prompt: prompt ?? more?.["prompt"] ?? "",
			text: text ?? more?.["text"] ?? line,
		};
	});
}

/** The pieces of a terminal's line in their colors. */
export function terminalTokens({ kind, prompt, text }: TerminalLine): readonly CodeToken[] {
	if (kind === "output") {
		return [{ kind: "punctuation", text }];
	}
	const [words = []] = tokenizeCode([text], "bash");
	const [first, ...rest] = words;
	const name = first?.kind === "plain" && first.text.trim() !== "" ? "call" : first?.kind;
	return [
		...(prompt === "" ? [] : [{ kind: "string" as const, text: prompt }]),
		...(first && name ? [{ ...first, kind: name }] : []),
		...rest,
	];
}

/** Times of typing a letter, of the pause before a return, and of printing a line, relative to each other. */
const weights = { letter: 1, pause: 7, printed: 2.5 } as const;

/**
 * How many columns of each line are to be seen when `share`, 0 to 1, of the session has passed: commands come letter by letter,
 * what they print line by line. Undefined for lines that are not there yet.
 */
export function terminalAt(
	lines: readonly TerminalLine[],
	share: number,
): readonly (number | undefined)[] {
	let left = terminalLength(lines) * share;
	return lines.map((line, index) => {
		const spent = left;
		left -= lengthOf(line);
		if (line.kind === "output") {
			return spent > 0 && left >= 0 ? columnsOf(line.text) : undefined;
		}
		const letters = Math.max(0, Math.floor(spent / weights.letter));
		const typed = [...line.text].slice(0, letters).join("");
		return spent > 0 || index === 0 ? columnsOf(`${line.prompt}${typed}`) : undefined;
	});
}

/** How long a session is, in letters typed. */
export function terminalLength(lines: readonly TerminalLine[]): number {
	return lines.reduce((sum, line) => sum + lengthOf(line), 0);
}

function lengthOf({ kind, text }: TerminalLine): number {
	return kind === "command" ? [...text].length * weights.letter + weights.pause : weights.printed;
}
