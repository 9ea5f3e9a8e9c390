import { languageById, type Language } from "./language.ts";

export interface Line {
	readonly text: string;
	/** The text without strings and comments. */
	readonly code: string;
	/** Indentation in columns; a tab counts as four. */
	readonly width: number;
	readonly isBlank: boolean;
	readonly isComment: boolean;
	/** Whether it starts inside a string or comment. */
	readonly isInside: boolean;
	readonly isInString: boolean;
	/** The number of open brackets before and after it. */
	readonly before: number;
	readonly after: number;
	/** The line of the bracket that its first character closes. */
	readonly opener: number | undefined;
	readonly isElision: boolean;
	readonly language: Language;
}

/** An ellipsis before or after words that describe an omission. */
const dots = String.raw`(?:\.{3}|…)`;
const leftOut = String.raw`\b(?:existing|rest|remain(?:ing|s)?|unchanged|others?|same|previous|omitted|keep|more|as is)\b`;
const parts = String.raw`(?:code|file|functions?|methods?|imports?|fields?|columns?|variables?|prop(?:erties|s)?|class|component|styles?|rules?|tests?|logic|content|body|members?|routes?|keys?|entries|options|steps?|services?|dependencies|implementation)`;
const stays = String.raw`(?:here|goes?|remains?|stays?|is|are|unchanged|untouched|the same|as (?:is|before)|above|below|continues?|omitted|for brevity)`;
const elisionWords = new RegExp(
	[
		String.raw`^${dots}(?![\w(\[{"'])`,
		String.raw`${leftOut}.*${dots}`,
		String.raw`^\W*(?:(?:the|your|all|any|and)\s+)*(?:rest of|remaining|existing|other|previous|same|unchanged)\s+(?:\w+\s+){0,3}?${parts}(?:\s+${stays})*\W*$`,
		String.raw`\b(?:remains?|stays?)\s+(?:unchanged|untouched|the same)\W*$`,
		String.raw`^\W*(?:no changes?|unchanged)\W*$`,
	].join("|"),
	"i",
);
const commentMarks = /^(?:\/\/+|#+|--|;+|%|\/\*+|<!--|\{\/\*)\s*|\s*(?:\*\/\}?|-->)$/g;

/** Whether a line is a comment, or only an ellipsis, that marks omitted code. */
function isElision(text: string, language: Language): boolean {
	const trimmed = text.trim().slice(0, 300);
	const words = trimmed.replaceAll(commentMarks, "");
	if (words === trimmed || language.id === "markdown") {
		return /^(?:\.{3}|…)(?:\s+[\w\s]*(?:\.{3}|…))?,?$/.test(trimmed);
	}
	return elisionWords.test(words);
}

/**
 * Splits a text into lines with their bracket depth. Skips strings and comments by the language's rules; an unpaired quote is text. Lines in `known`
 * are never marks of omitted code.
 */
export function scanLines(
	texts: readonly string[],
	language: Language,
	known: ReadonlySet<string> | undefined,
): Line[] {
	const scanner = new LineScanner();
	let current = language;
	return texts.map(text => {
		const trimmed = text.trim();
		if (language.id === "html" && /^<\/(?:script|style)/.test(trimmed)) {
			current = language;
		}
		const line = scanner.scan(text, current);
		const opened = /^<(script|style)\b[^>]*>$/.exec(trimmed)?.[1];
		if (language.id === "html" && opened !== undefined) {
			current = languageById(opened === "style" ? "css" : "js");
		}
		const isKnown =
			known?.has(trimmed) === true && !(language.id === "python" && ellipsis.test(trimmed));
		const isLeftOut = known !== undefined && !isKnown && isElision(text, line.language);
		return { ...line, isElision: isLeftOut };
	});
}

const ellipsis = /^(?:\.{3}|…)$/;

/**
 * Makes the dots of Python code again where they are a body: in a stub file, a protocol, or below a decorator of functions without a body. Elsewhere
 * they may omit one.
 */
export function withPythonBodies(lines: readonly Line[], path: string): readonly Line[] {
	if (lines[0]?.language.id !== "python") {
		return lines;
	}
	const isHeader = (line: Line | undefined, pattern: RegExp): boolean =>
		line !== undefined && pattern.test(line.text.trim());
	return lines.map((line, at) => {
		if (!line.isElision || !ellipsis.test(line.text.trim())) {
			return line;
		}
		let width = line.width;
		const around: Line[] = [];
		for (let above = at - 1; above >= 0; above -= 1) {
			const other = lines[above];
			if (other && !other.isBlank && other.width < width) {
				width = other.width;
				around.push(other);
			}
		}
		const [header] = around;
		const top = header ? lines.indexOf(header) : -1;
		const isFunction = isHeader(header, /^(?:async\s+)?def\b|^\)/);
		const isBody =
			path.endsWith(".pyi") ||
			around.slice(1).some(other => isHeader(other, /^class\s.*\bProtocol\b/)) ||
			isHeader(lines[top - 1], /^@(?:[\w.]*\.)?(?:overload|abstract\w+)$/);
		return isFunction && isBody ? { ...line, isElision: false } : line;
	});
}

/** Returns the first line from `first` to `end` (exclusive) that passes a test. */
export function findLine(
	lines: readonly Line[],
	first: number,
	end: number,
	test: (line: Line) => boolean,
): number | undefined {
	for (let at = first; at < end; at += 1) {
		const line = lines[at];
		if (line && test(line)) {
			return at;
		}
	}
	return undefined;
}

/** Returns a line's indentation in columns; a tab counts as four. */
export function widthOf(text: string): number {
	return (/^[ \t]*/.exec(text)?.[0] ?? "").replaceAll("\t", "    ").length;
}

const regexLiteral = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[\n])+\/[a-z]*/y;
const character = /'(?:\\[^']+|[^'\\])'/y;
const heredoc = /<<(?:[-~<]\s*)?(["']?)([A-Z_]\w*)\1(?!\w)/y;

class LineScanner {
	private readonly open: { readonly bracket: string; readonly line: number }[] = [];
	/** End of the open string or comment. */
	private until: { readonly close: string; readonly isString: boolean } | undefined;
	private heredocEnd: string | undefined;
	private count = 0;
	/** Quotes without a partner in the rest of the line, which isn't searched again. */
	private unclosed = "";

	scan(text: string, language: Language): Omit<Line, "isElision"> {
		const line = this.count;
		this.count += 1;
		this.unclosed = "";
		const before = this.open.length;
		const { until, heredocEnd } = this;
		let code = "";
		let opener: number | undefined;
		const width = text.length - text.trimStart().length;
		let at = 0;
		if (heredocEnd !== undefined) {
			this.heredocEnd =
				text.trim().replace(/(?<!\W)\W+$/, "") === heredocEnd ? undefined : heredocEnd;
			at = text.length;
		}
		while (at < text.length) {
			const end = this.passOver(text, at, language, code);
			if (end !== undefined) {
				// Keeps a string's quotes, so that its line doesn't look empty.
				const isString = !this.isComment(text, at, language) && /["'`$@/]/.test(text[at] ?? "");
				code += isString ? `"${'"'.padStart(end - at - 1)}` : " ".repeat(end - at);
				at = end;
				continue;
			}
			const character = text[at] ?? "";
			code += character;
			const place = language.brackets.indexOf(character);
			if (place !== -1 && place % 2 === 0) {
				this.open.push({ bracket: character, line });
			} else if (place !== -1) {
				const pair = this.open.pop();
				opener ??= code.length === width + 1 ? pair?.line : undefined;
				if (pair?.bracket === "${") {
					this.until = { close: "`", isString: true };
				}
			}
			at += 1;
		}
		const isInside = until !== undefined || heredocEnd !== undefined;
		// `GO` only separates statements.
		const isBlank =
			text.trim() === "" || (language.id === "sql" && /^(?:go|\/)$/i.test(text.trim()));
		return {
			text,
			code,
			width: widthOf(text),
			isBlank,
			isComment:
				!isBlank && code.trim() === "" && heredocEnd === undefined && until?.isString !== true,
			isInside,
			isInString: heredocEnd !== undefined || until?.isString === true,
			before,
			after: this.open.length,
			opener,
			language,
		};
	}

	/** Returns the end of a string, comment or pattern that is open or starts here, or undefined if there is none. */
	private passOver(text: string, at: number, language: Language, code: string): number | undefined {
		if (this.until) {
			return this.closeLong(text, at);
		}
		if (this.isComment(text, at, language)) {
			return this.passComment(text, at, language);
		}
		const long = language.longStrings.find(open => text.startsWith(open, at));
		if (long !== undefined) {
			this.until = { close: long === '@"' ? '"' : long, isString: true };
			return this.closeLong(text, at + long.length);
		}
		if ("shell ruby php".includes(language.id) && matchAt(heredoc, text, at)) {
			const found = matchAt(heredoc, text, at);
			this.heredocEnd = found?.[2];
			return at + (found?.[0].length ?? 0);
		}
		const quote = text[at] ?? "";
		if (language.quotes.includes(quote) && quote !== "") {
			const end = this.unclosed.includes(quote) ? undefined : endOfQuote(text, at, quote);
			this.unclosed += end === undefined ? quote : "";
			return end;
		}
		const isPattern =
			quote === "/" &&
			language.id === "js" &&
			/(?:^|[(,=:[!&|?{};]|return)\s*$/.test(code.slice(-20));
		const other =
			(isPattern ? matchAt(regexLiteral, text, at) : undefined) ??
			(language.id === "rust" ? matchAt(character, text, at) : undefined);
		return other ? at + other[0].length : undefined;
	}

	private isComment(text: string, at: number, { lineComment, blockComments }: Language): boolean {
		return (
			this.until?.isString === false ||
			(this.until === undefined &&
				(matchAt(lineComment, text, at) !== undefined ||
					blockComments.some(([open]) => text.startsWith(open, at))))
		);
	}

	private passComment(text: string, at: number, { blockComments }: Language): number {
		const block = blockComments.find(([open]) => text.startsWith(open, at));
		if (!block) {
			return text.length;
		}
		this.until = { close: block[1], isString: false };
		return this.closeLong(text, at + block[0].length);
	}

	private closeLong(text: string, from: number): number {
		const { close, isString } = this.until ?? { close: "", isString: false };
		for (let at = from; at < text.length; at += 1) {
			if (isString && text[at] === "\\") {
				at += 1;
			} else if (close === "`" && text.startsWith("${", at)) {
				this.open.push({ bracket: "${", line: this.count - 1 });
				this.until = undefined;
				return at + 2;
			} else if (text.startsWith(close, at)) {
				this.until = undefined;
				return at + close.length;
			}
		}
		return text.length;
	}
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
	pattern.lastIndex = at;
	return pattern.exec(text) ?? undefined;
}

function endOfQuote(text: string, at: number, quote: string): number | undefined {
	for (let end = at + 1; end < text.length; end += 1) {
		if (text[end] === "\\") {
			end += 1;
		} else if (text[end] === quote) {
			return end + 1;
		}
	}
	return undefined;
}

/** Share of regularly indented lines from which a text counts as such. Other lines may be aligned. */
const regularShare = 0.75;

/** Converts lines of a block to the indentation of a text. */
export interface Indenter {
	readonly step: string;
	/** Indents the lines relative to `base`. Lines inside a string stay unchanged. */
	indent(lines: readonly Line[], base: string): string[];
}

/**
 * Creates an indenter for a text and a block. If the block repeats lines of the text at the same relative indentation, its indentation is kept.
 * Otherwise each of its levels is converted to the text's.
 */
export function createIndenter(old: readonly Line[], block: readonly Line[]): Indenter {
	const to = stepOf(old) ?? stepOf(block) ?? "\t";
	const from = stepOf(block) ?? to;
	const isAlike = from === to || (from[0] === to[0] && hasSameDistances(old, block));
	return {
		step: to,
		indent: (lines, base) => {
			const isText = (line: Line): boolean => line.isInString && line.language.id !== "python";
			const first = lines.find(line => !line.isBlank && !isText(line));
			const [least, prefix] = [first?.width ?? 0, indentOf(first?.text)];
			return lines.map(line => {
				if (line.isBlank || isText(line)) {
					return line.isBlank && !isText(line) ? "" : line.text;
				}
				if (isAlike && line.text.startsWith(prefix)) {
					return `${base}${line.text.slice(prefix.length)}`;
				}
				const width = Math.max(0, line.width - least);
				const steps = Math.floor(width / widthOf(from));
				return `${base}${to.repeat(steps)}${" ".repeat(width - steps * widthOf(from))}${line.text.trimStart()}`;
			});
		},
	};
}

/** Returns the whitespace at the start of a line. */
export function indentOf(text = ""): string {
	return /^[ \t]*/.exec(text)?.[0] ?? "";
}

/** Returns one level of indentation, or undefined if nothing is indented. */
function stepOf(lines: readonly Line[]): string | undefined {
	const inCode = lines.filter(line => !line.isBlank && !line.isInside);
	const tabs = inCode.filter(({ text }) => text.startsWith("\t")).length;
	const least = Math.min(...inCode.map(({ width }) => width));
	const widths = inCode.map(({ width }) => width - least).filter(width => width > 1);
	if (tabs > 0 && tabs * 2 >= widths.length) {
		return "\t";
	}
	const fits = (step: number): boolean =>
		widths.filter(width => width % step === 0).length >= widths.length * regularShare;
	const step = [Math.min(...widths), 8, 4, 3, 2].find(fits) ?? 4;
	return widths.length === 0 ? undefined : " ".repeat(step);
}

function hasSameDistances(old: readonly Line[], block: readonly Line[]): boolean {
	const widths = new Map(old.map(({ text, width }) => [text.trim(), width]));
	const distances = block.flatMap(({ text, width }) => {
		const known = text.trim().length > 3 ? widths.get(text.trim()) : undefined;
		return known === undefined ? [] : [{ width, distance: known - width }];
	});
	const many = (distance: number): number =>
		distances.filter(other => other.distance === distance).length;
	const most = Math.max(0, ...distances.map(({ distance }) => many(distance)));
	return (
		new Set(distances.map(({ width }) => width)).size > 1 && most >= distances.length * regularShare
	);
}
